# Two commands on a fresh machine: `make run` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# what the extensions in C are built from, when the package is installed
BUILT_FROM := pyproject.toml hatch_build.py $(wildcard src/articulated/compiler/runtime/*.[ch] src/articulated/control/qp/*.[ch] src/articulated/bridges/*.c)

.PHONY: run test test-long test-bare test-bridges test-browser sanitize lint types docs dist bench bench-quick clean

run: $(VENV)/.run
	$(BIN)/python -m articulated

# what is imported is compiled once, also where the environment forbids it: tests start hundreds of programs
unexport PYTHONDONTWRITEBYTECODE

# one process for each core: more threads of OpenBLAS would wait for each other, spinning; neighbours stay together
# until a process has nothing left (worksteal), since tests of one file share robots, kernels and derivations
PYTEST := -m pytest -n auto --dist=worksteal
test test-long test-bare test-bridges test-browser: export OPENBLAS_NUM_THREADS = 1

test: $(VENV)/.test $(VENV)/.katex
	$(BIN)/python -m docs.site.stubs >/dev/null
	KATEX=$(CURDIR)/$(VENV)/katex/node_modules/katex $(BIN)/python $(PYTEST) -m "not browser and not long"

test-long: $(VENV)/.test
	$(BIN)/python $(PYTEST) -m long

# What works without any extra, in an environment that has none: where an extra is asked for, or a table, a file or a
# solver may be missing.  Whatever computes with NumPy and LLVM alone does so with extras or without: `make test` has it,
# and `make test-bare BARE=tests` runs everything.
BARE ?= tests/project/test_extras.py tests/project/test_first_day.py tests/logs tests/control/test_bad_input.py \
	tests/files/test_catalogue.py tests/files/test_formats.py tests/files/test_mjcf.py tests/files/test_toml.py \
	tests/files/test_toml_symbols.py tests/files/test_urdf.py tests/files/test_xacro.py \
	tests/cli/test_commands.py tests/cli/test_derive.py tests/cli/test_logs.py tests/cli/test_plot.py \
	tests/cli/test_usage.py tests/simulation/test_storage.py tests/simulation/test_tables.py
test-bare: .venv-bare/.test
	.venv-bare/bin/python $(PYTEST) --bare $(BARE)

.venv-bare/.test: pyproject.toml
	$(PYTHON) -m venv .venv-bare
	.venv-bare/bin/python -m pip install --quiet -e . pytest pytest-xdist hypothesis && touch $@

# robots in PyTorch, JAX and CasADi, in an environment of their own.  A PyTorch without CUDA is preferred where pip knows
# one (PIP_FIND_LINKS, PIP_EXTRA_INDEX_URL): on Linux the usual wheel brings gigabytes of it
TORCH_ON_CPU := torch==2.13.0+cpu
test-bridges: .venv-bridges/.test
	.venv-bridges/bin/python $(PYTEST) tests/bridges
	.venv-bridges/bin/python -m pytest tests/project/test_documents.py -k bridges

.venv-bridges/.test: pyproject.toml
	$(PYTHON) -m venv .venv-bridges
	.venv-bridges/bin/python -m pip install --quiet "$(TORCH_ON_CPU)" || .venv-bridges/bin/python -m pip install --quiet torch
	.venv-bridges/bin/python -m pip install --quiet -e ".[torch,jax,casadi]" pytest pytest-xdist hypothesis && touch $@

# the page in a browser: Chromium without a window, Debian's if there is none and apt may install it
test-browser: $(VENV)/.browser
	$(BIN)/python -m pytest -m browser tests/viewer

$(VENV)/.browser: $(VENV)/.test
	$(BIN)/python -m pip install --quiet "playwright>=1.40"
	@$(FIND_CHROMIUM) >/dev/null || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends chromium >/dev/null; \
		else echo "make test-browser needs Chromium: install it (Debian: sudo apt install chromium), or name one in CHROMIUM" >&2; exit 1; fi; }
	touch $@
FIND_CHROMIUM = { [ -n "$$CHROMIUM" ] || command -v chromium || command -v chromium-browser || command -v google-chrome; }

# the call in C under the address and undefined-behaviour sanitizers (gcc); the ordinary build comes back afterwards
SANITIZERS := -fsanitize=address,undefined
sanitize: $(VENV)/.test
	CFLAGS="-g -fno-omit-frame-pointer -fno-sanitize-recover=undefined $(SANITIZERS)" LDFLAGS="$(SANITIZERS)" \
		ARTICULATED_EXTENSION=required $(BIN)/python -m pip install --quiet --no-deps -e .
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0 \
		PYTHONMALLOC=malloc ARTICULATED_EXTENSION=required $(BIN)/python -m pytest tests/compiler/runtime tests/control/test_active_set.py; \
		found=$$?; $(BIN)/python -m pip install --quiet --no-deps -e . && exit $$found

lint: $(VENV)/.dev
	$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/python -m docs.site.stubs >/dev/null && $(BIN)/mypy

# The site, in an environment of its own: build/site/index.html.  Every block of every page runs, a warning is an error, and
# the notebook runs.  MathJax, one file, comes from npm and is part of the site: its pages fetch nothing from elsewhere.
docs: .venv-docs/.docs .venv-docs/mathjax/mathjax.js
	MATHJAX=$(CURDIR)/.venv-docs/mathjax .venv-docs/bin/python -m sphinx -W --keep-going -E -q -c docs -b html . build/site
	.venv-docs/bin/python -m docs.site.inspection build/site

.venv-docs/.docs: $(BUILT_FROM)
	$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/python -m pip install --quiet -e ".[docs]"
	.venv-docs/bin/python -m pip install --quiet roboticstoolbox-python || true  # its programs are then shown, not run
	touch $@

.venv-docs/mathjax/mathjax.js: | .venv-docs/.docs
	command -v npm >/dev/null || { echo "make docs needs npm, for MathJax"; exit 1; }
	npm install --silent --no-save --prefix .venv-docs/npm mathjax@3
	mkdir -p $(@D) && cp .venv-docs/npm/node_modules/mathjax/es5/tex-svg.js $@

# a wheel and the sources as they would be uploaded, looked at by those who know what is wrong with such files
dist: $(VENV)/bin/python
	rm -rf dist && $(BIN)/python -m pip install --quiet build twine check-wheel-contents
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl

# the headline ratios in under a minute
bench-quick: $(VENV)/.bench
	@$(BIN)/python -m benchmarks.quick

# everything: writes benchmarks/results.md, benchmarks/contacts.md, benchmarks/call.md and benchmarks/plots
bench: $(VENV)/.peers
	$(BIN)/python -m benchmarks.full
	$(BIN)/python -m benchmarks.contacts
	$(BIN)/python -m benchmarks.call

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# one stamp per set of extras: installing again only when the project file or the call in C changed
$(VENV)/.run: $(BUILT_FROM) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet -e . && touch $@

# LOCK=.ci/ubuntu-3.11.lock: exactly the packages of that file, each with its hash (Linux with Python 3.11)
$(VENV)/.test: $(BUILT_FROM) $(LOCK) | $(VENV)/bin/python
	$(if $(LOCK),$(BIN)/python -m pip install --quiet --require-hashes --only-binary :all: -r $(LOCK))
	$(BIN)/python -m pip install --quiet $(if $(LOCK),--no-deps --no-build-isolation) -e ".[dev]"
	touch $@ $(VENV)/.dev $(VENV)/.run

$(VENV)/.dev: $(VENV)/.test

# KaTeX reads the exported LaTeX; without npm that one test is skipped
$(VENV)/.katex: | $(VENV)/bin/python
	command -v npm >/dev/null && npm install --silent --no-save --prefix $(VENV)/katex katex || true
	touch $@

$(VENV)/.bench: $(BUILT_FROM) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet -e ".[bench]" && touch $@ $(VENV)/.run

# the peers that are large or do not install everywhere: what is missing is said in the results
$(VENV)/.peers: $(VENV)/.bench
	for peer in dynibo frax adam-robotics roboticstoolbox-python; do $(BIN)/python -m pip install --quiet $$peer || true; done
	touch $@

clean:
	rm -rf $(VENV) .venv-bare .venv-bridges .venv-docs .pytest_cache .hypothesis .mypy_cache .ruff_cache dist build
	rm -f src/articulated/compiler/runtime/*.so src/articulated/control/qp/*.so src/articulated/bridges/*.so
