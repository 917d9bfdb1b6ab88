"""Pictures: of trees, games, lattices, networks, mixtures and the perceptron's weights."""

from mistakebound.core.lazy import public as _public

__getattr__, __dir__, __all__ = _public(
    __name__,
    {
        "report.decision_tree": "draw_decision_tree",
        "report.drawing": "draw_game draw_tree",
        "report.lattice": "draw_lattice",
        "report.mixture": "draw_means",
        "report.network_pictures": "draw_boundary draw_code draw_hidden_weights draw_training",
        "report.perceptron_strip": "draw_perceptron_strip",
        "report.theory_pictures": "draw_entropy_curve draw_shattering draw_survey draw_unit draw_weights_and_threshold",
    },
)
