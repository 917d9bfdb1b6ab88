"""Features from features: conjunctions, negations, reductions, standardized numbers."""
