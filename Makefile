# Everything runs from .venv, which is made from requirements.lock at the first need.
PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
STAMP := .venv/.installed
NOTEBOOKS := $(shell find notebooks -name '*.ipynb' -not -path '*/.*' 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: help serve lab test slow check audit words clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 16

# One stamp for the whole environment: it is renewed when the pins or the project's own data change.
$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if (3, 11) <= sys.version_info < (3, 15) else "cardlab needs Python 3.11 to 3.14: make PYTHON=python3.11")'
	@echo "Filling .venv with the pinned packages (about a minute and 1.2 GB, once)"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $@

serve: $(STAMP) ## the app in the browser, at 127.0.0.1:5006
	$(BIN)/cardlab serve $(ARGS)

# Without PANEL_INLINE Panel asks other hosts for its scripts and stays blank offline.
lab: $(STAMP) ## JupyterLab in notebooks/
	PANEL_INLINE=true $(BIN)/jupyter lab --ServerApp.root_dir=notebooks $(ARGS)

test: $(STAMP) ## tests, doctests and notebooks
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder tests cardlab $(ARGS)
	$(if $(NOTEBOOKS),CARDLAB_DEMO=1 $(BIN)/python -m pytest -n 2 --dist loadfile --nbval-lax --nbval-current-env --nbval-cell-timeout=60 $(NOTEBOOKS),@echo "no notebooks yet")

slow: $(STAMP) ## the tests that take minutes
	$(BIN)/python -m pytest -m slow tests cardlab $(ARGS)

check: $(STAMP) ## lint, format, types, who may import whom, notebooks without outputs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy cardlab
	$(BIN)/lint-imports --no-logo
	$(if $(NOTEBOOKS),$(BIN)/nbstripout --verify $(NOTEBOOKS),@echo "no notebooks yet")

audit: $(STAMP) ## look the pinned packages up in the list of known vulnerabilities; needs the internet
	$(PYTHON) -m venv build/audit
	build/audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit
	build/audit/bin/pip-audit --strict --disable-pip --no-deps -r requirements.lock

words: $(STAMP) ## build the English and Russian catalogues
	$(BIN)/python tools/build_words.py $(ARGS)

clean: ## remove caches and build products; .venv stays
	rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find $(wildcard cardlab tests tools notebooks) -name __pycache__ -prune -exec rm -rf {} +
	find $(wildcard notebooks) -name .ipynb_checkpoints -prune -exec rm -rf {} +
