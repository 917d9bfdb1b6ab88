"""Bayes: from prior to posterior, one piece of evidence at a time; and EM for clusters of points, step by step."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from mistakebound.core.errors import BadParameter, shown
from mistakebound.theory.bayes.posterior import posterior

if TYPE_CHECKING:
    from mistakebound.lab.request import Request

_COINS = [Fraction(j, 10) for j in range(11)]  # probability of heads
_ILL = {"ill": {"+": Fraction(98, 100), "-": Fraction(2, 100)}, "well": {"+": Fraction(3, 100), "-": Fraction(97, 100)}}
PRIORS = {
    "coin": {
        "flat": ("all coins alike", [Fraction(1, 11)] * 11),
        "fair": ("probably fair", [Fraction(1, 40)] * 5 + [Fraction(30, 40)] + [Fraction(1, 40)] * 5),
        "bent": ("probably a trick coin", [Fraction(9, 20)] + [Fraction(1, 90)] * 9 + [Fraction(9, 20)]),
    },
    "test": {
        "rare": ("8 in 1000 are ill", [Fraction(8, 1000), Fraction(992, 1000)]),
        "common": ("1 in 5 is ill", [Fraction(1, 5), Fraction(4, 5)]),
    },
}
_SIGNS = {"coin": "HT", "test": "+-"}
_EVIDENCE = 60


def _chance(story: str, sign: str, hypothesis: Any) -> Fraction:
    if story == "coin":
        heads: Fraction = hypothesis
        return heads if sign == "H" else 1 - heads
    return _ILL[hypothesis][sign]


def believe(request: Request) -> dict[str, Any]:
    """The posterior after each piece of evidence, exactly, from the first on."""
    story = request.choice("story", PRIORS, "coin")
    prior_name = request.choice("prior", PRIORS[story], next(iter(PRIORS[story])))
    evidence = request.text("evidence", _EVIDENCE, "")
    if {*evidence} - {*_SIGNS[story]}:
        raise BadParameter(f"evidence must be made of {' and '.join(_SIGNS[story])}: {shown(evidence)}")
    hypotheses: list[Any] = _COINS if story == "coin" else list(_ILL)
    prior = PRIORS[story][prior_name][1]
    steps = []
    for length in range(len(evidence) + 1):
        request.check_time()
        seen = evidence[:length]
        try:
            found = posterior(hypotheses, prior, lambda sign, h: _chance(story, sign, h), seen)
        except BadParameter:
            raise BadParameter("no hypothesis can explain this evidence: take the last piece back") from None
        next_sign = sum((p * _chance(story, _SIGNS[story][0], h) for h, p in found), Fraction(0))
        steps.append(
            {
                "posterior": [float(p) for _, p in found],
                "map": hypotheses.index(found.map_hypothesis),
                "ml": hypotheses.index(found.ml_hypothesis) if seen else None,
                "next": float(next_sign),  # probability that the next sign is the first one
            }
        )
    return {
        "hypotheses": [str(h) if story == "test" else f"{float(h):g}" for h in hypotheses],
        "prior": [float(p) for p in prior],
        "priors": {name: words for name, (words, _) in PRIORS[story].items()},
        "signs": list(_SIGNS[story]),
        "steps": steps,
    }


def mixture(request: Request) -> dict[str, Any]:
    """EM for the means of k Gaussians: the means before the first step and after each, and whose each point is."""
    from mistakebound.learners.bayes.gaussian_means import GaussianMeans
    from mistakebound.learners.bayes.points import responsibilities

    k, seed = request.whole("k", 2, 4, 2), request.whole("seed", 0, 999_999, 1)
    spread = request.number("spread", 0.2, 3, 0.8)
    draw = random.Random(seed)
    centres = [2.0 + 4.0 * j for j in range(k)]
    points = [round(draw.gauss(centres[i % k], spread), 3) for i in range(15 * k)]
    begin = sorted(draw.sample(points, k))
    learner = GaussianMeans(k=k, variance=spread**2, max_iter=40, tol=1e-4).fit(points, start=[[m] for m in begin])
    steps = []
    likelihoods = [learner.run.start_log_likelihood, *learner.log_likelihoods]
    for means, likelihood in zip(learner.way, likelihoods, strict=True):
        request.check_time()
        steps.append(
            {
                "means": [float(mean[0]) for mean in means],
                "shares": responsibilities(learner.points, means, spread**2).round(4).tolist(),
                "log_likelihood": float(likelihood),
            }
        )
    return {"points": points, "variance": spread**2, "steps": steps, "stopped": learner.run.stopped}
