"""One call at a time on a learner, whichever thread makes it.

Compiled code is not interrupted between two lines that call nothing: the thread that has the interpreter looks whether
the lock is free and takes it, which costs as much as a few additions.  Only a thread that finds it taken waits, at a
gate that the last call opens.  Whoever has waited in vain once gets the lock from its holder directly: a thread that
learns block after block does not keep the others out.

A call that the same thread makes in the middle of another one is refused, unless both only read.

Uncompiled, `_call_lock.py` stands in for this.
"""

try:
    import cython
except ImportError:
    from mistakebound.kernels import _cython_shim as cython

if cython.compiled:
    from cython.cimports.cpython.pythread import PyThread_get_thread_ident as thread_number
else:
    from _thread import get_ident as thread_number

from _thread import allocate_lock


@cython.cclass
class CallLock:
    """`with lock:` for a call that may change something or uses shared buffers, `with lock.reading():` for others."""

    def __init__(self, refusal):
        self.refusal = refusal  # what is raised when a thread comes again
        self.gate = allocate_lock()  # closed; those who wait stand before it
        self.gate.acquire()
        self.owner = 0  # the thread that has the lock
        self.held = False
        self.handed = False  # held for one of those who wait
        self.readers = 0  # calls of the owner, one within the other, that only read
        self.waiting = 0
        self.starving = 0  # those among them who have found the lock taken again

    def __reduce__(self):
        """A copy is another lock, and free."""
        return type(self), (self.refusal,)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def take(self, reading: cython.bint) -> cython.int:
        me: cython.ulong = thread_number()
        if not self.held:
            self.held = True
            self.owner = me
            self.readers = reading
            return 0
        if self.owner == me:
            if reading and self.readers > 0:
                self.readers += 1
                return 0
            raise self.refusal()
        return self._wait(me, reading)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _wait(self, me: cython.ulong, reading: cython.bint) -> cython.int:
        again: cython.bint = False
        self.waiting += 1
        try:
            while True:
                self.gate.acquire()
                if self.handed:
                    self.handed = False
                    break
                if not self.held:
                    self.held = True
                    break
                if not again:
                    again = True
                    self.starving += 1
        except BaseException:  # a signal: nothing was acquired
            if self.handed and self.waiting == 1:
                self.handed = False
                self.held = False
            raise
        finally:
            self.waiting -= 1
            if again:
                self.starving -= 1
        self.owner = me
        self.readers = reading
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def leave(self) -> cython.void:
        if self.readers > 1:
            self.readers -= 1
            return
        self.readers = 0
        self.owner = 0
        if self.waiting == 0:
            self.held = False
            return
        if self.starving > 0:
            self.handed = True
        else:
            self.held = False
        if self.gate.locked():
            self.gate.release()

    def __enter__(self):
        self.take(False)

    def __exit__(self, kind, error, where):
        self.leave()

    def reading(self):
        return Reading(self)


@cython.cclass
class Reading:
    """The same lock, for a call that only reads: it may stand within another one that does."""

    lock: CallLock

    def __init__(self, lock: CallLock):
        self.lock = lock

    def __enter__(self):
        self.lock.take(True)

    def __exit__(self, kind, error, where):
        self.lock.leave()
