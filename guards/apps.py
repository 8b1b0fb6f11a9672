from django.apps import AppConfig


class GuardsConfig(AppConfig):
    name = "guards"
    default_auto_field = "django.db.models.BigAutoField"
