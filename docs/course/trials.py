# %% [markdown]
# # Trials
#
# A program learns when it gets better at a task with experience. Here the task is to predict labels, the experience
# is a stream of examples, and the measure is the number of wrong predictions. Everything happens in *trials*:
#
# 1. the learner is shown an instance,
# 2. it predicts the label,
# 3. it hears the right label, and may change its mind.
#
# A *target* is the function that gives the right labels. The learner does not see it.

# %%
import mistakebound as mb

target = mb.concepts.parse("x1 | x3")
target([1, 0, 0]), target([0, 1, 0])

# %% [markdown]
# `mb.play` runs the trials and counts. A learner never counts its own mistakes: the *ledger* does.

# %%
learner = mb.Winnow1(n=3, labels=(0, 1))
examples = [([1, 0, 0], 1), ([0, 1, 0], 0), ([1, 0, 0], 1), ([0, 0, 1], 1), ([0, 0, 1], 1)]
ledger = mb.play(learner, examples, assume={"k": 2}, trace=True)
print(ledger.trials, "trials,", ledger.mistakes, "mistakes")

# %% [markdown]
# With `trace=True` the ledger keeps every trial: what was shown, said and learned.

# %%
print(ledger.trace)

# %% [markdown]
# What the learner would predict next is its *hypothesis*, a function like the target.

# %%
print(learner.hypothesis)
[learner.hypothesis(x) for x in ([1, 0, 0], [0, 1, 0])]

# %% [markdown]
# A teacher may also draw instances at random, or be an adversary who picks the worst label that some target of a
# class still allows. An adversary forces a mistake in every trial for as long as the theory says that anyone can.

# %%
adversary = mb.teachers.MistakeTreeAdversary(mb.concepts.parse_class("conjunctions n=4"))
learner = mb.learners.ConjunctionElimination(n=4, labels=(0, 1))
ledger = mb.play(learner, adversary)
ledger.mistakes, adversary.forces
