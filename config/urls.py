"""Every address of the site."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView
from django.views.i18n import JavaScriptCatalog
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiJsonRenderer2, OpenApiYamlRenderer
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from config import console, health
from config.exposition import ExpositionView
from conversations.views.welcome import WelcomeView

# One line an app whose API is served below /api/v1; its own urls module has the paths.
API_MODULES = [
    "conversations.api.urls",
    "audit.api.urls",
    "flows.api.urls",
    "guards.api.urls",
]

# JSON unless YAML is asked for.
SCHEMA_RENDERERS = [OpenApiJsonRenderer2, OpenApiJsonRenderer, OpenApiYamlRenderer]

api_v1: list[URLPattern | URLResolver] = [
    path("schema", SpectacularAPIView.as_view(renderer_classes=SCHEMA_RENDERERS), name="schema"),
    # Split: its script comes as a file of its own, so the page needs no inline script.
    path("docs", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
    *(path("", include(module)) for module in API_MODULES),
]

urlpatterns = [
    path("api/v1/", include(api_v1)),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("i18n/", include("django.conf.urls.i18n")),
    # the catalogue holds our own words only; the named app has none, and spares reading everybody else's
    path("i18n/words.js", JavaScriptCatalog.as_view(packages=["conversations"]), name="words"),
    path("admin/welcome/<uidb64>/<token>", WelcomeView.as_view(), name="welcome"),
    path("metrics", ExpositionView.as_view(), name="exposition"),
    path("admin/console/", include((console.screens(), "console"))),
    # what needs somebody now comes before the list of tables
    path("admin/", RedirectView.as_view(pattern_name="console:home")),
    path("admin/", admin.site.urls),
    path("admin", RedirectView.as_view(pattern_name="console:home")),
    path("", RedirectView.as_view(pattern_name="console:home")),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.permission_denied"
handler404 = "config.errors.page_not_found"
handler500 = "config.errors.server_error"
