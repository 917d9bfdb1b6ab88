# %% [markdown]
# # Units and networks
#
# A unit with a threshold weighs its inputs and says 1 when the sum is large enough. It draws a line (a hyperplane)
# through the space of instances. What lies on two sides of a line it can learn; what does not it cannot even say.

# %%
import mistakebound as mb

square = [[0, 0], [0, 1], [1, 0], [1, 1]]
print(mb.theory.linearly_separable(square, [0, 0, 0, 1]))
print(mb.theory.linearly_separable(square, [0, 1, 1, 0]))

# %% [markdown]
# The second answer is a proof: a point that is an average of instances of either label lies on both sides.
#
# A **linear unit** without a threshold can be trained by *gradient descent*: the squared error is a bowl over the
# weights, and every step goes downhill. On all examples at once, or after every single one.

# %%
unit = mb.learners.LinearUnit(rule="gradient", eta=0.05)
unit.fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0], epochs=500)
print(unit.hypothesis)

# %% [markdown]
# A **sigmoid unit** has a smooth threshold, so that its error has a gradient too.

# %%
unit = mb.learners.SigmoidUnit(loss="likelihood", eta=0.5).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1], epochs=500)
print([round(float(o), 2) for o in unit.outputs([[0.0], [1.5], [3.0]])[:, 0]])

# %% [markdown]
# Units in layers can say everything. *Backpropagation* passes the error of the outputs back through the layers, and
# each unit takes its share of the blame.

# %%
network = mb.learners.Network([2, 3, 1], eta=0.5, momentum=0.9, start=0.5, random_state=1)
network.fit(square, [0, 1, 1, 0], epochs=2000)
print(network.hypothesis, list(map(int, network.predict_many(square))))

# %% [markdown]
# No training is needed to see that two layers are enough for any Boolean function: a hidden unit for every instance
# that is labelled 1, and an output that joins them.

# %%
built = mb.learners.Network.for_function(lambda a, b: int(a != b), 2)
list(map(int, built.predict_many(square)))
