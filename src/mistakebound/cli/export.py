"""Write a model as code: raw columns in, label and probabilities out.

mistakebound export delay.mb --to python -o delay.py
mistakebound export delay.mb --to sql --table parcels | sqlite3 parcels.db
mistakebound export delay.mb --to onnx -o delay.onnx
mistakebound export auto.mb parcels.csv --to sql

Linear models, rules, lists, trees and naive Bayes are exported exactly. auto is
exported as an approximation, which agrees on FILE as often as the output says.
"""

from __future__ import annotations

import json

from mistakebound.cli.commands import note
from mistakebound.cli.options import add
from mistakebound.core.errors import BadParameter
from mistakebound.core.standard_output import standard_output
from mistakebound.model.export import LANGUAGES, form_of, save, written
from mistakebound.model.model import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

INPUTS = ("model", "files")
OUTPUTS = {"output": lambda options: options.to}


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="model file written by `learn`")
    parser.add_argument("files", nargs="*", metavar="FILE", help="rows to measure the agreement of auto on")
    parser.add_argument("--to", choices=LANGUAGES, required=True, help="language to write")
    parser.add_argument("-o", "--output", metavar="FILE", help="file to write (default: standard output)")
    parser.add_argument("--table", default="data", metavar="NAME", help="table that SQL reads (default: data)")
    add(parser, "json")


def run(options: Namespace) -> int:
    if options.to == "onnx" and options.output is None:
        raise BadParameter("--output must name a file, because ONNX is not text")
    if options.to != "sql" and options.table != "data":
        raise BadParameter(f"--table is for --to sql: {options.table!r}")
    model = load(options.model)
    form = form_of(model, options.files or None, options.to)
    made = written(form, options.to, options.table)
    if options.output is not None:
        save(made, options.to, options.output)
    data = made if isinstance(made, bytes) else made.encode()
    if options.json:
        about = {
            "model": options.model,
            "to": options.to,
            "bytes": len(data),
            "exact": not form.note,
            "note": form.note,
        }
        said = about | ({"source": made} if options.output is None else {"output": options.output})
        print(json.dumps(said), file=standard_output())
    elif options.output is None:
        standard_output().write(data.decode())
    else:
        note(f"{options.output}: {form.note or 'the same labels and probabilities as the model'}")
    return 0
