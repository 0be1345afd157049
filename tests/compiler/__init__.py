from . import exact_operations  # noqa: F401 (lowered programs in NumPy, bit for bit)
