# %% [markdown]
# # Concept learning
#
# A *concept* is a set of instances, or the function that is 1 on them. Learning it from examples is a search among
# *hypotheses*. When hypotheses are conjunctions of constraints on attributes, they can be ordered: one is more
# general than another when it covers all that the other covers.

# %%
import mistakebound as mb

attributes = {"sky": ["dry", "wet"], "wind": ["calm", "strong"], "water": ["warm", "cold"]}
C = mb.concepts.AttributeConjunctions(attributes)
C.count(), C.domain_size()

# %% [markdown]
# **Find-S** keeps the most specific hypothesis that covers all positive examples, and pays no attention to negative
# ones.

# %%
find_s = mb.learners.FindS(attributes)
for day, label in [(("dry", "calm", "warm"), 1), (("dry", "strong", "warm"), 1), (("wet", "calm", "cold"), 0)]:
    find_s.learn_one(list(day), label)
    print(day, label, find_s.hypothesis)

# %% [markdown]
# The **version space** holds every hypothesis that agrees with all examples. Candidate elimination keeps its two
# boundaries: S, the most specific ones, and G, the most general ones. Everything between them is in it too.

# %%
learner = mb.learners.CandidateElimination(attributes)
learner.learn_one(["dry", "calm", "warm"], 1)
learner.learn_one(["wet", "calm", "cold"], 0)
print(mb.plot.draw_lattice(learner.version_space))

# %% [markdown]
# Where all hypotheses agree the answer is certain, if the target is a conjunction at all. Elsewhere they vote, and a
# good question is one that splits them in halves.

# %%
space = learner.version_space
print(space.vote(["dry", "strong", "warm"]), space.best_query())

# %% [markdown]
# Without the assumption that the target is a conjunction nothing could be said about new instances: for every
# function that agrees with the examples there is one that says the opposite. This assumption is the *inductive bias*.

# %%
rote = mb.learners.RoteLearner()
rote.learn_one(["dry", "calm", "warm"], 1)
print(rote.predict_one(["dry", "calm", "warm"]), rote.predict_one(["dry", "calm", "cold"]))
