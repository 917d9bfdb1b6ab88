from mistakebound.transforms.expanded import expand as expand
from mistakebound.transforms.standardized import standardize as standardize
