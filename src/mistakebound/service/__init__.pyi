from mistakebound.service.client import Client as Client
from mistakebound.service.client import ServiceError as ServiceError
from mistakebound.service.server import serve as serve
from mistakebound.service.settings import Settings as Settings
from mistakebound.service.store import backup as backup
from mistakebound.service.store import replay as replay
from mistakebound.service.tokens import new_token as new_token
