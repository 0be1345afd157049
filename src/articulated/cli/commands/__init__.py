"""One file per command; `app.py` lists them."""
