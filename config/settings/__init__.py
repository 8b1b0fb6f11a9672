"""Every setting, composed from one small module a subject. Values come from the environment."""

from config.settings.apps import *
from config.settings.celery import *
from config.settings.channels import *
from config.settings.database import *
from config.settings.logging import *
from config.settings.rest import *
from config.settings.runtime import *
from config.settings.security import *
from config.settings.unfold import *
