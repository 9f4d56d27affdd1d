# make run      the window (FILES="A.fa B.fa" to open these), set up on first use
# make test     all checks and tests
# make journeys the program used as a person does, on an X display, with pictures in .journeys; without
#               any display where QT_QPA_PLATFORM is offscreen
# make bench    the benchmarks (ARGS="--help")
# make format   lay out the sources
# make bundle   a standalone folder, dist/wavediff, and its tests
# make lock     renew the lock files (needs uv)

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& { echo $$p; break; }; done)
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif
UV_COMPILE := uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --upgrade \
	--generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links

.PHONY: run test journeys bench format bundle lock need-python

run: need-python
	@$(PYTHON) .ci/environment.py run
	@$(BIN)/python main.py $(FILES)

# Every check runs, whatever the ones before it found; the tests come last, so that their line is the last.
test: need-python
	@$(PYTHON) .ci/environment.py test
	@status=0; \
	$(BIN)/python -m ruff check . || status=1; \
	$(BIN)/python -m ruff format --check . || status=1; \
	$(BIN)/python -m mypy || status=1; \
	$(BIN)/python -m pytest -q -n auto --dist loadfile $(ARGS) || status=1; \
	exit $$status

journeys: need-python
	@$(PYTHON) .ci/environment.py test
	@$(BIN)/python -m tests.journeys $(ARGS)

bench: need-python
	@$(PYTHON) .ci/environment.py test
	@$(BIN)/python main.py bench $(ARGS)

format: need-python
	@$(PYTHON) .ci/environment.py test
	@$(BIN)/python -m ruff check --fix-only --quiet . ; $(BIN)/python -m ruff format .

bundle: need-python
	@$(PYTHON) .ci/environment.py test
	@$(BIN)/python -m PyInstaller --noconfirm --log-level ERROR .ci/bundle.spec
	@du -sh dist/wavediff
	@WAVEDIFF_BUNDLE=dist/wavediff $(BIN)/python -m pytest -q tests/packaging/test_bundle.py $(ARGS)

lock:
	$(UV_COMPILE) --output-file requirements.lock
	$(UV_COMPILE) --extra test --extra bench --extra bundle --constraints requirements.lock \
		--output-file requirements-test.lock

need-python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and none was found"; exit 1; }
