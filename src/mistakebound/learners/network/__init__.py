"""Units and networks of units (CS3244 notes, section 4; Mitchell 1997, chapter 4)."""
