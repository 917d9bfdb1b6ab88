"""One instance at a time, where nothing is unusual about it: a dict or a set of names, or one that was encoded.

A player has the buffers of one learner at hand, so that a trial takes none.  It plays the trials whose attributes are
texts or known and have the value 1, whose prediction no rounding could change, and whose update stays within the
learner's tables.  Anything else it leaves alone, having changed nothing (None): that goes the general way, which has
the same result.  A player is made anew when an array of its learner is replaced.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

from array import array

if cython.compiled:
    from cython.cimports.mistakebound.kernels.texts import TextTable
else:
    from mistakebound.kernels.texts import TextTable

WIDEST = 1024  # attributes of an instance that is not encoded
_SIZE = cython.declare(cython.int, 0)  # in the state of an attribute table: see the kernel `attributes`


@cython.cclass
class Encoded:
    """The names and values (None: all ones) of an instance, and the slots that one table gave to them."""

    def __init__(self, names, values):
        self.names = names
        self.values = values
        self.table = None
        self.generation = 0  # of the table, when the slots were looked up
        self.found = None  # the slots, if all had one
        self.row = None  # what the general way makes of it
        self.top = 0  # no slot is larger

    def keep(self, table, generation, found, row):
        """These are its slots, as long as the table is of this generation; found: None when some have none."""
        self.table = table
        self.generation = generation
        self.found = found
        self.row = row
        if found is not None:
            self.slots = found
            self.top = max(found, default=0)


@cython.cclass
class Player:
    """What the learners have in common: reading an instance, entering its new names, the order of a trial.

    A learner's player overrides decide, ready, begin and update.
    """

    def __init__(self, table: TextTable, labels, limit, learns):
        self.table = table
        self.known = table.known
        self.state = table._state
        self.layout = table.layout
        self.dense = table.dense
        self.capacity = table.capacity  # slots: the learner's arrays are as long
        self.limit = limit  # attributes that there may be
        self.labels = labels
        self.codes = None
        self.values = None
        self.learns = learns
        self.room = array("I", bytes(4 * WIDEST))
        self.slots = self.room
        self.count = 0  # of the instance that was read: attributes that have a slot,
        self.fresh = 0  # attributes that have none,
        self.new = []  # and their names, if they are to enter the table

    @cython.cfunc
    @cython.exceptval(check=False)
    def decide(
        self, slots: cython.const[cython.uint][::1], n: cython.Py_ssize_t, new: cython.Py_ssize_t
    ) -> cython.int:
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

    @cython.cfunc
    def _pair(self) -> tuple:
        """The two labels; once they are settled they do not change any more."""
        pair = self.labels.values
        if self.labels.settled:
            self.values = pair
            self.codes = self.labels.codes
        return pair

    @cython.cfunc
    @cython.exceptval(check=False)
    def _found(self, slot: cython.longlong) -> cython.bint:
        """Note the slot of a name; false when it could be none."""
        if slot < 0 or slot >= self.capacity:
            return False
        self.slots[self.count] = cython.cast(cython.uint, slot)
        self.count += 1
        return True

    @cython.cfunc
    def _missing(self, name: str, enter: cython.bint) -> cython.bint:
        """Note a name that nobody has asked for since the table was laid out; false for a new id."""
        character: cython.Py_UCS4
        if len(self.known) < self.state[_SIZE]:
            slot = self.table.slot(name)
            if slot >= 0:
                return self._found(slot)
        if len(name) > 0:
            character = name[0]
            if "0" <= character <= "9" and name.isdecimal():
                return False
        self.fresh += 1
        if enter:
            self.new.append(name)
        return True

    @cython.cfunc
    def _look_up(self, x: dict, enter: cython.bint) -> cython.bint:
        slot: object
        if len(x) > len(self.slots):
            return False
        for name, value in x.items():
            if type(name) is not str:
                return False
            if value is not True:
                if type(value) is float:
                    if value == 0.0:
                        continue
                    if value != 1.0:
                        return False
                elif value is False:
                    continue
                elif type(value) is not int:
                    return False
                elif value == 0:
                    continue
                elif value != 1:
                    return False
            slot = self.known.get(name)
            if not (self._missing(name, enter) if slot is None else self._found(slot)):
                return False
        return True

    @cython.cfunc
    def _look_up_names(self, names: list, enter: cython.bint) -> cython.bint:
        slot: object
        if len(names) > len(self.slots):
            return False
        for name in names:
            if type(name) is not str:
                return False
            slot = self.known.get(name)
            if not (self._missing(name, enter) if slot is None else self._found(slot)):
                return False
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def _held(self, x: Encoded) -> cython.bint:
        """Whether the slots of an encoded instance of ones are valid here."""
        return (
            x.found is not None
            and x.values is None
            and x.table is self.table
            and x.generation == self.table.generation
            and x.top < self.capacity
        )

    @cython.cfunc
    def _read(self, x: object, enter: cython.bint) -> cython.bint:
        """Look up the attributes of x; false when something about them is unusual."""
        usual: cython.bint = False
        self.count = 0
        self.fresh = 0
        if self.new:
            self.new = []
        if type(x) is dict:
            usual = self._look_up(x, enter)
        elif isinstance(x, Encoded):
            usual = x.values is None and self._look_up_names(x.names, enter)
        elif type(x) is set:
            usual = self._look_up_names(list(x), enter)
        return usual and (self.fresh == 0 or self.state[_SIZE] + self.fresh <= self.limit)

    @cython.cfunc
    @cython.exceptval(-2, check=True)
    def _code(self, y: object) -> cython.int:
        """The code of a label; BadData for one that is not of the pair."""
        code: object = None
        try:
            code = self.codes.get(y)
        except TypeError:
            pass
        return self.labels.code(y) if code is None else code

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
            if first < 0:
                first = self.table.add_texts(self.new)
            if first < 0:
                return None
            for k in range(new):
                self.slots[n + k] = cython.cast(cython.uint, first + k)
            self.begin(slots, n, n + new)
        if said != code:
            self.update(slots, n + new, code)
        return self.values[said]

    def predict(self, x):
        """The label predicted for x; None when that is not so easy."""
        code: cython.int
        encoded: Encoded
        if self.layout != self.table.layout:
            return None
        if isinstance(x, Encoded):
            encoded = x
            if self._held(encoded):
                code = self.decide(encoded.slots, len(encoded.slots), 0)
            elif self._read(encoded, False):
                code = self.decide(self.slots, self.count, self.fresh)
            else:
                return None
        elif self._read(x, False):
            code = self.decide(self.slots, self.count, self.fresh)
        else:
            return None
        if code < 0:
            return None
        return self._pair()[code] if self.values is None else self.values[code]

    def learn(self, x, y):
        """Play one trial; the label that was predicted, or None, and nothing done, when it is not so easy."""
        encoded: Encoded
        if self.layout != self.table.layout or not self.learns:
            return None
        if self.values is None:
            self._pair()
            if self.values is None:
                return None
        if not isinstance(x, Encoded):
            return self._trial(self.slots, self.count, self.fresh, y) if self._read(x, True) else None
        encoded = x
        if self._held(encoded):
            return self._trial(encoded.slots, len(encoded.slots), 0, y)
        if not self._read(encoded, True):
            return None
        said = self._trial(self.slots, self.count, self.fresh, y)
        if said is not None:
            encoded.keep(self.table, self.table.generation, self.room[: self.count + self.fresh], None)
        return said
