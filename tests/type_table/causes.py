"""Why rows do not hold yet, one sentence for each cause; who mends one takes its marks out."""

DOC_BROKEN = "a docstring that cannot be read loses its texts without a warning"
TRAILING = "texts that follow the fields of a class are not read"
