# %% [markdown]
# # Winnow
#
# A target depends on k attributes, but n are there, and n is large. Halving would make about k log n mistakes but
# takes far too long; elimination is fast but makes up to n mistakes. **Winnow** is fast and makes O(k log n)
# mistakes.
#
# All weights start at 1. The prediction is 1 where the weights of the active attributes sum to more than the
# threshold. A false negative doubles them. A false positive sets them to 0 (Winnow1), or halves them (Winnow2).

# %%
import mistakebound as mb

learner = mb.Winnow1(n=1000)
print(learner.bound(k=5))
mb.learners.DisjunctionElimination(n=1000).bound()

# %% [markdown]
# Why so few? A promotion doubles the weight of a relevant attribute, which is never eliminated, and no weight grows
# beyond twice the threshold: k log2(2n) promotions at most. An elimination takes at least n out of the sum of all
# weights, and a promotion puts at most n into it: so there is about one elimination for each promotion.
#
# These steps are lemmas, and they can be checked while the game goes on.

# %%
target = mb.teachers.RandomTarget("x3 | x17", n=1000, trials=2000, seed=1)
ledger = mb.play(mb.Winnow1(n=1000, labels=(0, 1)), target, assume={"k": 2}, lemmas=True)
print(ledger.mistakes, "of at most", ledger.bound.mistakes, "mistakes;", len(ledger.lemma_failures), "lemmas failed")

# %% [markdown]
# The number of mistakes grows with the logarithm of n.

# %%
for n in (100, 1000, 10000):
    played = mb.play(
        mb.Winnow1(n=n, labels=(0, 1)), mb.teachers.RandomTarget("x3 | x17", n=n, trials=500, density=0.01, seed=1)
    )
    print(n, played.mistakes, mb.Winnow1(n=n).bound(k=2).mistakes)

# %% [markdown]
# **Winnow2** divides instead of eliminating, so that a wrong label can be made good, and it learns more: "at least r
# of k attributes". The separation delta of the target sets its factor.

# %%
learner = mb.Winnow2(delta=0.5, n=200, labels=(0, 1))
print(learner.bound(r=2, k=5))
mb.play(learner, mb.teachers.RandomTarget("2 of (x1, x5, x9, x20, x33)", n=200, trials=1000, seed=2)).mistakes
