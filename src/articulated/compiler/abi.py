"""The two functions of a kernel in machine code, and how wide the vectors are: all that a cached kernel has to know."""

#: the two ways in, `articulated_one` and `articulated_batch`
FORMS = ("one", "batch")
#: the function both call for the sines of their angles, the same for every kernel
SINES = "articulated_sines"

#: bytes of the widest vector by feature; the first one the processor has counts
_WIDTHS = (("avx512f", 64), ("avx2", 32), ("", 16))
_SIZES = {"float64": 8, "float32": 4}


def lanes_for(features: str | set[str], precision: str = "float64") -> int:
    """How many states fit a vector of a processor with these features ("+avx2,-avx512f,…" or a set of names)."""
    if isinstance(features, str):
        features = {name[1:] for name in features.split(",") if name.startswith("+")}
    width = next(width for name, width in _WIDTHS if not name or name in features)
    return width // _SIZES[precision]
