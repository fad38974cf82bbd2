# Marey: `make demo` first, then `make test`. `make help` lists the rest.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# The vector units to build for: x86-64-v3 (AVX2, FMA) where this machine has them, else the baseline.
MAREY_CPU ?= $(shell if [ "$$(uname -m)" != x86_64 ] || grep -qw avx2 /proc/cpuinfo; then echo v3; else echo base; fi)
export MAREY_CPU

RELEASE := .build-release
DEBUG := .build-debug
VENV := .venv-tests
ORACLES := $(CURDIR)/.build-oracles
MAREY := $(RELEASE)/release/marey
# Suites that wait for services and other programs, and those whose devices keep a pace of their own.
WAITING := ^((UploadTests|ServiceTests)\.|DevicesTests\.LSLTests|RecorderTests\.(Crash|Recorder)Tests)
PACED := ^(AcquisitionTests\.|DevicesTests\.(ByteLog|RelayClient|TCPLink|SerialLink|BlueZ|MockedBlueZ)Tests|SessionsTests\.LivePrediction)
RUN_TESTS = MAREY_ORACLES=$(ORACLES) VIRTUAL_ENV=$(CURDIR)/$(VENV) scripts/run-tests -c release \
  --scratch-path $(RELEASE) --disable-testable-imports --skip-build
INPUT ?=
OUTPUT ?= demo-out

.PHONY: help
help: ## what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/make \1\t\2/' | expand -t 24

.PHONY: demo
demo: packages release ## from a clone to reports on simulated and real recordings; INPUT=path for your own file
	@scripts/demo $(MAREY) $(OUTPUT) $(INPUT)

.PHONY: test
test: test-packages $(VENV)/.done ## install what the tests need and run them all
	@mkdir -p $(ORACLES)
	@scripts/write-oracles $(VENV)/bin/python $(ORACLES)
	swift build --build-tests -c release --scratch-path $(RELEASE)
	@# The program that is tested is the one that users get.
	$(MAKE) release
	@# What waits is tested after what keeps all processors busy, and what keeps a pace by itself.
	$(RUN_TESTS) --skip '$(WAITING)' --skip '$(PACED)'
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=3 $(RUN_TESTS) --filter '$(WAITING)'
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4 $(RUN_TESTS) --filter '$(PACED)'

.PHONY: build
build: packages ## debug build, for daily work
	swift build --scratch-path $(DEBUG)

.PHONY: quick
quick: packages ## debug build and the tests that need neither references nor real recordings
	MAREY_DATA= MAREY_ORACLES= swift test --scratch-path $(DEBUG)

.PHONY: release
release: packages ## release build; the program is .build-release/release/marey
	MAREY_STANDALONE=$$(scripts/standalone) swift build -c release --scratch-path $(RELEASE) --product marey

.PHONY: install
install: release ## copy the program to PREFIX/bin (default ~/.local)
	install -D -m 755 $(MAREY) $(or $(PREFIX),$(HOME)/.local)/bin/marey

.PHONY: trial-service
trial-service: release test-packages ## 200 clients follow a session for a minute; nothing may be lost
	scripts/trial-service $(MAREY) 200 60

.PHONY: trial-calibration
trial-calibration: release test-packages ## a simulated headband, a calibration task in headless chromium, its model, a session with predictions
	scripts/trial-calibration $(MAREY) $(or $(OUT),calibration-trial) $(if $(TASKS),--tasks $(TASKS))

.PHONY: screenshots
screenshots: release $(VENV)/.done ## the pictures of the README, from simulated data, in headless chromium
	$(VENV)/bin/python scripts/screenshots $(MAREY) docs/images

.PHONY: trial-lost-device
trial-lost-device: release test-packages ## the service's page and API after a headband is killed, at 0, 5 and 15 s
	scripts/trial-lost-device $(MAREY) $(or $(OUT),lost-device-trial)

.PHONY: trial-page
trial-page: release test-packages $(VENV)/.done ## the service's page in headless chromium: what it tells, keyboard, accessibility, frames a second
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps axe-playwright-python==0.1.8
	scripts/trial-page $(MAREY) $(or $(OUT),page-trial) \
	  --axe $$($(VENV)/bin/python -c 'import importlib.util as u; print(u.find_spec("axe_playwright_python").submodule_search_locations[0])')/axe.min.js

.PHONY: bench
bench: release $(VENV)/.done ## speed beside the named peers, on the same input in one run
	swift build -c release --scratch-path $(RELEASE) --product cardiac-benchmark
	$(VENV)/bin/python scripts/bench $(MAREY) $(RELEASE)/release/cardiac-benchmark

.PHONY: bench-formats
bench-formats: release $(VENV)/.done ## reading whole EDF, E4 and XDF files beside edfio, pandas and pyxdf
	$(VENV)/bin/python scripts/bench-formats $(MAREY)

