from mistakebound.kernels._buffers import Ints

def move1(source: Ints, source_slots: Ints, target: Ints, target_slots: Ints, count: int, below: int) -> bool: ...

move2 = move1
move4 = move1
move8 = move1
