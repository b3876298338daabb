# The two commands of the README are `make bench` and `make test`; both do all set-up themselves.

SHELL := /bin/bash
JOBS ?= $(shell nproc)

.PHONY: help bench build setup setup-tests test build-asan build-release test-asan test-frameworks faults fuzz soak mutants sbom format tidy clean install wheel deb container

help:
	@echo "make bench   set up, build, and measure the default suite on this machine"
	@echo "make test    set up, build, and run all tests"
	@echo "make build   set up and build        make test-frameworks   the proof for every framework"
	@echo "make faults  a fault at every call to the disk, and power cuts (make test tries some of them)"
	@echo "make fuzz    every reader on mutated input (TIME=seconds for each)   make soak   10 000 runs with faults"
	@echo "make mutants plant faults, one at a time, and see whether the tests notice (MUTANTS='journal.*': only these)"
	@echo "make sbom    bills of materials      make format  format the code    make tidy   check it with clang-tidy"
	@echo "make install into PREFIX (default: /usr/local)   make wheel, make deb, make container   packages, in build/packages"
	@echo "make clean   remove what was built   (SUITE=name make bench: another suite)"

setup:
	@scripts/setup
	@echo "setup: done; \`make bench\` builds and measures" >&2

# The tests compare the C++ trainers with these frameworks (`make test-frameworks` with all of them), look at HTML
# reports in a browser, at JSON with a validator, and at data sets with other readers.
setup-tests:
	@scripts/setup browser cluster schemas readers pytorch paddle

build:
	@scripts/build $(JOBS)

bench: build
	@build/release/bin/trainmark run $(SUITE)

# The bench's tests run under the sanitizers; those of its trainers, and those that the sanitizers would disturb, without.
# The build with sanitizers needs neither LibTorch nor a framework: both are fetched meanwhile. No test under the
# sanitizers measures times: the trainers are built beside them.
test:
	@scripts/setup packages browser cluster
	@$(MAKE) --no-print-directory --jobs 2 setup-tests build-asan
	@$(MAKE) --no-print-directory --jobs 2 test-asan build-release
	@ctest --preset release

build-release:
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build --preset release --parallel $(JOBS)

build-asan:
	@scripts/setup packages
	@cmake --preset asan --log-level=WARNING >/dev/null
	@cmake --build --preset asan --parallel $(JOBS)

test-asan: build-asan
	@ctest --preset asan

# The proof that every framework trains the same, in the environments of all (8 GB). Not part of `make test`.
test-frameworks: setup
	@scripts/setup $(patsubst frameworks/%/requirements.txt,%,$(wildcard frameworks/*/requirements.txt))
	@$(MAKE) --no-print-directory build-release
	@ctest --preset release --label-regex frameworks

faults: setup
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build --preset release --parallel $(JOBS) --target trainmark_e2e_tests trainmark_unsanitized_tests
	@TRAINMARK_ALL_FAULTS=1 build/release/bin/trainmark_unsanitized_tests --gtest_brief=1 \
	  --gtest_filter='DiskFaults*:*DiskFaultsOf*:PowerCut.*:WallClock.*'
	@build/release/bin/trainmark_e2e_tests --gtest_brief=1 --gtest_filter='Killed.*'

# What readers are fed: docs/reliability.md.
TIME ?= 120
fuzz:
	@scripts/fuzz --seconds $(TIME) --jobs $(JOBS)

RUNS ?= 10000
soak: build
	@cmake --build --preset release --parallel $(JOBS) --target trainmark_fault_shim
	@python3 tests/soak/soak.py build/release/bin --runs $(RUNS) --out build/soak-$$(date -u +%Y%m%d-%H%M%S)

sbom:
	@scripts/sbom

# Are the tests any good? Not part of `make test`: it builds the programs once more, with the faults of tests/mutants in
# them.
mutants: setup
	@scripts/setup pytorch
	@scripts/mutants run --jobs $(JOBS) $(foreach id,$(MUTANTS),'$(id)')

# What is installed: docs/install.md.
PREFIX ?= /usr/local
install: build
	@cmake --install build/release --prefix $(PREFIX) --strip >/dev/null
	@echo "installed: $(DESTDIR)$(PREFIX)/bin/trainmark" >&2

wheel:
	@scripts/wheel

deb: build
	@cpack --config build/release/CPackConfig.cmake -B build/packages >/dev/null
	@ls build/packages/*.deb

container:
	@scripts/container

format:
	@git ls-files '*.cpp' '*.h' '*.cu' | xargs clang-format -i

# clang cannot read GCC's precompiled headers, so it has a build folder without them.
tidy: setup
	@cmake --preset tidy --log-level=WARNING >/dev/null
	@cmake --build build/tidy --target trainmark_version
	@run-clang-tidy -quiet -j $(JOBS) -p build/tidy '^(?!.*/tests/).*/(src|trainers)/.*\.(cpp|cxx)$$'

clean:
	@rm -rf build
