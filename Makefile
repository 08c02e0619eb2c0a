# The whole workflow, from a fresh clone. `make help` lists the verbs.
#
# Everything runs in .venv, which the first verb creates. PYTHON chooses the interpreter it is made
# from: `make test PYTHON=python3.12`.

PYTHON  ?= python3
WORKERS ?= 2
VENV    := .venv
OLDEST  := .venv-oldest
BIN     := $(VENV)/bin

# The tests of a file go to one worker, which makes what they share once. One thread per process for BLAS:
# pytest-xdist already uses the cores, and rounding stays the same. Pictures need no screen.
SINGLE := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 MPLBACKEND=Agg

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow test-oldest coverage wheel-demo fuzz lint format docs bench paper clean

help:  ## what each verb does
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: $(VENV)/.demo  ## simulate a catalogue, fit it, and compare what was planted with what was found
	$(BIN)/peculiar demo --out demo-output

test: lint $(VENV)/.lsdb  ## lint, then all tests but the slow ones, doctests included
	$(SINGLE) $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m "not slow"

test-slow: $(VENV)/.lsdb  ## the slow tests: statistics over many seeds
	$(SINGLE) $(BIN)/python -m pytest -n $(WORKERS) -m slow

test-oldest: $(OLDEST)/.test  ## the same tests with the oldest versions that pyproject.toml allows (in .venv-oldest)
	$(SINGLE) $(OLDEST)/bin/python -m pytest -n $(WORKERS) --dist loadfile -m "not slow" -W ignore::DeprecationWarning  # old meets new

# Kernels are compiled, so that no line of theirs is seen to run: the figure is of the rest. COVER chooses tests.
coverage: $(VENV)/.lsdb  ## which lines the tests run, with the total at the end; a page in htmlcov
	$(SINGLE) $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m "not slow" --cov --cov-report=term --cov-report=html $(COVER)

wheel-demo: $(BIN)/python  ## build the wheel in dist, install it in a clean environment, run the demo there
	rm -rf dist build/wheel-demo
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .
	$(PYTHON) -m venv build/wheel-demo
	build/wheel-demo/bin/python -m pip install --quiet "$$(ls dist/*.whl)[explore]"
	cd build/wheel-demo && bin/peculiar demo --out demo-output

fuzz: $(VENV)/.test  ## damaged files for every reader and for model files, for two minutes
	$(SINGLE) $(BIN)/python -m tests.fuzz.fuzz --seconds 120

lint: $(VENV)/.test  ## style, types, import layers, spelling
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/codespell

format: $(VENV)/.test  ## put the code in its standard form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.docs  ## build the pages in docs/_build/html; a warning is an error
	$(BIN)/sphinx-build -W --keep-going -n -b html docs docs/_build/html

bench: $(VENV)/.test $(VENV)/.docs  ## race the peers (installed in .venv-peers), write docs/benchmarks.md; half an hour
	$(SINGLE) $(BIN)/python -m benchmarks --page docs/benchmarks.md

paper: $(VENV)/.test  ## the experiments of the paper in full, for docs/paper.md; three quarters of an hour
	$(BIN)/peculiar reproduce --out docs/_static/paper

clean:  ## remove what the verbs wrote, except the environments
	rm -rf build dist demo-output benchmarks/results docs/_build docs/generated docs/gallery docs/sg_execution_times.rst
	rm -rf .pytest_cache .ruff_cache .mypy_cache .import_linter_cache .hypothesis .coverage .coverage.* htmlcov
	find src tests benchmarks examples docs -name __pycache__ -type d -prune -exec rm -rf {} +

# --------------------------------------------------------------------------------- installation

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# The stamps are older than pyproject.toml when the dependencies may have changed.
$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable ".[explore]"
	@touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable ".[test]"
	@touch $@

# LSDB asks for the newest NumPy and pandas, and does not install on every Python; its tests say so where they are skipped.
$(VENV)/.lsdb: pyproject.toml $(VENV)/.test
	$(BIN)/python -m pip install --quiet --editable ".[lsdb]" || echo "LSDB cannot be installed: its tests are skipped" >&2
	@touch $@

$(OLDEST)/.test: pyproject.toml tests/oldest.py
	$(PYTHON) -m venv $(OLDEST)
	$(PYTHON) tests/oldest.py pyproject.toml > $(OLDEST)/constraints.txt
	$(OLDEST)/bin/python -m pip install --quiet --constraint $(OLDEST)/constraints.txt --editable ".[test]"
	@touch $@

$(VENV)/.docs: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable ".[docs]"
	@touch $@
