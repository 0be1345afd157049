"""The same robot in other libraries, for `articulated compare`."""
