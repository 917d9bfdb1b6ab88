from mistakebound.kernels.tree_buffers import TreeBuffers

DONE: int
MORE_NODES: int
MORE_STACK: int
MORE_DEPTH: int
MORE_MASKS: int
MORE_ROWS: int
PAUSE: int
MISFIT: int

def grow(b: TreeBuffers) -> int: ...
