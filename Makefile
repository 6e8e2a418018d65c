# make demo      install missing packages, build, load the sample data and show example queries
# make serve     install missing packages, build, load the sample data and start the server with the application and the map
# make test      install missing packages, lint, and run all tests on stores in files, also those in Node.js and in Chromium
# make test-only FILTER=NearTests  run the tests whose names match the regular expression
# make test-application  run the tests of the application's modules in Node.js
# make test-browser  run the tests of the pages in Chromium
# make screenshots  renew the pictures of the application in docs/images
# make test-postgres  run the tests on a temporary PostgreSQL server, and check replicas, failover, backups and pgBouncer
# make test-citus  run the tests on a temporary Citus cluster, and kill its workers; skipped if PostgreSQL has no extension citus
# make install   install the programs, manual pages, completions and systemd units below PREFIX (default: /usr/local)
# make check-api  check the server against its OpenAPI document with schemathesis
# make sbom      list the components of both programs in .build/sbom (CycloneDX), and check that NOTICE names them
# make base-map  derive the base map from Natural Earth data in packages; needs the network
# make deb       build a Debian package in .build/deb
# make test-long  check the Debian package, the units, the container files, the workflow, a package that uses the library, and
#                the pages in all windows and color schemes, and all steps of the application; needs root and the network
# make bench     compare the times of Habitat and other tools on EVENTS=100000 generated events; time nightly runs and imports of up to 1 GB
# make bench-scale  time a store of 5,000,000 events in a file, on one PostgreSQL server, and on Citus clusters with two and four workers
# make bench-serve  send the same requests to the server and to pygeoapi, and compare the times; time tiles, clusters and pages
# make micro     time single operations, such as a distance or one written row

PREFIX ?= /usr/local
EVENTS ?= 100000
BINARY = .build/release/habitat
# The linker options bind all symbols at program start, so that their table is read-only afterward. Shared libraries come only from
# the folders of the system.
SWIFT_RELEASE = -c release --static-swift-stdlib --disable-local-rpath -Xlinker -s -Xlinker -z -Xlinker now
CITUS_TESTS = HabitStoreTests|ReportGoldenTests
APPLICATION = Sources/HabitPages/Application
SOURCES = Package.swift Sources Tests Benchmarks/micro/Package.swift Benchmarks/micro/Benchmarks

MANUAL = .build/manual
SHARE = $(DESTDIR)$(PREFIX)/share
# The build of the Debian package overrides these two folders.
UNITS ?= $(PREFIX)/lib/systemd/system
USER_UNITS ?= $(PREFIX)/lib/systemd/user
ZSH ?= $(PREFIX)/share/zsh/site-functions
VERSION = $(shell sed -n 's/.*current = "\([^"]*\)".*/\1/p' Sources/Base/HabitatVersion.swift)

.PHONY: build server programs serve demo test tests test-only test-application test-browser screenshots test-postgres test-citus lint format manual base-map check-api sbom install install-files deb test-long bench bench-scale bench-serve micro clean

build: .build/packages
	swift build $(SWIFT_RELEASE) --product habitat

server: .build/packages
	swift build $(SWIFT_RELEASE) --product habitat-server

# Builds both programs, the server first: its packages compile while a module that both programs contain uses only one core.
programs: server build

serve: programs
	.ci/serve $(BINARY)

