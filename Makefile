# Controllerscope. `make help` lists the targets.
GO ?= go
SHELL := /bin/bash

.PHONY: help run site release types test test-short check bench fmt setup swarm soak oracle

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

run: site/node_modules ## build everything and serve the site on 127.0.0.1:8080
	$(GO) run ./site/build -fast
	$(GO) run ./headless serve

site: site/node_modules ## build site/dist, a folder for any static host (.gz and .br beside each file)
	$(GO) run ./site/build

release: site ## out/release: one program per system with the site inside, the site as a zip, SHA256SUMS
	$(GO) run ./site/release

site/node_modules: site/package-lock.json # lit-html, signals-core, the type checker, axe-core
	npm ci --prefix site --no-audit --no-fund
	@touch $@

types: site/node_modules ## check the site's TypeScript, strictly
	cd site && node_modules/.bin/tsc -p .

test: setup types ## everything: sets up what the tests need (ZooKeeper, browsers, Node modules), starts servers on free ports, stops them
	$(GO) test -timeout 20m ./...

test-short: ## what needs nothing but Go; tests that need a server are counted as skipped
	$(GO) test -short -timeout 10m ./...

check: ## what everyone runs before a commit: format, vet, import law, short tests
	@test -z "$$(gofmt -l core headless lessons site wasm)" || { echo "gofmt: run make fmt:"; gofmt -l core headless lessons site wasm; exit 1; }
	$(GO) vet ./...
	GOOS=js GOARCH=wasm $(GO) vet ./core/...
	$(GO) test -short -timeout 10m ./...

soak: setup ## 100,000 random operations on a real ZooKeeper and on the emulator, which must agree; SEED=7 for others
	SOAK=100000 SEED=$(SEED) $(GO) test -timeout 6h -count=1 -v -run TestSoak ./headless/conform

oracle: ## record the scripts marked oracle: true on a real Kafka and compare; ORACLE=DIR is the recorder, needs Java and Maven
	$(GO) run ./headless oracle --recorder "$(ORACLE)"

swarm: ## random scripts with the invariants on; SEED=7 RUNS=10000 for others
	$(GO) run ./headless swarm --seed $(or $(SEED),1) --runs $(or $(RUNS),1000)

bench: ## benchmark lines: ratios and counts of one run
	$(GO) run ./headless bench

setup: ## install what the tests need, when it is missing and this is root
	$(GO) run ./headless/internal/setup

fmt: ## format all Go code
	gofmt -w core headless lessons site wasm
