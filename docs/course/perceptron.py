# %% [markdown]
# # The perceptron
#
# A line separates the positive points from the negative ones. The perceptron keeps weights w and a bias b, predicts 1
# where w.x + b > 0, and after a mistake adds the instance to the weights, or subtracts it.

# %%
import mistakebound as mb

points = [([2.0, 1.0], 1), ([-1.0, 1.0], 0), ([1.0, -2.0], 0), ([1.0, 2.0], 1)]
learner = mb.Perceptron(labels=(0, 1))
ledger = mb.play(learner, points, trace=True)
print(ledger.trace)

# %% [markdown]
# **Theorem.** If some unit vector separates the instances (with a constant 1 appended) with margin g, and none is
# longer than R, there are at most (R/g)^2 mistakes, in any order and over any number of passes.
#
# The proof compares two numbers: the projection of w on the separating vector grows by g with every mistake, and the
# square of the length of w by at most R^2.

# %%
print(learner.bound(margin=0.5, radius=3))

# %% [markdown]
# So going over the data again and again ends, if they can be separated: one pass comes without a mistake.

# %%
conjunction = [([0, 0], 0), ([0, 1], 0), ([1, 0], 0), ([1, 1], 1)]
ledger = mb.arena.play_passes(mb.Perceptron(labels=(0, 1)), conjunction, max_passes=100)
ledger.passes, ledger.mistakes

# %% [markdown]
# If not, it never ends.

# %%
exclusive = [([0, 0], 0), ([0, 1], 1), ([1, 0], 1), ([1, 1], 0)]
mb.arena.play_passes(mb.Perceptron(labels=(0, 1)), exclusive, max_passes=100).passes

# %% [markdown]
# Compared with Winnow: the perceptron adds, Winnow multiplies. With few relevant attributes among many, multiplying
# wins.

# %%
for name, learner in (("perceptron", mb.Perceptron(labels=(0, 1))), ("winnow", mb.Winnow1(n=500, labels=(0, 1)))):
    print(name, mb.play(learner, mb.teachers.RandomTarget("x3 | x17", n=500, trials=1000, seed=1)).mistakes)
