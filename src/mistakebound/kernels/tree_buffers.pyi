from mistakebound.kernels._buffers import AnyBuffer

class TreeBuffers:
    def take_rows(self, narrow: AnyBuffer, wide: AnyBuffer, y: AnyBuffer, w: AnyBuffer) -> None: ...
    def take_columns(
        self,
        columns: AnyBuffer,
        divisor: AnyBuffer,
        table: AnyBuffer,
        critical: AnyBuffer,
        options: AnyBuffer,
        least: float,
    ) -> None: ...
    def take_groups(
        self,
        hist: AnyBuffer,
        weights: AnyBuffer,
        gv: AnyBuffer,
        gc: AnyBuffer,
        side: AnyBuffer,
        keys: AnyBuffer,
        spare: AnyBuffer,
        miss: AnyBuffer,
    ) -> None: ...
    def take_node(
        self,
        work: AnyBuffer,
        found: AnyBuffer,
        out: AnyBuffer,
        fill: AnyBuffer,
        slots: AnyBuffer,
        part: AnyBuffer,
        begin: AnyBuffer,
        sizes: AnyBuffer,
    ) -> None: ...
    def take_tree(
        self,
        active: AnyBuffer,
        stack: AnyBuffer,
        state: AnyBuffer,
        nodes: AnyBuffer,
        otherwise: AnyBuffer,
        masks: AnyBuffer,
        counts: AnyBuffer,
    ) -> None: ...
