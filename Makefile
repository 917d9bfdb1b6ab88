# Set-up happens by itself, in .venv; PYTHON=python3.12 make ... chooses the interpreter.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
BUILD := $(BIN)/python setup.py -q build_ext --inplace
PYTEST := $(BIN)/python -m pytest
PARALLEL := -n 2 --dist worksteal
KERNELS := $(wildcard src/mistakebound/kernels/[a-z]*.py src/mistakebound/kernels/*.pxd)
CHECKED := build/checked

.DEFAULT_GOAL := help
.PHONY: help run test test-long lint format build bench clean test-compiled test-source test-checked

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*##\(.*\)/make \1\t\2/p' Makefile | expand -t 18

run: .venv/.built  ## Winnow against the perceptron on a stream of a million attributes
	@$(BIN)/mistakebound demo

# Style and types use one core, so the source kernels are tested beside them.
test: .venv/.built  ## everything that must pass (a few minutes)
	$(MAKE) -j2 lint test-source
	$(MAKE) test-compiled

test-long: .venv/.built  ## the long tests, and all tests on the bounds-checked kernels
	MISTAKEBOUND_KERNELS=compiled $(PYTEST) $(PARALLEL) --long
	$(MAKE) test-checked

lint: .venv/.built  ## style, types, floors
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: .venv/.built  ## let ruff mend what it can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: .venv/.bench  ## every claim of speed, as a ratio against a named peer
	@for script in benchmarks/[a-z]*.py; do echo "== $$script"; $(BIN)/python $$script || exit; done

clean:  ## remove everything that was built
	rm -rf .venv build dist demo src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	rm -f src/mistakebound/kernels/*.so src/mistakebound/kernels/*.pyd src/mistakebound/kernels/_built*.txt
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +

build: .venv/.installed  ## compile the kernels whose source changed
	$(BUILD)
	@touch .venv/.built

test-compiled: .venv/.built
	MISTAKEBOUND_KERNELS=compiled $(PYTEST) $(PARALLEL)

# The uncompiled kernels, first as on a machine without Cython, then their own tests under Cython's `cython` module.
test-source: .venv/.installed
	MISTAKEBOUND_KERNELS=source $(PYTEST) $(PARALLEL) -m kernel --shim
	MISTAKEBOUND_KERNELS=source $(PYTEST) $(PARALLEL) tests/kernels --hypothesis-profile=quick

# In a copy, so that the bounds-checked kernels never replace the normal ones.
test-checked: .venv/.installed
	rm -rf $(CHECKED)
	mkdir -p $(CHECKED)
	tar -cf - --exclude=__pycache__ --exclude='*.so' --exclude='_built*.txt' --exclude='*.egg-info' \
	    $(wildcard pyproject.toml setup.py Makefile README.md LICENSE MANIFEST.in src tests docs) | tar -xf - -C $(CHECKED)
	cd $(CHECKED) && MISTAKEBOUND_CHECKED=1 MISTAKEBOUND_REQUIRE_COMPILE=1 $(CURDIR)/$(BUILD)
	cd $(CHECKED) && PYTHONPATH=$(CURDIR)/$(CHECKED)/src MISTAKEBOUND_KERNELS=compiled $(CURDIR)/$(PYTEST) $(PARALLEL) \
	    --ignore=tests/test_no_compiler.py

.venv/.installed: pyproject.toml
	@echo "setting up .venv (about a minute)"
	@$(PYTHON) -m venv .venv
	@$(PIP) install -q "setuptools>=77" "Cython>=3.1"
	@MISTAKEBOUND_NO_COMPILE=1 $(PIP) install -q --no-build-isolation -e ".[dev]"
	@touch $@

.venv/.built: .venv/.installed setup.py $(KERNELS)
	@echo "compiling the kernels"
	@$(BUILD)
	@touch $@

.venv/.bench: .venv/.built
	@$(PIP) install -q $$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["bench"])') \
	    || echo "a peer could not be installed: its figures will be left out"
	@touch $@
