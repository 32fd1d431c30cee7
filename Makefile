# Docket and ObjectGraph. `make` alone lists what there is.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
ROOT := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))
PREFIX ?= /usr/local
export NO_PLUGINS := 1
SWIFT := $(shell $(ROOT)Tools/find-swift)
PACKAGE := --package-path $(ROOT)
# One file at a fixed address without shared libraries: nothing to load and to relocate at the start, and it
# runs anywhere. `muldefs`: the zeroing heap stands for functions of libc.a. In the manifest such flags
# would keep other packages from using this one.
STATIC := -Xswiftc -static-executable -Xswiftc -use-ld=lld -Xlinker -z -Xlinker muldefs
# Generic types are found without their names.
QUICK := -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
RELEASE := -c release $(STATIC) $(QUICK)
COMMIT := $(shell git -C $(ROOT) rev-parse --short=7 HEAD 2>/dev/null | cut -c 1-7)
DOCKET := $(RELEASE) $(if $(COMMIT),-Xlinker --defsym=docket_commit=0x$(COMMIT)) --product docket
SOURCES := $(ROOT)Sources $(ROOT)Tests $(ROOT)Package.swift $(ROOT)Fuzz/Sources $(ROOT)Fuzz/Package.swift

.PHONY: help run build test test-full fuzz simulate lint format docs bench install check generate \
	check-release check-counts needs-build needs-test needs-package deb tarball

help: ## this list
	@grep -hE '^[a-z -]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z -]+):.*## /\1\t/' \
		| awk -F'\t' '{ printf "  make %-12s %s\n", $$1, $$2 }'

run: build ## build a release and open Docket on your store
	@exec $(ROOT).build/release/docket

build: needs-build ## build the release binary, .build/release/docket
	@$(SWIFT) build $(PACKAGE) $(DOCKET)
	@$(SWIFT) build $(PACKAGE) $(RELEASE) --target docket-sync
	@$(ROOT)Tools/link-dynamic

test: needs-test ## build everything and run every test
	@$(SWIFT) build $(PACKAGE) --build-tests
	@$(ROOT)Tools/run-tests $(SWIFT)

test-full: needs-test ## the long tests: many seeds, kill loops, sanitizers
	@cd $(ROOT) && Tools/test-full $(SWIFT)

fuzz: needs-build ## random input for parsers: SECONDS=600 PARSERS="xml-store age"
	@$(ROOT)Fuzz/run $(SWIFT) $(or $(SECONDS),600) $(PARSERS)

simulate: needs-build ## replicas, servers, disks, clocks and networks by seeds: SECONDS=600
	@$(SWIFT) build $(PACKAGE) $(RELEASE) --product simulation
	@$(ROOT).build/release/simulation $(or $(SECONDS),600)

lint: ## style, imports against the manifest, sizes
	@$(SWIFT) format lint --strict --parallel --configuration $(ROOT).swift-format \
		--recursive $(SOURCES)
	@$(ROOT)Tools/check-imports $(ROOT)
	@$(ROOT)Tools/check-structure $(ROOT)
	@$(ROOT)Tools/check-symbols $(ROOT)

format: ## format every source file
	@$(SWIFT) format --in-place --parallel --configuration $(ROOT).swift-format \
		--recursive $(SOURCES)

docs: needs-build ## the framework's documentation, into .build/documentation
	@$(ROOT)Tools/build-documentation $(SWIFT)

bench: needs-test ## measure against raw C and GRDB; AGAINST=COMMIT compares
	@$(if $(AGAINST),$(ROOT)Benchmarks/against $(SWIFT) $(AGAINST),$(ROOT)Benchmarks/run $(SWIFT))

generate: needs-build ## write the entity classes again from the models in Resources
	@$(ROOT)Tools/generate-model $(SWIFT)

install: build needs-package ## install program, completions and manual pages below PREFIX (/usr/local)
	@TARGET=$(PREFIX) $(ROOT)Tools/install-files $(ROOT).build/release/docket $(DESTDIR)$(PREFIX)

deb tarball: build needs-package ## a Debian package, or an archive of the same files, in .build/package
	@$(ROOT)Tools/make-package $@ $(ROOT).build/release/docket $(ROOT).build/package

check: lint test check-release check-counts ## what a change has to pass: lint, tests, release, costs

check-release: build
	@$(SWIFT) build $(PACKAGE) $(RELEASE) --product examples
	@$(SWIFT) build $(PACKAGE) $(RELEASE) --product lifetimes
	@$(SWIFT) build $(PACKAGE) $(RELEASE) --product workload
	@$(ROOT)Tools/check-release $(ROOT).build/release
	@$(ROOT)Tools/check-package $(SWIFT)

check-counts: check-release
	@$(ROOT)Tools/require-packages valgrind
	@$(ROOT)Tools/check-counts

needs-build:
	@$(ROOT)Tools/require-packages libncurses-dev libexpat1-dev libsodium-dev libsqlite3-dev zlib1g-dev \
		libcmark-gfm-dev libcmark-gfm-extensions-dev libpng-dev libjpeg-dev libcurl4-openssl-dev

needs-test: needs-build
	@$(ROOT)Tools/require-packages libvterm-dev zlib1g-dev age sqlite3 taskwarrior todotxt-cli \
		python3-jsonschema radicale xandikos curl

needs-package: needs-build
	@$(ROOT)Tools/require-packages cmark-gfm