.PHONY: bench-hrv
bench-hrv: release $(VENV)/.done ## heart-rate variability beside NeuroKit and antropy, on the same intervals in one run
	$(VENV)/bin/pip install --quiet --disable-pip-version-check neurokit2==0.2.13 antropy==0.2.3
	$(VENV)/bin/python scripts/bench-hrv $(MAREY)

.PHONY: bench-brain
bench-brain: packages $(VENV)/.done ## features of EEG beside scipy, MNE, specparam and antropy, on the same samples in one run
	swift build -c release --scratch-path $(RELEASE) --product brain-benchmark
	$(VENV)/bin/python scripts/bench-brain $(RELEASE)/release/brain-benchmark

.PHONY: bench-decoding
bench-decoding: packages $(VENV)/.done ## states of real EEG told apart beside scikit-learn and pyRiemann, same folds; needs MAREY_DATA
	swift build -c release --scratch-path $(RELEASE) --product decoding-benchmark
	$(VENV)/bin/python scripts/bench-decoding $(RELEASE)/release/decoding-benchmark

.PHONY: bench-accuracy
bench-accuracy: release $(VENV)/.done ## beat detection beside the named peers, on the MIT-BIH records in MAREY_DATA
	$(VENV)/bin/pip install --quiet --disable-pip-version-check neurokit2==0.2.13
	$(VENV)/bin/python scripts/bench-accuracy $(MAREY)

.PHONY: bench-noise
bench-noise: release $(VENV)/.done ## beats in noise from 24 to -6 dB beside the named peers; NSTDB=folder for the real noise records
	$(VENV)/bin/pip install --quiet --disable-pip-version-check neurokit2==0.2.13
	$(VENV)/bin/python scripts/bench-noise $(MAREY) $(if $(NSTDB),--nstdb $(NSTDB)) $(if $(RECORDS),--records $(RECORDS))

.PHONY: bench-quality
bench-quality: release $(VENV)/.done ## what signal quality rejects, beside NeuroKit's indices and bSQI, on the recordings in MAREY_DATA
	$(VENV)/bin/pip install --quiet --disable-pip-version-check neurokit2==0.2.13
	$(VENV)/bin/python scripts/bench-quality $(MAREY) $(if $(RECORDS),--records $(RECORDS))

.PHONY: bench-hum
bench-hum: release $(VENV)/.done ## how far the mains' hum moves beats, beside the named peers, on the MIT-BIH records in MAREY_DATA
	$(VENV)/bin/pip install --quiet --disable-pip-version-check neurokit2==0.2.13
	$(VENV)/bin/python scripts/bench-hum $(MAREY)

.PHONY: bench-leads
bench-leads: release $(VENV)/.done ## beats of two leads together, when both are good and when one is swamped, on the MIT-BIH records
	$(VENV)/bin/python scripts/bench-leads $(MAREY) $(if $(RECORDS),--records $(RECORDS))

.PHONY: bench-rates
bench-rates: release $(VENV)/.done ## beats of slow and fast hearts, beside a pacemaker's impulses and steps, beside the named peers
	$(VENV)/bin/python scripts/bench-rates $(MAREY) $(if $(RECORDS),--records $(RECORDS))

.PHONY: bench-cohort
bench-cohort: SIZES ?= 10,100,1000
bench-cohort: release $(VENV)/.done ## cohorts of 10, 100 and 1000 (SIZES) beside a NeuroKit and scipy pipeline
	$(VENV)/bin/pip install --quiet --disable-pip-version-check neurokit2==0.2.13
	$(VENV)/bin/python scripts/bench-cohort $(MAREY) $(or $(SAMPLE),4) $(SIZES)

.PHONY: trial-cohort
trial-cohort: release ## kill a batch at random moments (KILLS=30), resume, and compare the results to the byte
	python3 scripts/trial-cohort $(MAREY) $(or $(KILLS),30)

.PHONY: bench-eda
bench-eda: release $(VENV)/.done ## skin conductance beside biosppy and cvxopt, on the same simulated day in one run
	$(VENV)/bin/pip install --quiet --disable-pip-version-check biosppy==2.2.4 cvxopt==1.3.3
	swift build -c release --scratch-path $(RELEASE) --product eda-benchmark
	$(VENV)/bin/python scripts/bench-eda $(MAREY) $(RELEASE)/release/eda-benchmark

.PHONY: bench-allocations
bench-allocations: release ## count memory allocations: none per sample
	python3 scripts/bench-allocations $(MAREY)

PYPPG := .venv-pyppg

.PHONY: bench-bvp
bench-bvp: release $(VENV)/.done $(PYPPG)/.done ## pulse detection beside the named peers, on the recordings in MAREY_DATA with a heart to compare with
	$(VENV)/bin/pip install --quiet --disable-pip-version-check neurokit2==0.2.13 heartpy==1.2.7
	PYPPG=$(PYPPG)/bin/python $(VENV)/bin/python scripts/bench-bvp $(MAREY)

