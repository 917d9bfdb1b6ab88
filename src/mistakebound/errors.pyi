from mistakebound.core.errors import BadData as BadData
from mistakebound.core.errors import BadModel as BadModel
from mistakebound.core.errors import BadParameter as BadParameter
from mistakebound.core.errors import Diverged as Diverged
from mistakebound.core.errors import HuntError as HuntError
from mistakebound.core.errors import LearnerBusy as LearnerBusy
from mistakebound.core.errors import MistakeboundError as MistakeboundError
from mistakebound.core.errors import NoConsistentHypothesis as NoConsistentHypothesis
