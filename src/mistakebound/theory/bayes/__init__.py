"""Bayes' theorem over finitely many hypotheses, exactly (Mitchell 1997, chapter 6); `mb.bayes` lists the names."""
