# `make run` and `make test` are all a newcomer needs; each sets up what it needs itself.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.set-up
# One test process more than there are cores: many tests wait for servers, not for the processor.
WORKERS ?= $(shell n=$$(nproc 2>/dev/null || echo 2); echo $$(( n > 7 ? 8 : n + 1 )))

# The suite starts interpreters by the thousand: each source is compiled once, whatever the surroundings say.
unexport PYTHONDONTWRITEBYTECODE

# Small matrices in one thread: two would spend more processor time on waiting for each other than on the product.
export OPENBLAS_NUM_THREADS := 1
export OMP_NUM_THREADS := 1

.PHONY: help run test setup lint fix types test-fast e2e faults gpu bench eval editor lock pythons clean

help:  ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: setup  ## serve the site, the worker and (with a token) the bot
	@exec $(BIN)/warpmate run

# Types beside the tests: mypy begins from nothing on a clean checkout and keeps one core busy; what it objects to comes last.
test: setup  ## lint, types and every test that this machine can run
	@$(MAKE) --no-print-directory lint
	@said=$$(mktemp); $(BIN)/mypy >$$said 2>&1 & types=$$!; trap 'kill $$types 2>/dev/null; rm -f '$$said EXIT; \
		$(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder; tests=$$?; \
		wait $$types; typed=$$?; ((typed)) && cat $$said; exit $$((tests || typed))

setup: $(STAMP)  ## the virtual environment with everything; fast when nothing changed

# torch first: an index that offers a CPU build of exactly this version is then kept by everything after it.
$(STAMP): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
		{ echo "warpmate needs Python 3.11, 3.12 or 3.13; name one: make PYTHON=python3.12 setup" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing what requirements.lock names (once; a few minutes) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $$(grep '^torch==' requirements.lock)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

lint: setup  ## ruff, what pyproject.toml names against what is imported, and content/; changes nothing
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@$(BIN)/deptry warpmate bot web assistant knowledge indexer worker
	@$(BIN)/deptry tests bench --exclude '\.venv|tests/pastes' --ignore DEP002,DEP004
	@$(BIN)/warpmate content check

fix: setup  ## ruff, mending what it can
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

types: setup  ## mypy, strict
	@$(BIN)/mypy

test-fast: setup  ## the tests that need no server and no patience (under a minute)
	@$(BIN)/pytest tests/unit -m "not slow" -n $(WORKERS) --dist loadfile -q

e2e: setup  ## the bot over a local Discord, the site in a browser
	@TESTS_PICTURES=all $(BIN)/pytest tests/e2e

faults: setup  ## everything killed, cut, frozen and filled while members ask and hand in: nothing may be lost (20 minutes)
	@$(BIN)/python -m tests.faults

gpu: setup  ## the tests that need a CUDA card, then its measurements; writes bench/results/
	@$(BIN)/pytest tests/gpu
	@$(BIN)/python bench/gpu_judge.py

bench: setup  ## every benchmark, one after another
	@for file in bench/*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

eval: setup  ## quality of search, answers and refusals, with the ablation table
	@$(BIN)/python -m tests.eval.report

wheel: setup  ## dist/warpmate-….whl with everything in it; the same commit gives the same bytes
	@$(BIN)/python -m hatchling build --target wheel

editor:  ## web/static/editor.js, the site's editor, from web/editor/ (needs node and npm)
	@cd web/editor && npm ci --silent && npm run --silent build

lock:  ## resolve requirements.lock anew (needs uv)
	uv pip compile --universal --python-version 3.11 --extra app --extra dev --extra programs --extra triton --extra mcp --extra keyring --extra traces --no-header \
		--no-annotate --quiet -o requirements.lock pyproject.toml

pythons:  ## is there a wheel of everything in requirements.lock for each Python? (needs uv; installs nothing)
	@for version in 3.11 3.12 3.13; do echo "Python $$version"; uv pip install --quiet --dry-run --no-deps \
		--only-binary :all: --python-version $$version --python-platform x86_64-manylinux_2_28 \
		--target $(VENV) -r requirements.lock || exit 1; done

clean:  ## remove the virtual environment and caches; data/ stays
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache *.egg-info
