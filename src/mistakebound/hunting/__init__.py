"""Which few of many flags make a command fail: all of `hunt`."""
