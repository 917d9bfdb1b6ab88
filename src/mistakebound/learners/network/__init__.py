"""Units and networks of units (Ma 2019, section 4; Mitchell 1997, chapter 4)."""