# Each of these targets installs Debian packages. Its file records that they are installed, so that apt runs only once.
.build/packages: Makefile .ci/install $(wildcard Packaging/web/*)
	.ci/install
	@mkdir -p .build && touch $@

.build/test-packages: .build/packages Tests/browser/requirements.txt
	.ci/install for-tests
	@touch $@

.build/postgres-packages: .build/test-packages
	.ci/install for-postgres
	@touch $@

demo: build
	.ci/demo $(BINARY)

test: .build/test-packages lint tests
	.ci/test
	.ci/test-application
	.ci/test-browser

# Builds the tests and the programs that they run. Nothing uses an index of the sources.
tests: .build/test-packages
	swift build --build-tests --disable-index-store

test-only: tests
	.ci/test --filter '$(FILTER)'

test-application: tests
	.ci/test-application

test-browser: tests
	.ci/test-browser

screenshots: programs .build/test-packages
	HABITAT_BINARY=$(BINARY) .build/browser/bin/python -B Tests/browser/screenshots.py

test-postgres: .build/postgres-packages tests
	.ci/on-postgres .ci/test
	.ci/check-replica $(or $(HABITAT_BINARY),.build/debug/habitat)

test-citus: .build/postgres-packages tests
	.ci/on-citus .ci/test --filter '$(CITUS_TESTS)'
	.ci/on-citus .ci/check-cluster $(or $(HABITAT_BINARY),.build/debug/habitat)

lint:
	swift format lint --strict --recursive $(SOURCES)
	tsc --project $(APPLICATION)
	tsc --project $(APPLICATION)/service-worker

format:
	swift format --in-place --recursive $(SOURCES)

# Generates a manual page for each command, for example 'man habitat item claim'.
manual: programs
	swift build $(SWIFT_RELEASE) --product generate-manual
	for program in habitat habitat-server; do \
	  rm -rf $(MANUAL)/$$program && mkdir -p $(MANUAL)/$$program && \
	  .build/release/generate-manual .build/release/$$program --output-directory $(MANUAL)/$$program --multi-page || exit; \
	done

base-map:
	Packaging/base-map/make Sources/CBaseMap

check-api: programs
	test -x .build/schemathesis/bin/schemathesis || /usr/bin/python3 -m venv .build/schemathesis
	.build/schemathesis/bin/pip install --quiet schemathesis==4.32.5
	.ci/check-api $(CURDIR)/.build/schemathesis/bin/schemathesis $(CURDIR)/$(BINARY)

sbom: programs
	@mkdir -p .build/sbom
	for program in habitat habitat-server; do \
	  Packaging/sbom .build/release $$program >.build/sbom/$$program.cdx.json || exit; \
	done
	Packaging/check-notice NOTICE .build/sbom/*.cdx.json
	Packaging/check-sbom .build/release .build/sbom/habitat-server.cdx.json
	Packaging/third-party-notices .build .build/sbom/*.cdx.json >.build/sbom/third-party-notices

install: programs manual sbom
	$(MAKE) install-files

# Installs the files that 'install' has built.
install-files:
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/libexec/habitat $(SHARE)/man/man1 $(SHARE)/bash-completion/completions \
	  $(DESTDIR)$(ZSH) $(SHARE)/fish/vendor_completions.d $(SHARE)/doc/habitat $(DESTDIR)$(UNITS) $(DESTDIR)$(USER_UNITS)
	install -m 644 .build/sbom/*.cdx.json .build/sbom/third-party-notices $(SHARE)/doc/habitat
	install -m 755 $(BINARY) $(BINARY)-server $(DESTDIR)$(PREFIX)/bin
	install -m 755 Packaging/scripts/* $(DESTDIR)$(PREFIX)/libexec/habitat
	for page in $(MANUAL)/habitat/*.1 $(MANUAL)/habitat-server/habitat-server.1; do \
	  target=$(SHARE)/man/man1/$$(basename $$page .1 | tr . -).1; \
	  Packaging/man-page $$page >$$target && chmod 644 $$target || exit; \
	done
	for unit in Packaging/systemd/habitat*; do \
	  sed 's,/usr/local/,$(PREFIX)/,' $$unit >$(DESTDIR)$(UNITS)/$$(basename $$unit) || exit; \
	done
	for unit in Packaging/systemd/user/habitat*; do \
	  sed 's,/usr/local/,$(PREFIX)/,' $$unit >$(DESTDIR)$(USER_UNITS)/$$(basename $$unit) || exit; \
	done
	for program in habitat habitat-server; do \
	  .build/release/$$program --generate-completion-script bash | sed 1d >$(SHARE)/bash-completion/completions/$$program && \
	  .build/release/$$program --generate-completion-script zsh >$(DESTDIR)$(ZSH)/_$$program && \
	  .build/release/$$program --generate-completion-script fish >$(SHARE)/fish/vendor_completions.d/$$program.fish || exit; \
	done

.build/deb-packages: .build/packages
	.ci/install for-deb
	@touch $@

deb: .build/deb-packages programs manual sbom
	Packaging/build-deb $(VERSION)

test-long: deb .build/test-packages
	.ci/check-packaging .build/deb/habitat_*.deb
	.ci/check-package
	HABITAT_BINARY=$(or $(HABITAT_BINARY),$(BINARY)) .ci/test-browser -m long

bench: build
	.ci/install for-bench
	Benchmarks/peers $(BINARY) --events $(EVENTS) --plot Benchmarks/peers.svg
	.ci/on-postgres Benchmarks/wide $(BINARY)
	Benchmarks/night $(BINARY)
	Benchmarks/import $(BINARY)

bench-scale: build
	.ci/install for-bench
	Benchmarks/scale measure $(BINARY)
	Benchmarks/scale project

bench-serve: programs
	.ci/install for-bench
	Benchmarks/serve $(BINARY)
	.ci/on-postgres Benchmarks/serve-maps $(BINARY)

micro: .build/packages
	swift package --package-path Benchmarks/micro --allow-writing-to-package-directory benchmark --no-progress

clean:
	rm -rf .build Benchmarks/micro/.build demo
