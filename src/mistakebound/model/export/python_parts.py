"""The code of exported Python modules: fixed parts, of which a model's file has those that it needs."""

from __future__ import annotations

CELLS = '''

def _text(value):
    """A cell as a text; None where it is missing."""
    if value is None or value != value:
        return None
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, float) and value == math.floor(value) and abs(value) < 2.0**53:
        value = int(value)
    text = value.isoformat() if hasattr(value, "isoformat") else str(value).strip(" \\t")
    return None if text.lower() in MISSING else text


def _number(column, value, mark):
    """A cell as a number; None where it is missing."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        number = float(value)
        if number != number:
            return None
    else:
        text = _text(value)
        if text is None:
            return None
        if mark:
            text = _undressed(text, mark)
        if not _DECIMAL.fullmatch(text):
            raise ValueError(f"{value!r} in the column {column!r} is not a number")
        number = float(text)
    if math.isinf(number):
        raise ValueError(f"{value!r} in the column {column!r} is not a finite number")
    return number


_DECIMAL = re.compile(r"[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?")


def cells(row):
    """Texts and numbers by column; what is missing is left out."""
    found = {}
    for name, kind, more in COLUMNS:
        value = row.get(name)
        if kind == "nominal":
            found[name] = _text(value)
        elif kind == "moment":
            text = _text(value)
            for part in ("hour",) if more == "clock" else ("month", "weekday", "hour"):
                found[f"{name} {part}"] = None if text is None else _part(name, text, more, part) or None
        elif kind == "bins":
            number = _number(name, value, more[2])
            found[name] = None if number is None else more[1][bisect.bisect_left(more[0], number)]
        else:
            found[name] = _number(name, value, more)
    return {name: value for name, value in found.items() if value is not None}
'''

UNDRESSED = '''

def _undressed(text, mark):
    """A number with its unit and marks between thousands as plain digits."""
    if not re.match(DRESSED[mark], text):
        return text.replace(".", "!") if mark == "," else text
    bare = re.sub(r"[^0-9.,+-]", "", text).replace("," if mark == "." else ".", "").replace(mark, ".")
    return ("-" if "(" in text else "") + bare
'''

MOMENTS = '''

_CLOCK = r"(?P<hour>\\d{1,2}):(?P<minute>\\d{2})(:\\d{2}([.,]\\d+)?)?\\s*(?P<half>[AaPp][Mm])?\\s*"
_MOMENT = re.compile(
    r"((?P<one>\\d{1,4})[-/.](?P<two>\\d{1,2})[-/.](?P<three>\\d{1,4})([ T]+|$))?("
    + _CLOCK + r"(Z|[A-Z]{3}|[-+]\\d{2}:?\\d{2})?)?"
)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_NAME = f"(?P<name>{'|'.join(_MONTHS)})[a-z]*"
_NAMED = {
    "dby": rf"(?P<day>\\d{{1,2}})[-/. ]+{_NAME}[-/. ,]+(?P<year>\\d{{4}}|\\d{{2}})",
    "bdy": rf"{_NAME}[-. ]+(?P<day>\\d{{1,2}})(st|nd|rd|th)?,? +(?P<year>\\d{{4}})",
}


def _match(cell, order):
    if order not in _NAMED:
        return _MOMENT.fullmatch(cell)
    day = "((mon|tue|wed|thu|fri|sat|sun)[a-z]*,? +)?"
    clock = f"([ T:]+|$)({_CLOCK}(Z|[A-Z]{{3}}|[-+]\\\\d{{2}}:?\\\\d{{2}})?)?"
    return re.fullmatch(day + _NAMED[order] + clock, cell, re.IGNORECASE)


def _part(column, cell, order, part):
    """The month, the day of the week or the hour of a date; "" where it has none."""
    match = _match(cell, order)
    if match is None or (order not in _NAMED and (match["one"] is None) != (order == "clock")):
        raise ValueError(f"{cell!r} in the column {column!r} is not a date as those that were learned")
    if part == "hour":
        if match["hour"] is None:
            return ""
        hour = int(match["hour"])
        hour = hour % 12 + 12 * (match["half"].lower() == "pm") if match["half"] else hour
        if hour > 23:
            raise ValueError(f"{cell!r} in the column {column!r} is not a time of day")
        return str(hour)
    if order in _NAMED:
        year, month, day = match["year"], 1 + _MONTHS.index(match["name"].lower()), match["day"]
    else:
        parts = match["one"], match["two"], match["three"]
        year, month, day = (parts[order.index(letter)] for letter in "ymd")
    if len(year) not in (2, 4):
        raise ValueError(f"{cell!r} in the column {column!r} is not a date as those that were learned")
    date = datetime.date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    if part == "month":
        return str(date.month)
    return ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[date.weekday()]
'''

