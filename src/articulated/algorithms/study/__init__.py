"""Other routes to the same quantities, kept to be read and for the laws in the tests."""
