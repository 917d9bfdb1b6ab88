"""The service: many models that learn while they answer, and lose nothing (extra `serve`; docs/service.md).

`mistakebound serve DIR` is `serve(Settings(DIR))`; `Client` needs nothing but the standard library.
"""

from mistakebound.core.lazy import public as _public

__getattr__, __dir__, __all__ = _public(
    __name__,
    {
        "service.client": "Client ServiceError",
        "service.server": "serve",
        "service.settings": "Settings",
        "service.store": "backup replay",
        "service.tokens": "new_token",
    },
)
