# %% [markdown]
# # Decision trees
#
# A decision tree asks one attribute after the other until it knows the label. Any function of attributes with
# finitely many values can be written as one; the question is which tree to prefer.

# %%
import mistakebound as mb

table = [
    {"fever": "yes", "cough": "yes", "ill": "yes"},
    {"fever": "yes", "cough": "no", "ill": "yes"},
    {"fever": "no", "cough": "yes", "ill": "yes"},
    {"fever": "no", "cough": "no", "ill": "no"},
    {"fever": "no", "cough": "no", "ill": "no"},
    {"fever": "no", "cough": "yes", "ill": "no"},
]
tree = mb.DecisionTree().fit(table, "ill")
print(mb.plot.draw_decision_tree(tree))

# %% [markdown]
# The usual way is greedy: test the attribute that tells most about the label. How much it tells is measured in bits.
# The *entropy* of a set of examples is the number of bits per label that a good code needs; the *information gain* of
# a test is by how much the test lowers it on average.

# %%
print(mb.learners.entropy([3, 3]), mb.learners.entropy([1, 5]))
{name: round(mb.learners.information_gain(table, name, "ill"), 3) for name in ("fever", "cough")}

# %% [markdown]
# Gain likes attributes with many values: a number that is different in every row separates everything and predicts
# nothing. The *gain ratio* divides by the entropy of the split itself.

# %%
numbered = [{**row, "number": str(place)} for place, row in enumerate(table)]
for measure in (mb.learners.information_gain, mb.learners.gain_ratio):
    print(measure.__name__, {name: round(measure(numbered, name, "ill"), 3) for name in ("fever", "number")})

# %% [markdown]
# The greedy tree is not always the smallest. To find the smallest one is hard in general; for small tables it can be
# done.

# %%
rows = [{"a": a, "b": b, "c": c} for a in "01" for b in "01" for c in "01"]
print(mb.learners.shortest_tree(rows, [int(row["a"] != row["b"]) for row in rows]))

# %% [markdown]
# A tree and a formula in disjunctive normal form say the same thing: every path to a leaf 1 is a conjunction.

# %%
print(mb.DecisionTree.of_formula(mb.concepts.parse("(x1 & x2) | (~x1 & ~x3)")).dnf())
