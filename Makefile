# Set-up happens by itself, in .venv; PYTHON=python3.12 make ... chooses the interpreter.
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
INSTALL := $(PIP) install -q --no-compile -c constraints.txt
BUILD := $(BIN)/python setup.py -q build_ext --inplace
PYTEST := $(BIN)/python -m pytest
PARALLEL := -n 2 --dist worksteal
# Assertions are not rewritten: that would take longer than to run a third of the tests. What fails runs again, rewritten,
# so that it explains itself. $(call TESTED,kernels,arguments)
define TESTED
MISTAKEBOUND_KERNELS=$(1) $(PYTEST) $(PARALLEL) --assert=plain $(2) \
    || { MISTAKEBOUND_KERNELS=$(1) $(PYTEST) --lf --lfnf=none $(2); exit 1; }
endef
KERNELS := $(wildcard src/mistakebound/kernels/[a-z]*.py src/mistakebound/kernels/*.pxd)
CHECKED := build/checked
# The files with tests that also run on the uncompiled kernels; to collect all others takes longer than to run these.
MARKED = src/mistakebound/kernels tests/kernels $(shell grep -rl --include='test_*.py' 'mark\.kernel' tests)

# Hundreds of tests start a process: without bytecode in files each of them would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE
ASAN := build/asan
COPIED = pyproject.toml setup.py Makefile constraints.txt README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md SECURITY.md LICENSE mkdocs.yml MANIFEST.in tools src tests docs benchmarks
define COPY
rm -rf $(1)
mkdir -p $(1)
tar -cf - --exclude=__pycache__ --exclude='*.so' --exclude='_built*.txt' --exclude='*.egg-info' $(wildcard $(COPIED)) \
    | tar -xf - -C $(1)
endef

.DEFAULT_GOAL := help
.PHONY: help run test test-long test-extras chromium test-pythons lint format build docs lab-static dist test-dist bench clean ready again \
    test-compiled test-source test-checked test-asan

# The interpreter, or a sentence that says why there is none; looked for when it is needed, and once.
CHOSEN = $(eval CHOSEN := $$(shell tools/pythons choose "$(PYTHON)"))$(CHOSEN)

# Another version than the one in .venv is asked for by name: set up anew.
ifdef PYTHON
ifneq ($(wildcard $(BIN)/python),)
ifneq ($(shell $(PYTHON) -V 2>/dev/null),$(shell $(BIN)/python -V 2>/dev/null))
.venv/.tools: again
endif
endif
endif

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*##\(.*\)/make \1\t\2/p' Makefile | expand -t 18

run: .venv/.tools  ## what it does, in a minute: a table, a theorem, a hunt
	@$(MAKE) -s --no-print-directory -j2 .venv/.runs .venv/.built
	@$(BIN)/mistakebound demo

# Style and types use one core, so the source kernels are tested beside them.
test: ready  ## everything that must pass (a few minutes)
	$(MAKE) -j2 lint test-source
	$(MAKE) test-compiled

test-long: ready  ## all cases and full counts, and the short tests on bounds-checked kernels
	MISTAKEBOUND_KERNELS=compiled $(PYTEST) $(PARALLEL) --long
	$(MAKE) test-checked

test-extras: ready .venv/.extras chromium  ## what needs scikit-learn, River, pandas, polars and a browser; it installs them
	MISTAKEBOUND_KERNELS=compiled $(PYTEST) $(PARALLEL) --extras tests/extras

# The browser that plays through the lab's pages; their tests are skipped where there is none.
chromium:
	@command -v chromium > /dev/null || apt-get install -y -qq chromium \
	    || echo "chromium could not be installed: the lab's pages will not be tested"

test-pythons:  ## `make test` with every Python of 3.11 to 3.14 that is installed, each in build/python-X.Y
	@tools/test-pythons $(PYTHONS)

lint: .venv/.installed  ## style, types, layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: .venv/.installed  ## let ruff mend what it can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: .venv/.bench  ## every claim of speed, as a ratio against a named peer: one table, in docs/benchmarks.md too
	@$(BIN)/python benchmarks/table.py

clean:  ## remove everything that was built
	rm -rf .venv build dist demo src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	rm -f src/mistakebound/kernels/*.so src/mistakebound/kernels/*.pyd src/mistakebound/kernels/_built*.txt
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +

build: .venv/.tools  ## compile the kernels whose source changed, and write their type stubs
	$(BIN)/python tools/stubs.py
	$(BUILD)
	@touch .venv/.built

docs: ready .venv/.extras  ## the documentation site, in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "build/site/index.html"

# npm fetches Pyodide into build/npm; the pages ask for nothing but their own files.
lab-static: .venv/.installed  ## the lab as files for any web server, its engine in the browser, in build/lab-static
	@$(BIN)/python tools/lab-static build/lab-static

dist: ready  ## source distribution and wheel of mistakebound, and the wheel of setbisect: hunt alone
	@rm -rf dist; find build/lib.* -type f ! -name '*.so' -delete 2> /dev/null || true
	$(BIN)/python -W ignore setup.py -q sdist bdist_wheel
	@$(BIN)/python tools/setbisect dist
	@$(BIN)/python tools/release report dist

test-dist: dist  ## what `make dist` built, installed in empty environments, with and without a C compiler
	$(BIN)/python tools/release smoke dist

# Bytecode is written once, not by each of the workers.
test-compiled: .venv/.installed .venv/.built
	@$(BIN)/python -m compileall -q -j 2 src tests
	$(call TESTED,compiled)

# The uncompiled kernels, first as on a machine without Cython, then their own tests under Cython's `cython` module.
test-source: .venv/.installed
	$(call TESTED,source,-m kernel --shim $(MARKED))
	$(call TESTED,source,tests/kernels)

# In a copy, so that the bounds-checked kernels never replace the normal ones.
test-checked: .venv/.installed
	$(call COPY,$(CHECKED))
	cd $(CHECKED) && MISTAKEBOUND_CHECKED=1 MISTAKEBOUND_REQUIRE_COMPILE=1 $(CURDIR)/$(BUILD)
	cd $(CHECKED) && PYTHONPATH=$(CURDIR)/$(CHECKED)/src MISTAKEBOUND_KERNELS=compiled $(CURDIR)/$(PYTEST) $(PARALLEL) \
	    --ignore=tests/test_no_compiler.py
	cd $(CHECKED) && PYTHONPATH=$(CURDIR)/$(CHECKED)/src MISTAKEBOUND_KERNELS=compiled $(CURDIR)/$(PYTEST) $(PARALLEL) \
	    --long -m long tests/fuzz/test_structures.py

# Changed files through every command on kernels that an address sanitiser watches (gcc); CASES of each kind of file.
CASES ?= 1000
test-asan: .venv/.installed  ## fuzz files on address-sanitised kernels
	$(call COPY,$(ASAN))
	cd $(ASAN) && CFLAGS="-fsanitize=address -fno-omit-frame-pointer" LDFLAGS=-fsanitize=address \
	    MISTAKEBOUND_REQUIRE_COMPILE=1 $(CURDIR)/$(BUILD)
	cd $(ASAN) && for kind in models checkpoints caches logs rows; do echo "== $$kind"; \
	    PYTHONPATH=$(CURDIR)/$(ASAN)/src MISTAKEBOUND_KERNELS=compiled PYTHONMALLOC=malloc \
	    ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 LD_PRELOAD=$$($(CC) -print-file-name=libasan.so) \
	    $(CURDIR)/$(BIN)/python tests/fuzz/structure_child.py $$kind $(CASES) 3 --no-limit > $$kind.txt 2>&1; \
	    code=$$?; grep -v '^case [0-9]*$$' $$kind.txt; [ $$code = 0 ] || { tail -40 $$kind.txt; exit 1; }; done

# Two halves that do not need each other: packages are unpacked while the kernels are compiled.
ready: .venv/.tools
	@$(MAKE) -s --no-print-directory -j2 .venv/.installed .venv/.built

.venv/.tools: constraints.txt
	$(if $(filter Mistakebound,$(firstword $(CHOSEN))),$(error $(CHOSEN)))
	@echo "setting up .venv (a minute or two)"
	@rm -rf .venv
	@"$(CHOSEN)" -m venv .venv
	@$(INSTALL) setuptools Cython
	@touch $@

.venv/.installed: .venv/.tools pyproject.toml
	@MISTAKEBOUND_NO_COMPILE=1 $(INSTALL) --no-build-isolation -e ".[dev]"
	@touch $@ .venv/.runs

# What the program itself needs, with its pictures.
.venv/.runs: .venv/.tools pyproject.toml
	@MISTAKEBOUND_NO_COMPILE=1 $(INSTALL) --no-build-isolation -e ".[plot]"
	@touch $@

.venv/.built: .venv/.tools setup.py $(KERNELS)
	@echo "compiling the kernels"
	@$(BUILD)
	@touch $@

.venv/.extras: .venv/.installed pyproject.toml
	@echo "installing what the extras need"
	@MISTAKEBOUND_NO_COMPILE=1 $(INSTALL) --no-build-isolation -e ".[dev,extras]"
	@touch $@

.venv/.bench: .venv/.installed .venv/.built
	@$(INSTALL) $$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["bench"])') \
	    || echo "a peer could not be installed: its figures will be left out"
	@touch $@
