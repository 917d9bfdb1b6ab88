# %% [markdown]
# # Halving and mistake trees
#
# If time does not matter there is a simple algorithm for every finite class: let all concepts that are still
# consistent vote. A mistake means that half of them at least were wrong, so there are at most log2 |C| mistakes.

# %%
import mistakebound as mb

learner = mb.Halving("monotone-disjunctions n=10 k=2")
print(learner.bound())

# %% [markdown]
# Is that the best? opt(C) is the best bound that any deterministic algorithm can have. It is the depth of the deepest
# complete *mistake tree*: an instance at every node, and below each label some concept that gives it.

# %%
found = mb.opt("monotone-disjunctions n=3 k=1")
print(found.value)
print(mb.plot.draw_tree(found.tree))

# %% [markdown]
# Whatever is predicted at a node, an adversary goes down the other branch. On the other hand, the *standard optimal
# algorithm* predicts the label that leaves the class with the larger opt, and makes no more mistakes than that.

# %%
C = mb.concepts.parse_class("monotone-disjunctions n=3 k=1")
mb.theory.worst_case(mb.learners.StandardOptimalAlgorithm(C), C).value

# %% [markdown]
# The VC dimension is at most opt: a shattered set is a mistake tree that shows the same instance at every node of a
# level. Thresholds show that it can be much smaller.

# %%
for m in (3, 7, 15):
    C = mb.concepts.Thresholds(m)
    print(m, "points: VC", mb.theory.vc_dimension(C), "opt", mb.opt(C), "halving", mb.theory.halving_worst_case(C))

# %% [markdown]
# A randomized learner can do better in expectation, by a factor of two at most.

# %%
str(mb.theory.randomized_opt("thresholds m=7")), mb.opt("thresholds m=7").value
