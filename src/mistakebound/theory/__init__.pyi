from mistakebound.core.theorem import Bound as Bound
from mistakebound.core.theorem import Theorem as Theorem
from mistakebound.theory.bias_check import check_inductive_bias as check_inductive_bias
from mistakebound.theory.bias_check import negative_unless_entailed as negative_unless_entailed
from mistakebound.theory.class_survey import survey_classes as survey_classes
from mistakebound.theory.dimensions.multiclass import multiclass_opt as multiclass_opt
from mistakebound.theory.dimensions.randomized import randomized_opt as randomized_opt
from mistakebound.theory.dimensions.recursive_teaching import (
    recursive_teaching_dimension as recursive_teaching_dimension,
)
from mistakebound.theory.dimensions.regret import agnostic_regret as agnostic_regret
from mistakebound.theory.halving_mistakes import halving_worst_case as halving_worst_case
from mistakebound.theory.learner_mistakes import worst_case as worst_case
from mistakebound.theory.littlestone import littlestone_dimension as littlestone_dimension
from mistakebound.theory.littlestone import lower_bounds as lower_bounds
from mistakebound.theory.littlestone import opt as opt
from mistakebound.theory.pac import error_interval as error_interval
from mistakebound.theory.pac import is_epsilon_exhausted as is_epsilon_exhausted
from mistakebound.theory.pac import least_training_error as least_training_error
from mistakebound.theory.pac import overfits as overfits
from mistakebound.theory.pac import training_error as training_error
from mistakebound.theory.pac import true_error as true_error
from mistakebound.theory.proper_learning import properness as properness
from mistakebound.theory.queries import query_depth as query_depth
from mistakebound.theory.sample_bounds import exhaustion_bound as exhaustion_bound
from mistakebound.theory.sample_bounds import sample_size as sample_size
from mistakebound.theory.separability import linearly_separable as linearly_separable
from mistakebound.theory.teaching import teaching_dimension as teaching_dimension
from mistakebound.theory.vc import dichotomies as dichotomies
from mistakebound.theory.vc import shatters as shatters
from mistakebound.theory.vc import vc_dimension as vc_dimension
