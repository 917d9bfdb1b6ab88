NOT_UTF8: int
FULL: int