TABLE_ATTRIBUTES = '''

def attributes(row):
    """The attributes of a row of the table, a mapping from columns to cells, with their values."""
    found = {}
    for name, value in cells(row).items():
        if isinstance(value, str):
            found[value if name in BINNED else f"{name}={value}"] = 1.0
        else:
            found[name] = value
    return found
'''

PLAIN_ATTRIBUTES = '''

def attributes(row):
    """The attributes of a row: a mapping from names to numbers, or the names that are 1."""
    named = row.items() if hasattr(row, "items") else ((name, 1.0) for name in row)
    return {str(name): float(value) for name, value in named if value is not None}
'''

TEXT_ATTRIBUTES = '''

def attributes(row):
    """The words of a text, and runs of them."""
    words = re.findall(PATTERN, row if KEEP_CASE else row.lower())
    found = dict.fromkeys(words, 1.0)
    for length in range(2, NGRAMS + 1):
        found.update(dict.fromkeys(map(" ".join, zip(*(words[k:] for k in range(length)))), 1.0))
    return found
'''

JSON_ATTRIBUTES = '''

def _take(row, outer, found, numbers):
    for key, value in row.items():
        name = outer + key
        if name in LEFT_OUT or any(fnmatch.fnmatchcase(name, pattern) for pattern in IGNORED):
            continue
        if isinstance(value, dict):
            _take(value, f"{name}.", found, numbers)
        elif isinstance(value, (list, tuple)):
            own = {}
            for item in value:
                if isinstance(item, dict):
                    inside = {}
                    _take(item, f"{name}.", inside, numbers)
                    for member, amount in inside.items():
                        own[member] = own.get(member, 0.0) + amount if member in numbers else amount
                elif item is not None and _text(item) not in ("", "?"):
                    own[f"{name}={_text(item)}"] = 1.0
            found.update(own)
        elif isinstance(value, (int, float)) and not isinstance(value, bool) and name not in NOMINAL:
            found[name] = float(value)
            numbers.add(name)
        elif value is not None and _text(value) not in ("", "?"):
            if name in NUMERIC:
                found[name] = float(value)
                numbers.add(name)
            elif name in DATES and isinstance(value, str):
                for part in ("hour",) if DATES[name] == "clock" else ("month", "weekday", "hour"):
                    if text := _part(name, value.strip(), DATES[name], part):
                        found[f"{name} {part}={text}"] = 1.0
            else:
                found[f"{name}={_text(value)}"] = 1.0


def _text(value):
    return ("true" if value else "false") if isinstance(value, bool) else str(value).strip()


def attributes(row):
    """The attributes of an object: numbers by name, a text as name=text, lists as sets."""
    found, numbers = {}, set()
    _take(row, "", found, numbers)
    return {
        BINS[name][1][bisect.bisect_left(BINS[name][0], value)] if name in numbers and name in BINS else name:
        1.0 if name in numbers and name in BINS else value
        for name, value in found.items()
    }
'''

HASHED = '''

def _bucket(name):
    data, all64 = name.encode("utf-8", "surrogatepass"), (1 << 64) - 1
    if name.isascii() and name.isdecimal() and len(name) < 20 and str(int(name)) == name and int(name) < 1 << 63:
        x = int(name) ^ 1 << 63
    else:
        x = 0xCBF29CE484222325
        for byte in data:
            x = (x ^ byte) * 0x100000001B3 & all64
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        x = (x ^ x >> 33) * factor & all64
    return str(((x ^ x >> 33) >> 64 - HASH) + 1)


def _hashed(x):
    """Names become buckets: values that meet in one are added; in a row of ones and zeros they are one."""
    found, flags = {}, all(value in (0.0, 1.0) for value in x.values())
    for name, value in x.items():
        bucket = _bucket(name)
        before = found.get(bucket, 0.0)
        found[bucket] = max(before, value) if flags else before + value
    return found
'''

STANDARDIZED = '''

def _standardized(x):
    """(value - mean)/deviation of the values that an attribute has had, this one among them."""
    found = {}
    for name, value in x.items():
        if name in TALLIES:
            many, mean, squares = TALLIES[name]
            far = value - mean
            mean += far / (many + 1)
            squares += far * (value - mean)
            if squares > 0:
                found[name] = (value - mean) / math.sqrt(squares / (many + 1))
            else:
                found[name] = 1.0 if value == 1 else 0.0
    return found
'''

CUT = '''

def _cut(x):
    """Numbers and the bins in which they are."""
    found = dict(x)
    for name, value in x.items():
        for names, cuts in CUTS.get(name, ()):
            found[names[bisect.bisect_right(cuts, value)]] = 1.0
    return found
'''

SCALED = '''

def _scaled(x):
    """Numbers less their mean, in units of their deviation."""
    found = {}
    for name, value in x.items():
        centre, size, limit = SCALES.get(name, (0.0, 1.0, math.inf))
        found[name] = max(-limit, min(limit, (value - centre) / size))
    return found
'''

