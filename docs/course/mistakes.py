# %% [markdown]
# # The mistake-bound model
#
# No distribution now: instances may come in any order, chosen by an enemy. What can be promised is a limit on the
# number of mistakes, over any sequence whatever, if the target belongs to a class.
#
# **Conjunctions.** Begin with the conjunction of all literals and their negations, which is never true. It errs only
# on positive examples, and then the literals that are false in the example are struck out.

# %%
import mistakebound as mb

learner = mb.learners.ConjunctionElimination(n=4, labels=(0, 1))
for x in ([1, 0, 0, 1], [1, 1, 0, 1]):
    learner.learn_one(x, 1)
    print(x, learner.hypothesis)

# %% [markdown]
# The first mistake removes n of the 2n literals, every other one at least one, and the literals of the target stay.
# So there are at most n + 1 mistakes, and fewer for a target with many literals.

# %%
print(learner.bound(), learner.bound(literals=2))

# %% [markdown]
# The bound cannot be improved, by no algorithm: an adversary forces n + 1 mistakes.

# %%
adversary = mb.teachers.MistakeTreeAdversary(mb.concepts.Conjunctions(4))
mb.play(mb.learners.ConjunctionElimination(n=4, labels=(0, 1)), adversary).mistakes

# %% [markdown]
# **Decision lists** (if ... then ... else if ...) are learned by a list of sets of rules: a rule that was wrong moves
# one set further down. No rule of the target ever moves below its place.

# %%
learner = mb.learners.DecisionListLearner(n=2, labels=(0, 1))
target = mb.concepts.parse("if x1 then 0 else if ~x2 then 1 else 0")
ledger = mb.play(learner, [(x, target(x)) for x in ([0, 1], [0, 0], [1, 1], [1, 0], [0, 1], [0, 0])])
print(ledger.mistakes, "mistakes;", learner.hypothesis)

# %% [markdown]
# **Equivalence queries.** A learner that may ask "is this the target?", and is shown an instance where it is not,
# needs one query more than its mistake bound.

# %%
C = mb.concepts.MonotoneDisjunctions(6)
mb.arena.identify(
    mb.arena.AsQueryLearner(mb.Halving(C)), mb.teachers.EquivalenceOracle(mb.concepts.parse("x2 | x5"), C)
)
