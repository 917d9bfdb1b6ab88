"""A small builder of ONNX graphs: operators as methods, constants as initializers, and the cells of a table."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from mistakebound.core.errors import BadParameter
from mistakebound.io.bins import bin_names
from mistakebound.model.export.form import InputColumn, Inputs

try:
    import onnx
    from onnx import TensorProto, helper, numpy_helper
except ModuleNotFoundError as _missing:
    raise BadParameter("export to ONNX needs onnx: pip install 'mistakebound[onnx]'") from _missing

TEXTS, TRUTHS, WHOLES, DOUBLES = TensorProto.STRING, TensorProto.BOOL, TensorProto.INT64, TensorProto.DOUBLE
_OPSETS = {"": 17, "ai.onnx.ml": 3}
_IR = 8


class GraphBuilder:
    """Collects nodes; a method named after an operator adds one and gives back the name of its output."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []

    def constant(self, value: Any, dtype: Any = np.float64) -> str:
        array = np.asarray(value, dtype=dtype)
        name = f"constant_{len(self.constants)}"
        if array.dtype.kind in "OU":
            flat = [str(text).encode() for text in array.reshape(-1)]
            self.constants.append(helper.make_tensor(name, TensorProto.STRING, array.shape, flat))
        else:
            self.constants.append(numpy_helper.from_array(array, name))
        return name

    def add(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        output = f"{operator.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [output], domain=domain, **attributes))
        return output

    def numbers(self, name: str) -> str:
        """A column of doubles that comes in."""
        self.inputs.append(helper.make_tensor_value_info(name, TensorProto.DOUBLE, [None, 1]))
        return name

    def texts(self, name: str) -> str:
        """A column of texts that comes in."""
        self.inputs.append(helper.make_tensor_value_info(name, TensorProto.STRING, [None, 1]))
        return name

    def output(self, name: str, of: str, kind: int, shape: list[Any]) -> None:
        self.nodes.append(helper.make_node("Identity", [of], [name]))
        self.outputs.append(helper.make_tensor_value_info(name, kind, shape))

    def double(self, of: str) -> str:
        return self.add("Cast", of, to=TensorProto.DOUBLE)

    def whole(self, of: str) -> str:
        return self.add("Cast", of, to=TensorProto.INT64)

    def total(self, of: str) -> str:
        """The sum of each row, as a column."""
        return self.add("ReduceSum", of, self.constant([1], np.int64), keepdims=1)

    def beside(self, parts: list[str]) -> str:
        return parts[0] if len(parts) == 1 else self.add("Concat", *parts, axis=1)

    def columns(self, of: str, places: Any) -> str:
        return self.add("Gather", of, self.constant(places, np.int64), axis=1)

    def inverse(self, of: str) -> str:
        return self.add("Sub", self.constant(1.0), of)

    def bytes(self, about: str) -> bytes:
        graph = helper.make_graph(self.nodes, "mistakebound", self.inputs, self.outputs, self.constants)
        opsets = [helper.make_opsetid(domain, version) for domain, version in _OPSETS.items()]
        model = helper.make_model(graph, opset_imports=opsets, producer_name="mistakebound", ir_version=_IR)
        model.doc_string = about
        onnx.checker.check_model(model)
        made: bytes = model.SerializeToString()
        return made


def _forms(word: str) -> list[str]:
    """A word in small letters and in capitals: of a short one every mixture, as NaN is one."""
    if len(word) > 4:
        return [word, word.upper(), word.capitalize()]
    return ["".join(letters) for letters in product(*((c, c.upper()) for c in word))]


class OnnxCells:
    """The columns of a table in a graph, and attributes as columns of a matrix: values, and which are present."""

    def __init__(self, graph: GraphBuilder, inputs: Inputs, attributes: list[str]) -> None:
        self.graph = graph
        self.zeros = inputs.zeros
        self.missing = list(dict.fromkeys(form for word in inputs.missing for form in _forms(word)))
        columns = inputs.columns
        if inputs.kind != "table":
            columns = tuple(InputColumn(name, "numeric") for name in dict.fromkeys(attributes))
        self.names: list[str] = []  # attributes by their place in the matrices
        self.column_of: list[str] = []  # the column of each
        self._values: list[str] = []
        self._present: list[str] = []
        self.unknown: list[str] = []  # of columns: 1 where a row has an attribute that the model does not know
        known = set(attributes)
        for column in columns:
            if column.kind == "numeric" and not column.cuts:
                self._number(column, known)
            else:
                self._codes(column, known)
        self.values, self.present = graph.beside(self._values), graph.beside(self._present)

    def _number(self, column: InputColumn, known: set[str]) -> None:
        graph = self.graph
        cell = graph.numbers(column.name)
        gone = graph.add("IsNaN", cell)
        value = graph.add("Where", gone, graph.constant(0.0), cell)
        there = graph.inverse(graph.double(gone))
        if not self.zeros:
            there = graph.inverse(graph.double(graph.add("Equal", value, graph.constant(0.0))))
        if column.name not in known:
            self.unknown.append(there)
        self.names.append(column.name)
        self.column_of.append(column.name)
        self._values.append(value)
        self._present.append(there)

    def _codes(self, column: InputColumn, known: set[str]) -> None:
        graph = self.graph
        if column.cuts:
            cell = graph.numbers(column.name)
            above = graph.whole(graph.add("Greater", cell, graph.constant([column.cuts])))
            gone = graph.add("IsNaN", cell)
            code = graph.add("Where", gone, graph.constant(-1, np.int64), graph.total(above))
            names = bin_names(column.name, column.cuts)
            count = len(names)
        else:
            cell, count = graph.texts(column.name), len(column.values)
            keys = [*column.values, *(word for word in self.missing if word not in column.values)]
            codes = [k if k < count else -1 for k in range(len(keys))]
            code = graph.add(
                "LabelEncoder", cell, domain="ai.onnx.ml", keys_strings=keys, values_int64s=codes, default_int64=-2
            )
            names = [f"{column.name}={text}" for text in column.values]
        flags = []
        if count:
            flags = [graph.double(graph.add("Equal", code, graph.constant([range(count)], np.int64)))]
            self._values += flags
            self._present += flags
            self.names += names
            self.column_of += [column.name] * count
        new = [k for k, name in enumerate(names) if name not in known]
        if new and flags:
            self.unknown.append(graph.total(graph.columns(flags[0], new)))
        if not column.cuts:
            self.unknown.append(graph.double(graph.add("Equal", code, graph.constant(-2, np.int64))))

    def unknown_count(self) -> str:
        """How many attributes of a row the model does not know."""
        return self.graph.total(self.graph.beside(self.unknown)) if self.unknown else self.graph.constant([[0.0]])