# pyPPG pins versions that this Python has no wheels of, and runs with newer ones.
$(PYPPG)/.done:
	python3 -m venv $(PYPPG)
	$(PYPPG)/bin/pip install --quiet --disable-pip-version-check --no-deps pyPPG==1.0.73
	$(PYPPG)/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1 pandas==2.3.3 dotmap==1.3.30
	touch $@

MINUTES ?= 10

.PHONY: trial-acquisition
trial-acquisition: release test-packages $(VENV)/.done ## a session of MINUTES=10 with simulated devices and all faults, to the sample; then 50 kills and a full disk
	$(VENV)/bin/python scripts/acquisition-trial $(MAREY) session --minutes $(MINUTES)
	$(VENV)/bin/python scripts/acquisition-trial $(MAREY) kills
	$(VENV)/bin/python scripts/acquisition-trial $(MAREY) disk

.PHONY: trial-formats
trial-formats: release $(VENV)/.done ## COUNT=300 random recordings written in every format, re-read by other libraries and the BIDS validator
	$(VENV)/bin/python Tests/Peers/written_formats.py $(MAREY) $(or $(OUT),formats-trial) $(or $(COUNT),300) \
	  --validator $(VENV)/bin/bids-validator-deno

SOME_TESTS = MAREY_TESTS=Devices,Recorder,Acquisition swift test -c release --scratch-path $(RELEASE) --disable-testable-imports
LOAD ?= 60
DAY ?= 24

.PHONY: trial-bluetooth
trial-bluetooth: release $(VENV)/.done ## real bluetoothd in a virtual machine with a Bluetooth controller; needs root, takes minutes
	@scripts/install-packages qemu-system-x86 busybox-static bluez dbus kmod
	$(VENV)/bin/pip install -q bumble==0.0.236
	scripts/bluetooth-trial $(MAREY) $(VENV)/bin/python

.PHONY: trial-load
trial-load: packages ## 64 streams of 32 channels at 1 kHz for LOAD=60 s, and a session of DAY=24 h on a fast clock
	MAREY_LOAD=$(LOAD) MAREY_DAY=$(DAY) $(SOME_TESTS) --filter LoadTests

.PHONY: fuzz
fuzz: packages ## millions of mutated messages per device protocol; MAREY_FUZZ=times for more
	MAREY_FUZZ=$(or $(MAREY_FUZZ),100) $(SOME_TESTS) --filter 'BluetoothFuzzTests|mutated'

.PHONY: sanitize
sanitize: packages ## sessions, devices and recordings under ThreadSanitizer and AddressSanitizer
	@scripts/install-packages rsync
	scripts/sanitize thread
	scripts/sanitize address

.PHONY: notebooks
notebooks: release $(VENV)/.done ## run every notebook from top to bottom
	$(VENV)/bin/python scripts/run-notebooks $(RELEASE)/release

.PHONY: python
python: release $(VENV)/.done ## test the Python package: numbers of the command line, errors, plots, types
	cd python && MAREY_PROGRAM=$(CURDIR)/$(MAREY) PYTHONPATH=src ../$(VENV)/bin/python -m pytest -q tests
	cd python && MAREY_PROGRAM=$(CURDIR)/$(MAREY) PYTHONPATH=src ../$(VENV)/bin/python -m pytest -q --doctest-modules src
	cd python && ../$(VENV)/bin/mypy src && ../$(VENV)/bin/ruff check .

.PHONY: lint
lint: ## check the formatting of all Swift files
	swift format lint --recursive --parallel --strict Package.swift Sources Tests

.PHONY: format
format: ## format all Swift files
	swift format format --recursive --parallel --in-place Package.swift Sources Tests

.PHONY: docs
docs: packages ## build the reference documentation into docs/site
	scripts/build-docs

.PHONY: packages
packages: ## install the Debian packages a build needs, if any is missing
	@scripts/install-packages libopenblas-dev liblapacke-dev libarchive-dev zlib1g-dev libsqlite3-dev libsystemd-dev libxml2-dev pkg-config

.PHONY: test-packages
test-packages: packages
	@scripts/install-packages python3-venv chromium fonts-dejavu-core dbus python3-dbusmock rclone pspp $(if $(filter 0,$(shell id -u)),slurm-wlm munge)

$(VENV)/.done: Tests/Oracles/requirements.txt Tests/Oracles/requirements-socketio4.txt
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -r Tests/Oracles/requirements.txt
	@# The older release of python-socketio cannot be beside the newer one.
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --upgrade --target $(VENV)/socketio4 -r Tests/Oracles/requirements-socketio4.txt
	touch $@

.PHONY: clean
clean: ## remove everything that was built or fetched
	rm -rf calibration-trial page-trial lost-device-trial formats-trial $(RELEASE) $(DEBUG) .build-sanitize .build-tsan .build-asan $(VENV) $(PYPPG) $(ORACLES) .build-docs datasets/fetched demo-out docs/site
