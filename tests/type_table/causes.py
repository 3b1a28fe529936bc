"""Why rows do not hold yet, one sentence for each cause; who mends one takes its marks out."""

DOC_BROKEN = "a docstring that cannot be read loses its texts without a warning"
GENERIC_METHOD = "arguments of a generic base are not bound in its methods"
TRAILING = "texts that follow the fields of a class are not read"
