# %% [markdown]
# # How many examples are enough?
#
# Suppose that instances come independently from some distribution, the same for learning and for later. The *true
# error* of a hypothesis is the probability of an instance on which it differs from the target.

# %%
from itertools import product

import mistakebound as mb

mb.theory.true_error("x1 | x2", "x1", product((0, 1), repeat=3))

# %% [markdown]
# A hypothesis with a large true error is unlikely to agree with many examples by chance. With |H| hypotheses,
# (ln |H| + ln 1/delta)/epsilon examples are enough for *all* bad ones to be found out, with probability 1 - delta.

# %%
[(n, mb.sample_size(3**n, 0.1, 0.05)) for n in (10, 20, 40)]

# %% [markdown]
# The number grows with the logarithm of the size of the class: with the number of bits that it takes to name a
# hypothesis. If no hypothesis need be right (*agnostic* learning) it takes about 1/epsilon times as many.

# %%
mb.sample_size(3**10, 0.1, 0.05), mb.sample_size(3**10, 0.1, 0.05, form="agnostic")

# %% [markdown]
# For infinite classes the size is replaced by the **VC dimension**: the size of the largest set of instances that the
# class *shatters*, that is, labels in all ways.

# %%
half_planes = "half-spaces d=2"
print(mb.theory.shatters(half_planes, [(0, 0), (1, 0), (0, 1)]))
print(mb.theory.shatters(half_planes, [(0, 0), (1, 0), (0, 1), (1, 1)]))
print(mb.sample_size(vc=3, epsilon=0.1, delta=0.05))

# %% [markdown]
# For finite classes the dimension can be computed, with a shattered set as the witness.

# %%
found = mb.theory.vc_dimension("intervals m=8")
print(found, found.shattered, found.verify())
