# make demo      install what is missing, build, load the sample data and show what the tool does
# make test      install what is missing, lint, and run all tests
# make install   put the program into PREFIX/bin (default /usr/local)
# make bench     time the main job on 100,000 generated events

PREFIX ?= /usr/local
BINARY = .build/release/habitat
SWIFT_RELEASE = -c release --static-swift-stdlib -Xlinker -s
SOURCES = Package.swift Sources Tests

.PHONY: build demo test lint format install bench clean

build: .build/packages
	swift build $(SWIFT_RELEASE) --product habitat

# Debian's packages: for the build, and for the tests. A stamp, so that apt is asked once.
.build/packages: Makefile .ci/install
	.ci/install
	@mkdir -p .build && touch $@

demo: build
	.ci/demo $(BINARY)

test: .build/packages lint
	swift build --build-tests
	swift test --skip-build

lint:
	swift format lint --strict --recursive $(SOURCES)

format:
	swift format --in-place --recursive $(SOURCES)

install: build
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/habitat

bench: build
	Benchmarks/main-job $(BINARY)

clean:
	rm -rf .build demo
