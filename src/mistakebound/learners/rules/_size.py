"""The one parameter of the elimination algorithms."""

from mistakebound.core.params import Parameter

N = Parameter("n", "integer", None, at_least=1, optional=True, grid=(60, None), help="number of attributes, if known")
