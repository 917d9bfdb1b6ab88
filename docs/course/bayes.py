# %% [markdown]
# # Bayesian learning
#
# Before the data every hypothesis has a prior probability. Bayes' rule turns it into the posterior:
# P(h | D) = P(D | h) P(h) / P(D).

# %%
from fractions import Fraction

import mistakebound as mb

coins = {"fair": Fraction(1, 2), "bent": Fraction(3, 4)}
found = mb.bayes.posterior(
    list(coins), [Fraction(9, 10), Fraction(1, 10)], lambda toss, h: coins[h] if toss == "H" else 1 - coins[h], "HHHHH"
)
{h: str(p) for h, p in found}

# %% [markdown]
# The *maximum a posteriori* hypothesis (MAP) has the largest posterior; the *maximum likelihood* hypothesis explains
# the data best and ignores the prior.

# %%
print(found.map_hypothesis, found.ml_hypothesis)

# %% [markdown]
# If labels have no noise and the prior is uniform, the posterior is uniform on the version space: every consistent
# hypothesis is a MAP hypothesis. So candidate elimination is Bayesian learning in disguise.

# %%
space = mb.bayes.posterior(mb.concepts.MonotoneConjunctions(3), None, None, [((1, 1, 0), 1), ((0, 1, 1), 0)])
[(str(h), str(p)) for h, p in space if p]

# %% [markdown]
# The best prediction is not that of the best hypothesis: all hypotheses vote with their posteriors (*Bayes optimal*).
# To draw one hypothesis from the posterior and follow it (*Gibbs*) errs at most twice as often, in expectation.

# %%
space.classify((1, 0, 1))

# %% [markdown]
# **Naive Bayes** supposes that the attributes are independent once the label is known. Then all that must be counted
# is how often each value comes with each label.

# %%
learner = mb.NaiveBayes(m=0)
for sky, wind, label in [("sunny", "weak", "yes"), ("sunny", "strong", "no"), ("rainy", "weak", "yes")]:
    learner.learn_one({"sky": sky, "wind": wind}, label)
{label: round(p, 3) for label, p in learner.predict_proba_one({"sky": "sunny", "wind": "weak"}).items()}
