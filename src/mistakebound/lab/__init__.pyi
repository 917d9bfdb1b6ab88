from mistakebound.lab.app import app as app
from mistakebound.lab.engine import Engine as Engine
