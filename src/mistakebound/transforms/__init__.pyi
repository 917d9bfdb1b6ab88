from mistakebound.io.bins import cut_points as cut_points
from mistakebound.io.one_row import hash_names as hash_names
from mistakebound.transforms.binned import bins as bins
from mistakebound.transforms.expanded import expand as expand
from mistakebound.transforms.standardized import standardize as standardize