EXPANDED = '''

def _expanded(x):
    """Conjunctions of up to CROSS attributes; where NEGATED has names, of their literals."""
    literals = {(name, False): value for name, value in x.items()}
    if NEGATED:
        known, new = set(NEGATED), iter(name for name in NEGATED if name.startswith("unseen "))
        literals = {((name if name in known else next(new, name)), False): value for name, value in x.items()}
        literals |= {(name, True): 1.0 for name in NEGATED if (name, False) not in literals}
    found = {}
    for size in range(1, CROSS + 1):
        for some in itertools.combinations(sorted(literals), size):
            found[some] = math.prod(literals[literal] for literal in some)
    return found
'''

PLAIN_SUM = """

def _plain_sum(numbers):
    total = 0.0
    for number in numbers:
        total += number
    return total
"""

SCORES = '''

def scores(x):
    """The sum of each output for attributes with their values."""
    if not ZEROS:
        x = {name: value for name, value in x.items() if value}
{steps}    sums, new = [[bias] for bias in BIASES], 0
    for name, value in x.items():
        weights = WEIGHTS.get(name)
        if weights is None:
            new += 1
        else:
            for own, weight in zip(sums, weights):
                own.append(weight * value)
{start}    return [{total}(own) for own in sums]
'''

START_FIXED = """    for own in sums:
        own.append(START * new)
"""

START_SHRINKING = """    most = (APPEARED + new).bit_length() - 1
    for own in sums:
        own.append(START * 2.0 ** -(most + 2 * most.bit_length()) * new)
"""

LIST = '''

def scores(x):
    """The score of the first rule that fires."""
    for name, on, score in RULES:
        if bool(x.get(name)) == on:
            return [score]
    return [DEFAULT]
'''

CURVES = '''

def _probability(score, curve):
    """By the calibration of the run: the share of the label among rows with such scores."""
    mean, theta, cells = curve
    far = max(-1e300, min(1e300, score - theta))
    place = 16.0 + 16.0 * (far / (mean + abs(far))) if mean > 0 else 16.0
    cell = min(int(place), 31)
    return cells[cell] + (place - cell) * (cells[cell + 1] - cells[cell])
'''

PAIR = '''

def predict(row):
    """The label of a row."""
    return LABELS[scores(attributes(row))[0] {rule} THRESHOLD]
'''

PAIR_PROBABILITY = '''

def predict_proba(row):
    """The probability of each label of a row."""
    share = _probability(scores(attributes(row))[0], CURVES[0])
    return {LABELS[0]: 1.0 - share, LABELS[1]: share}
'''

MANY = '''

def predict(row):
    """The label of a row: that of the largest sum, of equal ones the first."""
    found = scores(attributes(row))
    return LABELS[OUTPUTS[found.index(max(found))]]
'''

MANY_PROBABILITY = '''

def predict_proba(row):
    """The probability of each label of a row."""
    shares = [_probability(score, curve) for score, curve in zip(scores(attributes(row)), CURVES)]
    found = dict.fromkeys(LABELS, 0.0)
    found.update({LABELS[code]: share / math.fsum(shares) for code, share in zip(OUTPUTS, shares)})
    return found
'''

SOFTMAX = '''

def predict_proba(row):
    """The probability of each label of a row."""
    found = scores(attributes(row))
    most = max(found)
    if most == -math.inf:
        raise ValueError("every label has probability 0")
    shares = [math.exp(score - most) for score in found]
    return {label: share / math.fsum(shares) for label, share in zip(LABELS, shares)}
'''

TREE = '''

def _leaves(row):
    """(leaf, share of the row) of the leaves that a row comes to; one, unless a value is missing."""
    found, waiting, values = [], [(0, 1.0)], cells(row)
    while waiting:
        node, share = waiting.pop()
        label, shares, column, threshold, branch, children, otherwise, parts = NODES[node]
        if not children:
            found.append((node, share))
            continue
        value = values.get(column)
        if threshold is None:
            child = branch.get(value)
        else:
            child = None if value is None else children[value > threshold]
        if child is None and FRACTIONS:
            waiting += [(child, share * part) for child, part in zip(children, parts) if part > 0]
        else:
            waiting.append((otherwise if child is None else child, share))
    return found


def _shares(row):
    found = _leaves(row)
    return [sum(share * NODES[leaf][1][code] for leaf, share in found) for code in range(len(LABELS))]


def predict(row):
    """The label of a row."""
    found = _leaves(row)
    if len(found) == 1 and found[0][1] == 1.0:
        return LABELS[NODES[found[0][0]][0]]
    shares = _shares(row)
    return LABELS[next(code for code, share in enumerate(shares) if share > max(shares) - 1e-12)]


def predict_proba(row):
    """The probability of each label of a row."""
    return dict(zip(LABELS, _shares(row)))
'''
