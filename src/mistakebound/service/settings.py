"""The settings of the service, declared once: flags, environment and serve.toml come from here, in that order."""

from __future__ import annotations

import os
from pathlib import Path

from mistakebound.core.errors import BadParameter, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

PREFIX = "MISTAKEBOUND_SERVE_"  # of variables of the environment
CONFIG = "serve.toml"  # in the directory of the service
_YES_OR_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Setting:
    """One setting: its name, its default (whose type is its type), its smallest value and what it means."""

    __slots__ = ("default", "help", "least", "metavar", "name")

    def __init__(self, name: str, default: Any, help: str, metavar: str, least: float = 0) -> None:
        self.name = name
        self.default = default
        self.help = help
        self.metavar = metavar
        self.least = least

    @property
    def option(self) -> str:
        return "--" + self.name.replace("_", "-")

    def check(self, value: Any, where: str) -> Any:
        """The value, from a text or of its own type; BadParameter says where it stands."""
        kind = type(self.default)
        if kind is bool:
            found = value if isinstance(value, bool) else _YES_OR_NO.get(str(value).lower())
            if found is None:
                raise BadParameter(f"{where} must be yes or no: {shown(value)}")
            return found
        if kind is list:
            texts = value.split(",") if isinstance(value, str) else value
            if isinstance(texts, list) and all(isinstance(text, str) and text.strip() for text in texts):
                return [text.strip() for text in texts]
            raise BadParameter(f"{where} must be a list of texts: {shown(value)}")
        if kind is str:
            if isinstance(value, str):
                return value
            raise BadParameter(f"{where} must be a text: {shown(value)}")
        number = _number(value, kind)
        if number is None or not self.least <= number < 2**53:
            what = "a whole number" if kind is int else "a number"
            raise BadParameter(f"{where} must be {what} >= {self.least:g}: {shown(value)}")
        return number


def _number(value: Any, kind: type) -> Any:
    if isinstance(value, bool):
        return None
    try:
        return kind(value) if isinstance(value, (str, int)) or kind is float else None
    except (TypeError, ValueError, OverflowError):
        return None


SETTINGS = (
    Setting("host", "127.0.0.1", "address to listen on (default: 127.0.0.1)", "ADDRESS"),
    Setting("port", 8765, "port to listen on; 0: any free one (default: 8765)", "N"),
    Setting("allow_host", [], "host names that requests may ask for", "NAME,..."),
    Setting("lab", True, "serve the lab at /lab: yes or no (default: yes)", "WORD"),
    Setting("max_body", 1 << 20, "bytes of a request (default: 1 MiB)", "N", 64),
    Setting("max_upload", 1 << 28, "bytes of an uploaded model (default: 256 MiB)", "N", 64),
    Setting("max_rows", 1000, "rows of one predict request (default: 1000)", "N", 1),
    Setting("max_features", 10_000, "members of one row (default: 10000)", "N", 1),
    Setting("max_models", 100, "models in the directory (default: 100)", "N", 1),
    Setting("rate", 0.0, "requests per second and client; 0: any (default: 0)", "N"),
    Setting("snapshot_updates", 20_000, "updates between snapshots (default: 20000)", "N", 1),
    Setting("snapshot_seconds", 60.0, "seconds between snapshots (default: 60)", "S", 0.01),
    Setting("keep_predictions", 1_000_000, "predictions kept for late labels (default: 1000000)", "N", 1),
    Setting("keep_hours", 24.0, "hours that predictions are kept (default: 24)", "H", 0),
    Setting("journal_days", 0.0, "days that the journal is kept; 0: always (default: 0)", "D"),
)
BY_NAME = {setting.name: setting for setting in SETTINGS}


class Settings:
    """The directory of a service and the value of every setting.

    Parameters
    ----------
    directory : path
        Where the journal and the models are.
    **given
        Settings by name; the others have their defaults.

    Examples
    --------
    >>> Settings("models", port=0).port
    0
    """

    host: str
    port: int
    allow_host: list[str]
    lab: bool
    max_body: int
    max_upload: int
    max_rows: int
    max_features: int
    max_models: int
    rate: float
    snapshot_updates: int
    snapshot_seconds: float
    keep_predictions: int
    keep_hours: float
    journal_days: float

    def __init__(self, directory: str | os.PathLike[str], **given: Any) -> None:
        self.directory = Path(directory)
        for name in given:
            if name not in BY_NAME:
                raise BadParameter(f"the service has no setting {shown(name)}; its settings: {', '.join(BY_NAME)}")
        for setting in SETTINGS:
            value = given.get(setting.name)
            setattr(self, setting.name, setting.default if value is None else setting.check(value, setting.name))
        if self.port > 65535:
            raise BadParameter(f"port must be at most 65535: {self.port}")

    @property
    def on_loopback(self) -> bool:
        return self.host in LOOPBACK


def read_settings(
    directory: str | os.PathLike[str],
    flags: Mapping[str, Any],
    environment: Mapping[str, str] | None = None,
    config: str | os.PathLike[str] | None = None,
) -> Settings:
    """Settings from flags, then variables of the environment, then a TOML file, then the defaults.

    Parameters
    ----------
    directory : path
    flags : settings by name; None: not given
    environment : default: that of the process; `MISTAKEBOUND_SERVE_PORT` is the port, and so on
    config : path of a TOML file; default: serve.toml in the directory, if it is there
    """
    found = _from_file(Path(directory) / CONFIG if config is None else Path(config), required=config is not None)
    for name, text in (os.environ if environment is None else environment).items():
        if name.startswith(PREFIX):
            setting = BY_NAME.get(name[len(PREFIX) :].lower())
            if setting is None:
                raise BadParameter(f"{name}: the service has no such setting; its settings: {', '.join(BY_NAME)}")
            found[setting.name] = setting.check(text, name)
    for name, value in flags.items():
        if value is not None:
            found[name] = BY_NAME[name].check(value, BY_NAME[name].option)
    return Settings(directory, **found)


def _from_file(path: Path, *, required: bool) -> dict[str, Any]:
    import tomllib

    if not required and not path.exists():
        return {}
    try:
        with open(path, "rb") as file:
            read = tomllib.load(file)
    except OSError as error:
        raise BadParameter(f"cannot read {path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadParameter(f"{path} is not TOML: {error}") from error
    for name in read:
        if name not in BY_NAME:
            raise BadParameter(f"{path}: the service has no setting {shown(name)}; its settings: {', '.join(BY_NAME)}")
    return {name: BY_NAME[name].check(value, f"{path}: {name}") for name, value in read.items()}
