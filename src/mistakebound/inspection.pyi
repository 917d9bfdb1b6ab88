from mistakebound.model.find_rule import find_rule as find_rule
from mistakebound.report.explanation import explain_one as explain_one
from mistakebound.report.inductive_bias import InductiveBias as InductiveBias
from mistakebound.report.latex import to_latex as to_latex
from mistakebound.report.learner_table import compare_methods as compare_methods
