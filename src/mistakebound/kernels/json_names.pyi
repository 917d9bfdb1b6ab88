from typing_extensions import Buffer

from mistakebound.kernels._buffers import Floats, Ints

class JsonNames:
    def set_roles(
        self, roles: tuple[Buffer, Ints, Ints], bins: tuple[Floats, Ints, Buffer, Ints], ignored: Ints
    ) -> None: ...
    def more_names(self, names: Buffer) -> None: ...
    def ignored_names(self) -> list[bytes]: ...
