"""One call at a time on a learner, whichever thread makes it.

Compiled code is not interrupted between two lines that call nothing: the thread that has the interpreter looks whether
the lock is free and takes it, which costs as much as a few additions.  Only a thread that finds it taken waits, at a
gate that the last call opens.  Whoever has waited in vain once gets the lock from its holder directly: a thread that
learns block after block does not keep the others out.

A call that the same thread makes in the middle of another one is refused, unless both only read, or the first is one
that does nothing but make others.

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

# What a call is.
_ALONE = cython.declare(cython.int, 0)  # it may change something, or uses the learner's buffers
_READS = cython.declare(cython.int, 1)  # it changes nothing, and may call others of its kind
_AROUND = cython.declare(cython.int, 2)  # it only makes other calls


@cython.cclass
class CallLock:
    """`with lock:` around a call that may change something, `with lock.reading():` around one that does not."""

    def __init__(self, refusal):  # type: (type[Exception]) -> None
        self.refusal = refusal  # what is raised when a thread comes again
        self.gate = allocate_lock()  # closed; those who wait stand before it
        self.gate.acquire()
        self.owner = 0  # the thread that has the lock
        self.held = False
        self.handed = False  # held for one of those who wait
        self.alone = False  # of the owner's calls, one within the other, the last is to be alone;
        self.reads = 0  # these only read;
        self.around_calls = 0  # these, the first, only make others
        self.waiting = 0
        self.starving = 0  # those among them who have found the lock taken again

    def __reduce__(self):
        """A copy is another lock, and free."""
        return type(self), (self.refusal,)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def take(self, mode: cython.int) -> cython.int:
        me: cython.ulong = thread_number()
        if not self.held:
            self.held = True
            self.owner = me
        elif self.owner != me:
            self._wait(me)
        elif self.alone or (self.reads > 0 and mode != _READS):
            raise self.refusal()
        if mode == _ALONE:
            self.alone = True
        elif mode == _READS:
            self.reads += 1
        else:
            self.around_calls += 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _wait(self, me: cython.ulong) -> cython.int:
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
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def leave(self) -> cython.void:
        if self.alone:
            self.alone = False
        elif self.reads > 0:
            self.reads -= 1
        else:
            self.around_calls -= 1
        if self.reads > 0 or self.around_calls > 0:
            return
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

    def __enter__(self):  # type: () -> None
        self.take(_ALONE)

    def __exit__(self, kind, error, where):  # type: (object, object, object) -> None
        self.leave()

    def reading(self):  # type: () -> Mode
        """For a call that changes nothing and uses none of the learner's buffers."""
        return Mode(self, _READS)

    def around(self):  # type: () -> Mode
        """For one that makes several calls, between which there is to be no other thread's."""
        return Mode(self, _AROUND)

    def pause(self):  # type: () -> Pause
        """Within `with lock:`, for somebody else's function that is called between two trials: it may read."""
        return Pause(self)


@cython.cclass
class Mode:
    lock: CallLock
    mode: cython.int

    def __init__(self, lock: CallLock, mode: cython.int):
        self.lock = lock
        self.mode = mode

    def __enter__(self):  # type: () -> None
        self.lock.take(self.mode)

    def __exit__(self, kind, error, where):  # type: (object, object, object) -> None
        self.lock.leave()


@cython.cclass
class Pause:
    lock: CallLock

    def __init__(self, lock: CallLock):
        self.lock = lock

    def __enter__(self):  # type: () -> None
        self.lock.alone = False
        self.lock.reads += 1

    def __exit__(self, kind, error, where):  # type: (object, object, object) -> None
        self.lock.reads -= 1
        self.lock.alone = True
