# The whole life of a checkout: setup, run, test, lint, stack, bench.
# Every variable works by environment and on the make line: make run PORT=9000

PYTHON ?= $(shell command -v python3.11 || command -v python3)
UV_VERSION := 0.13.8
PY := .venv/bin/python

# The demo is for trying out; the production shape gets it only when asked for.
STACK_DEMO := $(or $(DEMO),0)
HOST ?= 127.0.0.1
PORT ?= 8000
DEMO ?= 1
LASTWORD_DATA ?= $(CURDIR)/var
SERVERS ?= 2
export HOST PORT DEMO LASTWORD_DATA

DEMO_COMMAND := $(wildcard */management/commands/demo.py)

.PHONY: setup run test lint stack bench messages screenshots
.DEFAULT_GOAL := run

# uv installs in seconds where pip takes a minute; where only pip knows the package index, pip does it.
define INSTALL
@echo "Installing $(1) ..."
@.venv/bin/uv pip install --quiet -p .venv -r $(1) || $(PY) -m pip install --quiet -r $(1)
@touch $@
endef

$(PY):
	@echo "Making .venv with $(PYTHON) ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Lastword needs Python 3.11 or newer: make PYTHON=...")'
	@$(PYTHON) -m venv .venv
	@$(PY) -m pip install --quiet uv==$(UV_VERSION)

.venv/.runtime: requirements.txt | $(PY)
	$(call INSTALL,requirements.txt)

.venv/.development: requirements-dev.txt requirements.txt | $(PY)
	$(call INSTALL,requirements-dev.txt)

setup: .venv/.runtime
	@[ -s "$(LASTWORD_DATA)/secret_key" ] || $(PY) -m config.secrets "$(LASTWORD_DATA)/secret_key"

# Plain HTTP by default: both targets serve a machine's own address, for trying out.
run stack: export LASTWORD_HTTPS ?= 0
run: setup
	@echo "Preparing the database ..."
	@$(PY) manage.py migrate --noinput --verbosity 0
	@[ "$(DEMO)" != 1 ] || [ -z "$(DEMO_COMMAND)" ] || $(PY) manage.py demo
	@if [ -n "$$DATABASE_URL" ]; then exec $(PY) -m config.stack --servers 1; else exec $(PY) -m config.serve; fi

stack: export DEMO := $(STACK_DEMO)
stack: setup
	@echo "Preparing the database ..."
	@$(PY) manage.py migrate --noinput --verbosity 0
	@[ "$(DEMO)" != 1 ] || [ -z "$(DEMO_COMMAND)" ] || $(PY) manage.py demo
	@exec $(PY) -m config.stack --servers $(SERVERS)

test: .venv/.development
	@$(PY) -m tests.run $(ARGS)

lint: .venv/.development
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@.venv/bin/bandit --quiet -c pyproject.toml -r config conversations flows guards audit client tools manage.py
# Models are the same on every stack, so the check needs neither a server nor its secrets.
	@env -u DATABASE_URL -u REDIS_URL LASTWORD_DATA=$$(mktemp -d) $(PY) manage.py makemigrations --check --dry-run

bench: .venv/.development
	@$(PY) -m bench.api $(ARGS)

# Both are run by hand when words or screens have changed; their results are committed.
messages: .venv/.development
	@$(PY) -m tools.messages

screenshots: .venv/.development
	@$(PY) -m tools.screenshots
