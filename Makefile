# make run      open the window; with files: FILES="A.fa B.fa"
# make quick    format, types, and the tests nearest to what changed since main, in half a minute; SINCE=REVISION
# make test     all checks, and all tests but the thorough ones; some of them: ARGS=tests/core/test_pairwise.py
# make levels   test the kernels with narrower vectors; LEVELS="x86-64-v3 x86-64"
# make check    the thorough tests: every architecture, genome size, bounds on time, journeys, fuzzing, bundle, site
# make journeys use the whole program as a user does, with pictures in .journeys; LATE=0.3 delays answers of threads
# make bench    the benchmarks; ARGS="--help"
# make fuzz     read mutated files of our own formats, ten minutes of each; SECONDS=60 ARGS="record --seed 1"
# make hooks    check each commit before it is made (.pre-commit-config.yaml)
# make cluster  start a Dask scheduler with two workers here, until Ctrl+C
# make matrix   some tests with the oldest and the newest packages allowed; downloads them
# make format   lay out the sources
# make docs     build the site, build/docs/index.html
# make arm      run each kind of job under qemu as a 64-bit ARM does; ARGS="-k affine"
# make wheels   build a wheel with compiled kernels for each Python found here, in dist
# make bundle   build a standalone folder, dist/wavediff, and test it
# make lock     renew the lock files (needs uv)

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& { echo $$p; break; }; done)
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif
# Many tests start the program: without compiled modules on the disk half of that is compiling them again.
unexport PYTHONDONTWRITEBYTECODE
# The plugin tests/speeds.py lets the longest files begin.
PARALLEL := $(BIN)/python -m pytest -q -n auto --dist loadfile --no-loadscope-reorder --max-worker-restart 0
UV_COMPILE := uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --upgrade \
	--generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links

.PHONY: help run quick test levels check fuzz hooks journeys bench cluster matrix format docs arm wheels bundle lock need-python

help:
	@sed -n 's/^# make /make /p' $(firstword $(MAKEFILE_LIST))

run: need-python
	@$(PYTHON) .ci/environment.py run
	@$(BIN)/python main.py $(or $(FILES),--demo)

quick: need-python
	@$(PYTHON) .ci/environment.py test
	@$(BIN)/python -m tests.quick $(if $(SINCE),--since $(SINCE)) $(ARGS)

# Every check runs, whatever the ones before it found. Types are checked beside the tests, and told after them.
test: need-python
	@$(PYTHON) .ci/environment.py test
	@mkdir -p build; status=0; \
	$(BIN)/python -m ruff check . || status=1; \
	$(BIN)/python -m ruff format --check . || status=1; \
	$(BIN)/python -m tests.type_check > build/types.txt 2>&1 & types=$$!; trap 'kill $$types' INT TERM; \
	$(PARALLEL) $(ARGS) || status=1; \
	wait $$types || status=1; cat build/types.txt; \
	exit $$status

LEVELS ?= x86-64-v3
levels: need-python
	@$(PYTHON) .ci/environment.py test
	@$(BIN)/python -m tests.levels $(LEVELS) $(if $(ARGS),-- $(ARGS))

# Bounds on time come last and alone. Kernels to ship are compiled by hand (make bundle): it takes four minutes more.
check: need-python
	@$(PYTHON) .ci/environment.py check
	@status=0; \
	$(BIN)/python -m tests.levels x86-64 || status=1; \
	WAVEDIFF_DEEP=1 $(PARALLEL) -m "(thorough or deeper) and not (timed or journey)" || status=1; \
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m tests.journeys -m "journey and not timed" || status=1; \
	$(BIN)/python -m tests.fuzz --seconds 20 --seed 1 || status=1; \
	WAVEDIFF_BUILD_KERNELS=none make bundle || status=1; \
	make docs || status=1; \
	WAVEDIFF_TIMED=1 $(BIN)/python -m pytest -q -m timed || status=1; \
	exit $$status

SECONDS ?= 600
fuzz: need-python
	@$(PYTHON) .ci/environment.py test
	@$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(ARGS)

hooks: need-python
	@$(PYTHON) .ci/environment.py test
	@$(BIN)/python -m pre_commit install

journeys: need-python
	@$(PYTHON) .ci/environment.py test
	@$(if $(LATE),WAVEDIFF_LATE_SECONDS=$(LATE)) $(BIN)/python -m tests.journeys $(ARGS)

bench: need-python
	@$(PYTHON) .ci/environment.py test
	@$(BIN)/python main.py bench $(ARGS)

cluster: need-python
	@$(PYTHON) .ci/environment.py test
	@$(BIN)/python -m tests.cluster $(ARGS)

matrix: need-python
	@$(PYTHON) .ci/matrix.py $(ARGS)

format: need-python
	@$(PYTHON) .ci/environment.py test
	@$(BIN)/python -m ruff check --fix-only --quiet . ; $(BIN)/python -m ruff format .

docs: need-python
	@$(PYTHON) .ci/environment.py test
	@$(BIN)/python -m sphinx -q -W --keep-going -b html resources/docs build/docs
	@echo build/docs/index.html

arm: need-python
	@$(PYTHON) .ci/arm.py $(ARGS)

wheels: need-python
	@$(PYTHON) .ci/wheels.py

bundle: need-python
	@$(PYTHON) .ci/environment.py test
	@$(BIN)/python -m PyInstaller --noconfirm --log-level ERROR .ci/bundle.spec
	@du -sh dist/wavediff
	@WAVEDIFF_BUNDLE=dist/wavediff $(BIN)/python -m pytest -q tests/packaging/test_bundle.py $(ARGS)

lock:
	$(UV_COMPILE) --output-file requirements.lock
	$(UV_COMPILE) --extra test --extra bench --extra bundle --extra docs --constraints requirements.lock \
		--output-file requirements-test.lock
	$(UV_COMPILE) --extra films --extra bam --extra cluster --constraints requirements-test.lock --output-file requirements-extras.lock
	for gpu in gpu-cu12 gpu-cu13; do \
	$(UV_COMPILE) --extra $$gpu --constraints requirements-test.lock --output-file requirements-$$gpu.lock || exit 1; done

need-python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and none was found"; exit 1; }
