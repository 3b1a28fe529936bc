"""Why rows do not hold yet, one sentence for each cause; who mends one takes its marks out."""
