"""Where things stand in the arrays of `auto`, and its limits; `_auto_fields.pxd` has the same numbers for the compiler.

`features` and what is before it are of the inputs, which all labels share; `singles` and what follows are of one lane.
"""

MEMBERS = 14
(
    AROW_ONE, COIN, PA_ONE, UNIT, FAST, SLOW, BAYES, BAYES_COUNTS, AROW_TRIPLES, COIN_PAIRS, COIN_TRIPLES,
    FULL_PRODUCTS, FULL_ONE, FULL_TEN,
) = range(MEMBERS)  # fmt: skip

# Places in the counts of the inputs.
COUNTS = 12
ROW, TRIALS, SINGLES, SAMPLES, NOMINALS, PAIRS, TRIPLES = range(7)
FULLS, PLACES = 7, 8  # in use of the covariances of the last two members, and of that with products
NUMBERED = 9  # numbers that have been standardised; above WAVED they are no longer counted
FIRST_WAVE, WAVING = 10, 11  # 1 + the place of the first wave in the covariance with products, how many there are

# Fields of an attribute, by its number.
ATTRIBUTE = 8
A_COUNT, A_MEAN = 0, 1
A_SQUARES = 2  # sum of squared distances from the mean
A_SIZE = 3  # mean square
A_NUMERIC = 4  # 1: it has had another value than 0 and 1
A_FEATURE = 5  # 1 + its feature
A_BINS = 6  # 1 + the first of its 24 bins
A_SAMPLE = 7  # 1 + its place in `samples`

# Fields of the sample of a number; before the cuts stands how many there are.
KEPT = 256
S_KEPT, S_STRIDE, S_SEEN, S_NEXT, S_VALUES, S_EIGHT, S_SIXTEEN, SAMPLE = 0, 1, 2, 3, 4, 260, 268, 284
BINS = 24  # eight, then sixteen

# Fields of a feature (the first is the constant 1): 1 + its number among nominal ones, its place in the covariances of
# the last two members and in that with products, its number among standardised numbers.
FEATURE = 4
F_NOMINAL, F_FULL, F_PRODUCT, F_NUMBER = range(FEATURE)

# What is kept of each row of a batch, beside its features.
RECORD = 11
R_ENTRIES, R_UNITS, R_PAIRS, R_TRIPLES, R_KNOWN, R_TRIALS = range(6)
R_PLACES_BEFORE, R_PLACES, R_FULLS_BEFORE, R_FULLS, R_EVENTS = range(6, RECORD)
BATCH = 128  # rows that become features before the lanes play them, at most

# Limits.
WIDE = 48  # nominal features of a row that make pairs, at most
NOMINAL = 1000  # nominal features altogether, above which there are no pairs
MANY_PAIRS = WIDE * (WIDE - 1) // 2
NARROW = 12  # nominal features of a row that make triples, at most
FEW = 128  # nominal features altogether, above which there are no triples
MANY_TRIPLES = NARROW * (NARROW - 1) * (NARROW - 2) // 6
FULL = 300  # features of the members with full covariance
NUMBERS = 22  # standardised numbers of a row that make products, at most
PRODUCTS = NUMBERS * (NUMBERS + 1) // 2
WAVES = 128  # at most
WAVED = 64  # standardised numbers altogether, above which there are no waves
CALM = 16  # trials before waves take their places: products come first
BINNED = 4096  # numbers that have bins, at most
TRIANGLE = FULL * (FULL + 1) // 2  # a symmetric matrix: of a row what is left of the diagonal, and that

# What a feature of a row is for.
FOR_PLAIN = 1  # flags and standardised numbers
FOR_NOMINAL = 2
FOR_FULL = 4
FOR_COUNTS = 8
FOR_PRODUCTS = 16  # standardised

# Fields that the members of a lane keep of a feature.  AROW: weight, what is spent of the variance, and where it
# forgets the trial of the last update.  A coin: sum of gradients, of their sizes, wealth, largest size
# (kernels/_coins.py), and the weight that it makes.
SINGLE = 32
W_AROW_ONE, W_PA_ONE, W_FAST, W_SLOW, W_COIN = 0, 2, 3, 6, 9
W_BAYES = 14  # rows of label 0 and of label 1
W_COUNTS = 16  # sums of values
W_UNIT, W_AROW_TRIPLES, W_COIN_PAIRS, W_COIN_TRIPLES = 18, 20, 22, 27
COIN_WEIGHT = 4  # where the weight of a coin stands, from its beginning

# Fields of a pair and of a triple.
PAIR = 12
P_AROW, P_COIN_PAIRS, P_COIN_TRIPLES = 0, 2, 7
TRIPLE = 7
T_AROW, T_COIN = 0, 2

# A member's calibration (kernels/calibration.py): 33 cells by label, then mean size, rows, next fit, 33 logits.
CELLS = 33
T_MEAN, T_ROWS, T_NEXT, T_CURVE, TABLE = 66, 67, 68, 69, 102

# The mixture: a share for each member and one for "nothing", then V, the rows of either label and their sums of values,
# the smallest weight of a mistake (0: there was none) and the largest weight of a trial (at least 1), and the sum of
# what each member adds to the logit, by size, since the race began.
M_V, M_ROWS, M_SUMS, M_LEAST, M_MOST, M_RACE, MIXTURE = 15, 16, 18, 20, 21, 22, 36

# Shares over time: (trial, shares) at trials that lie further and further apart.
HISTORY = 400
MOMENT = MEMBERS + 2

# Places in the counts of a lane.
LANE = 4
ASLEEP = 0  # a bit for each member that sleeps
CAUSES = 1  # why members sleep: bits
MOMENTS, NEXT_MOMENT = 2, 3
WIDE_ROWS, NO_PAIRS, LOST, NO_TRIPLES, MANY_LABELS = 1, 2, 4, 8, 16

# Members, by bits.
EVERYBODY = (1 << MEMBERS) - 1
FULL_BITS = 7 << FULL_PRODUCTS
TRIPLE_COINS = 1 << COIN_TRIPLES  # without triples it is COIN_PAIRS once more,
TWICE = TRIPLE_COINS | 1 << COIN_PAIRS  # and without pairs both are COIN
TRIPLE_BITS = TRIPLE_COINS | 1 << AROW_TRIPLES
PAIR_BITS = TRIPLE_BITS | TWICE
RACERS = PAIR_BITS | FULL_BITS  # the others cost little, and may be needed when the stream changes
CROWD = RACERS & ~(1 << FULL_TEN)  # what many labels cannot afford
RACE = 4096  # the first race ends after so many trials, each further one when they have doubled
EARLY = 255  # a stream without a pair so far is taken to have none
