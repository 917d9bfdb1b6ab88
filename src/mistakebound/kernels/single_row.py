"""One instance at a time, where nothing is unusual about it: a dict or a set of names, or one that was encoded.

A `SingleRow` holds the buffers of one learner, so that a trial allocates none.  It takes trials whose attributes are
texts or known and have the value 1, whose prediction no rounding could change, and whose update stays within the
learner's tables; or, where the learner has a `play`, any trial with attributes that are texts or known.  For anything
else it returns None and changes nothing; the general path then gives the same result.  It is made anew when an array of
its learner is replaced.

A trial or a prediction is one call on the learner, and takes the learner's lock.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

from array import array

if cython.compiled:
    from cython.cimports.mistakebound.kernels.call_lock import CallLock
    from cython.cimports.mistakebound.kernels.texts import TextTable
else:
    from mistakebound.kernels._call_lock import CallLock
    from mistakebound.kernels.texts import TextTable

WIDEST = 1024  # attributes of an instance that is not encoded
_MOST = 1 << 53  # whole numbers up to it are doubles
_ALONE = cython.declare(cython.int, 0)  # see the kernel `call_lock`
_SIZE = cython.declare(cython.int, 0)  # in the state of an attribute table: see the kernel `attributes`


@cython.cclass
class Held:
    """The slots that one table gave to the names of an instance: they are these while it is of this generation."""

    # seen: table: Any
    # seen: generation: int
    # seen: found: array[int] | None
    # seen: row: Any
    # seen: size: int
    def __init__(self, table, generation, found, row, size):  # type: (Any, int, array[int] | None, Any, int) -> None
        self.table = table
        self.generation = generation
        self.found = found  # None when some had none
        self.row = row  # what the general way makes of it
        self.size = size  # of the table
        self.top = 0  # no slot is larger
        if found is not None:
            self.slots = found
            self.top = max(found, default=0)


@cython.cclass
class Encoded:
    """The names and values (None: all ones) of an instance, and what one table said of them.

    Threads may show the same instance to several learners: `held` is replaced, and never changed to mean another table.
    """

    # seen: names: list[str]
    # seen: values: Floats | None
    # seen: held: Held | None
    def __init__(self, names, values):  # type: (list[str], Floats | None) -> None
        self.names = names
        self.values = values
        self.held = None


@cython.cclass
class SingleRow:
    """What the learners have in common: reading an instance, entering its new names, the order of a trial.

    The subclass of a learner overrides decide, ready, begin and update.
    """

    # seen: done: bool
    def __init__(self, lock: CallLock, table: TextTable, labels, limit, learns):
        # type: (CallLock, Any, Any, int, bool) -> None
        self.lock = lock
        self.retired = False  # an array was replaced: another one takes its place
        self.table = table
        self.known = table.known
        self.state = table._state
        self.layout = table.layout
        self.dense = table.dense
        self.capacity = table.capacity  # slots: the learner's arrays are as long
        self.limit = limit  # attributes that there may be
        self.labels = labels
        self.values = None  # the two labels, once they are settled
        self.negative = self.positive = None
        self.learns = learns
        self.room = array("I", bytes(4 * WIDEST))
        self.slots = self.room
        self.count = 0  # of the instance that was read: attributes that have a slot,
        self.fresh = 0  # attributes that have none,
        self.new = []  # and their names, if they are to enter the table
        self.done = False  # a trial was played
        self.plays = False  # all trials are played by `play`,
        self.numbers = False  # or those of instances with other values than 1, if there is a `play` at all
        self.real = False  # the instance that was read has such
        self.own_reals = array("d")
        self.reals = self.own_reals  # its values

    @cython.cfunc
    @cython.exceptval(check=False)
    def decide(self, slots: cython.const[cython.uint][::1], n: cython.Py_ssize_t, new: cython.Py_ssize_t) -> cython.int:
        """The code predicted for n attributes with these slots and for so many new ones; -1 when it is not sure."""
        return -1

    @cython.cfunc
    @cython.exceptval(check=False)
    def ready(
        self,
        slots: cython.const[cython.uint][::1],
        n: cython.Py_ssize_t,
        new: cython.Py_ssize_t,
        promote: cython.bint,
    ) -> cython.bint:
        """Can all weights of this instance be updated as they are?"""
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def begin(
        self, slots: cython.const[cython.uint][::1], n: cython.Py_ssize_t, total: cython.Py_ssize_t
    ) -> cython.void:
        """Start weights for slots[n:total], whose attributes are new."""

    @cython.cfunc
    @cython.exceptval(check=False)
    def update(self, slots: cython.const[cython.uint][::1], n: cython.Py_ssize_t, promote: cython.bint) -> cython.void:
        """The update of a mistake; the label was 1 when `promote` is true."""

    @cython.final
    @cython.cfunc
    def _pair(self) -> tuple:
        """The two labels; once they are settled they do not change any more."""
        pair = self.labels.values
        if self.labels.settled:
            self.values = pair
            self.negative, self.positive = pair
        return pair

    @cython.final
    @cython.cfunc
    @cython.exceptval(-3, check=True)
    def _missing(self, name: str, enter: cython.bint) -> cython.longlong:
        """The slot of a name that nobody has asked for since the table was laid out; -1: it is new; -2: a new id."""
        slot: cython.longlong = -1
        first: cython.Py_UCS4
        if len(self.known) < self.state[_SIZE]:
            slot = self.table.slot(name)
        if slot < 0:
            if len(name) > 0:
                first = name[0]
                if "0" <= first <= "9" and name.isdecimal():
                    return -2
            self.fresh += 1
            if enter:
                self.new.append(name)
        return slot

    @cython.final
    @cython.cfunc
    @cython.exceptval(-3, check=True)
    def _look_up(self, x: dict, enter: cython.bint) -> cython.Py_ssize_t:
        """Write the slots of the names whose value is not 0; how many these are, or -1 when something is unusual.

        Their values too, where there is room for them.
        """
        n: cython.Py_ssize_t = 0
        place: cython.longlong
        v: cython.double
        capacity: cython.longlong = self.capacity
        known: dict = self.known
        slots: cython.uint[::1] = self.slots
        if len(x) > len(slots):
            return -1
        for name, value in x.items():
            if type(name) is not str:
                return -1
            v = 1.0
            if type(value) is int:
                if value != 1:
                    if value == 0:
                        continue
                    if not self.numbers or not -_MOST <= value <= _MOST:
                        return -1
                    v = value
                    self.real = True
            elif type(value) is float:
                v = value
                if v != 1.0:
                    if v == 0.0:
                        continue
                    if not self.numbers or v - v != 0.0:
                        return -1
                    self.real = True
            elif value is False:
                continue
            elif value is not True:
                return -1
            slot = known.get(name)
            place = self._missing(name, enter) if slot is None else slot
            if place >= 0:
                if place >= capacity:
                    return -1
                slots[n] = cython.cast(cython.uint, place)
                if self.numbers:
                    self.reals[n] = v
                n += 1
            elif place < -1:
                return -1
        return n

    @cython.final
    @cython.cfunc
    @cython.exceptval(-3, check=True)
    def _look_up_names(self, names: list, enter: cython.bint) -> cython.Py_ssize_t:
        """The same for a list of names."""
        n: cython.Py_ssize_t = 0
        place: cython.longlong
        if len(names) > len(self.slots):
            return -1
        for name in names:
            if type(name) is not str:
                return -1
            slot = self.known.get(name)
            place = self._missing(name, enter) if slot is None else slot
            if place >= 0:
                if place >= self.capacity:
                    return -1
                self.slots[n] = cython.cast(cython.uint, place)
                n += 1
            elif place < -1:
                return -1
        return n

    @cython.final
    @cython.cfunc
    def _held(self, x: Encoded) -> Held:
        """The slots of an encoded instance of ones, if they are valid here; else None."""
        held: Held = x.held
        if (
            held is not None
            and held.found is not None
            and x.values is None
            and held.table is self.table
            and held.generation == self.table.generation
            and held.top < self.capacity
        ):
            return held
        return None

    @cython.final
    @cython.cfunc
    def _read(self, x: object, enter: cython.bint) -> cython.bint:
        """Look up the attributes of x; false when something about them is unusual."""
        self.count = -1
        self.fresh = 0
        self.real = False
        if self.new:
            self.new.clear()
        if type(x) is dict:
            self.count = self._look_up(x, enter)
        elif isinstance(x, Encoded):
            if x.values is None:
                self.count = self._look_up_names(x.names, enter)
        elif type(x) is set:
            self.count = self._look_up_names(list(x), enter)
        return self.count >= 0 and (self.fresh == 0 or self.state[_SIZE] + self.fresh <= self.limit)

    @cython.final
    @cython.cfunc
    @cython.exceptval(-2, check=True)
    def _code(self, y: object) -> cython.int:
        """The code of a label; BadData for one that is not of the pair."""
        if y is self.positive:
            return 1
        if y is self.negative:
            return 0
        return self.labels.code(y)

    @cython.final
    @cython.cfunc
    def _trial(
        self, slots: cython.const[cython.uint][::1], n: cython.Py_ssize_t, new: cython.Py_ssize_t, y: object
    ) -> object:
        """Predict, hear the label, learn: n attributes with these slots and the new names, of which there are `new`."""
        k: cython.Py_ssize_t
        first: cython.longlong
        code: cython.int
        said: cython.int = self.decide(slots, n, new)
        if said < 0:
            return None
        code = self._code(y)
        if said != code and not self.ready(slots, n, new, code):
            return None
        if new > 0:
            first = self.table.enter_names(self.new, self.dense)
            if first < 0 and self.table.room_for_texts(self.new):
                first = self.table.enter_names(self.new, self.dense)
            if first < 0:
                return None
            for k in range(new):
                self.slots[n + k] = cython.cast(cython.uint, first + k)
            self.begin(slots, n, n + new)
        if said != code:
            self.update(slots, n + new, code)
        self.done = True
        return self.values[said]

    @cython.cfunc
    @cython.exceptval(check=False)
    def play(self, code: cython.int, learn: cython.bint) -> cython.int:
        """Play the instance that was read, whose names are all known, as the general way does; the code predicted, or
        -1, and nothing changed, when it could not.
        """
        return -1

    @cython.final
    @cython.cfunc
    def _recall(self, held: Held) -> cython.bint:
        """Take the slots of an encoded instance for those of one that was read; false when there are too many."""
        k: cython.Py_ssize_t
        self.count = len(held.slots)
        self.fresh = 0
        self.real = False
        if self.count > len(self.slots):
            return False
        for k in range(self.count):
            self.slots[k] = held.slots[k]
        return True

    @cython.final
    @cython.cfunc
    def _take_back(self, before: cython.longlong) -> object:
        """Forget the names that were entered for a trial that was not played."""
        if self.state[_SIZE] > before:
            try:
                self.table.truncate(before)
            except BaseException:
                self.table.truncate(before)
                raise
        return None

    @cython.final
    @cython.cfunc
    def _played(self, x: object, y: object, learn: cython.bint) -> object:
        """The label predicted for x, which was read; with `learn` its trial is played."""
        before: cython.longlong = self.state[_SIZE]
        code: cython.int = 0
        said: cython.int
        if learn:
            code = self._code(y)
            if self.fresh > 0:
                if self.table.enter_names(self.new, self.dense) < 0 and (
                    not self.table.room_for_texts(self.new) or self.table.enter_names(self.new, self.dense) < 0
                ):
                    return None
                if not self._read(x, False) or self.fresh > 0:  # beyond the arrays
                    return self._take_back(before)
        said = self.play(code, learn)
        if said < 0:
            return self._take_back(before)
        self.done = learn
        return self.values[said]

    def retire(self):  # type: () -> None
        """For whoever replaces an array: a thread that is about to play must not write to the old one."""
        self.retired = True

    def predict(self, x):
        """The label predicted for x; None when that is not so easy."""
        if not cython.compiled:
            with self.lock:
                return self._predict(x)
        self.lock.take(_ALONE)
        try:
            return self._predict(x)
        finally:
            self.lock.leave()

    @cython.final
    @cython.cfunc
    def _predict(self, x: object) -> object:
        code: cython.int
        held: Held
        if self.retired or self.layout != self.table.layout:
            return None
        if self.values is None:
            self._pair()
            if self.values is None:  # a class may have no name yet
                return None
        if type(x) is not dict and isinstance(x, Encoded):
            held = self._held(x)
            if held is not None and self.plays:
                return self._played(x, None, False) if self._recall(held) else None
            if held is not None:
                code = self.decide(held.slots, len(held.slots), 0)
                if code < 0:
                    return None
                return self.values[code]
        if not self._read(x, False):
            return None
        if self.plays or self.real:
            return self._played(x, None, False)
        code = self.decide(self.slots, self.count, self.fresh)
        if code < 0:
            return None
        return self.values[code]

    def learn(self, x, y):
        """Play one trial; the label that was predicted, or None, and nothing done, when it is not so easy."""
        if not cython.compiled:
            with self.lock:
                return self._learn(x, y)
        self.lock.take(_ALONE)
        try:
            return self._learn(x, y)
        finally:
            self.lock.leave()

    @cython.final
    @cython.cfunc
    def _learn(self, x: object, y: object) -> object:
        encoded: Encoded
        held: Held
        if self.retired or self.layout != self.table.layout or not self.learns:
            return None
        if self.values is None:
            self._pair()
            if self.values is None:
                return None
        if type(x) is dict or not isinstance(x, Encoded):
            if not self._read(x, True):
                return None
            if self.plays or self.real:
                return self._played(x, y, True)
            return self._trial(self.slots, self.count, self.fresh, y)
        encoded = x
        held = self._held(encoded)
        if held is not None and self.plays:
            return self._played(x, y, True) if self._recall(held) else None
        if held is not None:
            return self._trial(held.slots, len(held.slots), 0, y)
        if not self._read(encoded, True):
            return None
        if self.plays:
            said = self._played(x, y, True)
        else:
            said = self._trial(self.slots, self.count, self.fresh, y)
        if said is not None:
            slots = self.room[: self.count + self.fresh]
            encoded.held = Held(self.table, self.table.generation, slots, None, self.state[_SIZE])
        return said
