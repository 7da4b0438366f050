# Lanner's build. `make` builds the library and the command; the other targets: `make help`.
#
# Everything made goes to build/. Generated code comes from grammar/ and gen/ (build/gen, see the
# README); the library is one translation unit, src/lanner.c. Variants of it for the tests live in
# build/VARIANT: avx2, ahead, sse2 and scalar (forced SIMD), asan, tsan, msan, portable (no -march=native), arm64, s390x.
#
#   NATIVE=0   leave out -march=native       V=1        show whole commands
#   CC=clang   another compiler              BUILD=dir  another build folder
#   LTO=1      libraries that can be optimized together with the program that links them
#   FILE=page.html                           for demo

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
SHELL := /bin/sh

BUILD ?= build
# Generated code is the same for all variants.
GEN ?= $(BUILD)/gen
# Suites of a package, for clones without the test data (make suites).
SUITES ?= $(BUILD)/suites
NATIVE ?= 1
V ?= 0
ifeq ($(origin CC),default)
CC := cc
endif
PYTHON ?= python3
RE2C ?= re2c
PREFIX ?= /usr/local
DESTDIR ?=

ifeq ($(V),0)
Q := @
say = @printf '%-6s %s\n' $(1) $(2);
else
Q :=
say =
endif

OPTIMIZE ?= -O3
# Objects hold code too, so that programs without link-time optimization can use them as well.
ifeq ($(LTO),1)
LTO_FLAGS := -flto $(if $(findstring clang,$(CC)),,-ffat-lto-objects)
AR := $(if $(findstring clang,$(CC)),llvm-ar,gcc-ar)
endif
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
ifeq ($(NATIVE),1)
ARCH ?= -march=native
endif
CSTD := -std=c11
CFLAGS ?= $(OPTIMIZE) -g
INCLUDES := -Iinclude -Isrc -I$(GEN)
COMPILE = $(CC) $(CSTD) $(WARNINGS) $(CFLAGS) $(ARCH) $(INCLUDES) $(CPPFLAGS) -MMD -MP

VERSION := $(shell awk '/define LANNER_VERSION_(MAJOR|MINOR|PATCH)/ {v = v d $$3; d = "."} END {print v}' include/lanner.h)

.PHONY: coverage all lib cli demo test suites sanitize fuzz bombs graph amalgamate install format clean help \
  gen deps-build deps-test variants plain criterion self-test self-test-builds build-asan build-tsan \
  check-bombs-asan check-others check-criterion check-headers check-example check-install check-amalgamation check-asan \
  check-tsan check-avx2 check-ahead check-sse2 check-scalar check-fuzz check-bombs check-valgrind check-msan check-qemu \
  check-arm64 check-s390x
all: lib cli
lib: $(BUILD)/liblanner.a $(BUILD)/liblanner.so
cli: $(BUILD)/lanner

help:
	@echo 'all         the library and the command $(BUILD)/lanner (the default)'
	@echo 'demo        installs what is missing, builds, parses HTML found here or FILE='
	@echo 'test        installs what is missing, builds, runs all tests; Criterion last'
	@echo 'suites      the html5lib suites from a package registry, for clones without test data'
	@echo 'plain       builds the plain test runner: $(BUILD)/tests/plain [-l] [NAME...]; criterion: the other one'
	@echo 'sanitize    all tests under the address, leak and undefined-behaviour sanitizers'
	@echo 'check-valgrind, check-tsan, check-msan, check-qemu (check-arm64, check-s390x): the plain'
	@echo '            runner under these; what they leave out: CONTRIBUTING.md'
	@echo 'fuzz        mutated inputs, whole against cut: FUZZ_SECONDS=60; libFuzzer where clang has it'
	@echo 'bombs       inputs that break naive parsers, at N, 2N, 4N'
	@echo 'pgo         a profile-guided library, $(BUILD)/pgo/liblanner.a and .so, trained on BENCH_PAGES'
	@echo 'bench       against other parsers: bench/README.md; bench-quick, bench-rivals, bench-compare BASE=COMMIT,'
	@echo '            bench-pgo, bench-lto, bench-instructions, bench-decoders'
	@echo 'graph       the tokenizer states as $(BUILD)/tokenizer.svg'
	@echo 'amalgamate  $(BUILD)/lanner-amalgamated.c and .h: needs neither re2c nor Python afterwards'
	@echo 'python      the Python binding in $(BUILD)/python; check-python, python-wheel'
	@echo 'install     into DESTDIR and PREFIX (absolute); format: clang-format; clean'
	@echo 'variables   CC, CFLAGS, NATIVE=0 (not for this processor only), LTO=1, BUILD, V=1 (says all)'

# --- generated code -------------------------------------------------------------------------

GEN_SOURCES := $(shell find grammar gen -type f ! -name '*.pyc' ! -name '.*' | LC_ALL=C sort)
GEN_STAMP := $(GEN)/stamp
RE2C_FLAGS := -c -i --no-generation-date --no-version -W -Werror -I $(GEN) -I grammar -I grammar/states

gen: $(GEN_STAMP)
$(GEN_STAMP): $(GEN_SOURCES)
	@for tool in $(PYTHON) $(RE2C); do command -v $$tool >/dev/null || \
	  { echo "there is no $$tool; make demo installs what is missing where it can"; exit 1; }; done
	@mkdir -p $(@D)
	$(call say,GEN,$(@D))$(PYTHON) -B gen/generate.py $(@D)
	$(call say,RE2C,tokenizer.inc)$(RE2C) $(RE2C_FLAGS) -o $(@D)/tokenizer.inc $(@D)/tokenizer.re
	@touch $@

# Objects depend on this file, which changes when the flags do.
FLAGS_STAMP := $(BUILD)/flags
$(shell mkdir -p $(BUILD); printf '%s\n' '$(CC) $(CFLAGS) $(ARCH) $(CPPFLAGS) $(LTO_FLAGS)' | cmp -s - $(FLAGS_STAMP) \
  || printf '%s\n' '$(CC) $(CFLAGS) $(ARCH) $(CPPFLAGS) $(LTO_FLAGS)' >$(FLAGS_STAMP))

# --- the library ----------------------------------------------------------------------------

$(BUILD)/obj/lanner.o: src/lanner.c $(GEN_STAMP) $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CC,lanner.c)$(COMPILE) $(LTO_FLAGS) -c -o $@ $<
$(BUILD)/obj/lanner.pic.o: src/lanner.c $(GEN_STAMP) $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CC,'lanner.c (shared)')$(COMPILE) $(LTO_FLAGS) -fPIC -DLANNER_SHARED_LIBRARY -c -o $@ $<
$(BUILD)/liblanner.a: $(BUILD)/obj/lanner.o
	$(call say,AR,$(@F))rm -f $@.new; $(AR) rcs $@.new $^ && mv $@.new $@
# Only names that begin with lanner_ leave the shared library.
$(BUILD)/liblanner.so: $(BUILD)/obj/lanner.pic.o
	@printf '{ global: lanner_*; local: *; };\n' >$(BUILD)/liblanner.map
	$(call say,LD,$(@F))$(CC) -shared -Wl,-soname,liblanner.so.0 -Wl,--version-script=$(BUILD)/liblanner.map $(LDFLAGS) -o $@ $^
	@ln -sf $(@F) $@.0

# --- the command ----------------------------------------------------------------------------

# Optional libraries: used when pkg-config finds them; the command says which ones it has.
have = $(shell pkg-config --exists $(1) 2>/dev/null && echo 1)
ifeq ($(shell command -v pkg-config),)
$(info there is no pkg-config: the command is built without gzip, zstd, brotli and the guessing of encodings)
endif
CLI_LIBS := -ljansson -lpthread
CLI_DEFS :=
define optional
ifeq ($$(call have,$(1)),1)
CLI_DEFS += -DLANNER_HAVE_$(2)=1 $$(shell pkg-config --cflags $(1))
CLI_LIBS += $$(shell pkg-config --libs $(1))
endif
endef
$(eval $(call optional,zlib,ZLIB))
$(eval $(call optional,libzstd,ZSTD))
$(eval $(call optional,libbrotlidec,BROTLI))
$(eval $(call optional,libdeflate,LIBDEFLATE))
$(eval $(call optional,uchardet,UCHARDET))

# src/cli/cli.mk may add to CLI_DEFS, CLI_LIBS and CLI_EXTRA_OBJECTS.
-include src/cli/cli.mk

# The command is built anew when another library is there.
CLI_STAMP := $(BUILD)/cli-flags
$(shell printf '%s\n' '$(CLI_DEFS)' | cmp -s - $(CLI_STAMP) || printf '%s\n' '$(CLI_DEFS)' >$(CLI_STAMP))

# The archive reader (src/warc) belongs to the command: it needs more than the C library.
CLI_SOURCES := $(sort $(wildcard src/cli/*.c src/warc/*.c))
CLI_OBJECTS := $(CLI_SOURCES:src/%.c=$(BUILD)/obj/%.o) $(CLI_EXTRA_OBJECTS)
$(BUILD)/obj/%.o: src/%.c $(GEN_STAMP) $(FLAGS_STAMP) $(CLI_STAMP)
	@mkdir -p $(@D)
	$(call say,CC,$*.c)$(COMPILE) $(CLI_DEFS) -c -o $@ $<
$(BUILD)/lanner: $(CLI_OBJECTS) $(BUILD)/liblanner.a
	$(call say,LD,lanner)$(CC) $(LDFLAGS) -o $@ $(CLI_OBJECTS) $(BUILD)/liblanner.a $(CLI_LIBS) -lm

# --- tests ----------------------------------------------------------------------------------

# The same test objects serve all variants; only the library differs. Sanitizers need their own.
TEST_SOURCES := $(filter-out tests/main_%.c tests/example.c,$(sort $(wildcard tests/*.c)))
TEST_OBJECTS = $(TEST_SOURCES:tests/%.c=$(BUILD)/tests/%.o)
TEST_LIBS := -ljansson -lz -lpthread
TEST_DEFS := -Itests -DLANNER_TEST_BUILD='"$(BUILD)"' -DLANNER_TEST_SUITES='"$(SUITES)"'

$(BUILD)/tests/%.o: tests/%.c $(GEN_STAMP) $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CC,tests/$*.c)$(COMPILE) $(TEST_DEFS) -c -o $@ $<
$(BUILD)/tests/plain: $(BUILD)/tests/main_plain.o $(TEST_OBJECTS) $(BUILD)/liblanner.a
	$(call say,LD,tests/plain)$(CC) $(LDFLAGS) -o $@ $^ $(TEST_LIBS)
$(BUILD)/tests/criterion: $(BUILD)/tests/main_criterion.o $(TEST_OBJECTS) $(BUILD)/liblanner.a
	$(call say,LD,tests/criterion)$(CC) $(LDFLAGS) -o $@ $^ $(TEST_LIBS) -lcriterion
$(BUILD)/tests/example: $(BUILD)/tests/example.o $(BUILD)/liblanner.a
	$(call say,LD,tests/example)$(CC) $(LDFLAGS) -o $@ $^

# The runner over the library with SIMD forced; portable code, so that nothing wider sneaks in.
define simd_variant
$(BUILD)/$(1)/lanner.o: src/lanner.c $(GEN_STAMP) $(FLAGS_STAMP)
	@mkdir -p $$(@D)
	$$(call say,CC,'lanner.c ($(1))')$$(CC) $$(CSTD) $$(WARNINGS) $$(CFLAGS) $$(INCLUDES) $$(CPPFLAGS) $(2) -MMD -MP -c -o $$@ $$<
$(BUILD)/$(1)/plain: $(BUILD)/tests/main_plain.o $(TEST_OBJECTS) $(BUILD)/$(1)/lanner.o
	$$(call say,LD,$(1)/plain)$$(CC) $$(LDFLAGS) -o $$@ $$^ $(TEST_LIBS)
-include $(wildcard $(BUILD)/$(1)/lanner.d)
endef
$(eval $(call simd_variant,sse2,-DLANNER_SIMD_SSE2))
$(eval $(call simd_variant,scalar,-DLANNER_SIMD_SCALAR))
# Where the usual build has wider vectors than AVX2, a build that has not.
ifneq ($(shell echo __AVX512BW__ | $(CC) $(ARCH) -E -P - 2>/dev/null),__AVX512BW__)
AVX2 := -mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt
$(eval $(call simd_variant,avx2,$(AVX2)))
# The usual build finds stops ahead, by VBMI2 where it is; one that does without it, for eight bytes at a time.
$(eval $(call simd_variant,ahead,$(ARCH) -mno-avx512vbmi2 -DAHEAD_FIRST=1 -DAHEAD_MOST=8))
VARIANTS := avx2 ahead
endif
VARIANTS += sse2 scalar
variants: $(VARIANTS:%=$(BUILD)/%/plain)

plain: $(BUILD)/tests/plain
criterion: $(BUILD)/tests/criterion

# Packages are installed by targets that say so (demo, test, ...), never by a plain `make`.
deps-build:
	@.ci/install cc=gcc $(PYTHON)=python3 $(RE2C)=re2c pkg-config=pkg-config pkg:jansson=libjansson-dev \
	  pkg:zlib=zlib1g-dev
	@.ci/install c++=g++ pkg:libdeflate=libdeflate-dev pkg:libzstd=libzstd-dev \
	  pkg:libbrotlidec=libbrotli-dev pkg:uchardet=libuchardet-dev || echo 'Without these the command does less: see lanner --version.'
deps-test: deps-build deps-python
	@.ci/install c++=g++ pkg:criterion=libcriterion-dev
	@.ci/install zstd=zstd brotli=brotli || echo 'Without these, what needs them is skipped by name.'

JOBS ?= $(shell nproc 2>/dev/null || echo 1)
AGAIN = $(MAKE) --no-print-directory GEN=$(GEN) SUITES=$(SUITES)

# The html5lib suites from a package registry; the tests look there when there is no other test data.
suites:
	@sh tests/tools/fetch_suites.sh $(SUITES)

# Everything is built first, then checked; Criterion runs alone and last, its summary counts.
test: deps-test
	@[ -n "$$LANNER_SHARED" ] || [ -d ../shared ] || sh tests/tools/fetch_suites.sh $(SUITES) || true
	@$(AGAIN) -j$(JOBS) cli lib plain criterion variants amalgamate build-asan self-test-builds bench-count build-python
	@$(AGAIN) -j$(JOBS) check-others
	@$(AGAIN) check-criterion

check-others: check-headers check-example check-install check-amalgamation self-test check-asan check-fuzz \
  $(VARIANTS:%=check-%) check-bombs check-python bench-instructions
check-criterion: $(BUILD)/tests/criterion $(BUILD)/lanner
	@$(BUILD)/tests/criterion

# Long outputs go to a file, which is shown when the run fails; else its notes and summary.
define logged
	@$(2) >$(BUILD)/$(1).log 2>&1 || { cat $(BUILD)/$(1).log; echo '$(1): FAILED'; exit 1; }
	@echo "$(1): $$(tail -n 1 $(BUILD)/$(1).log)"
endef

# Every SIMD variant runs every suite in full; the command is the same for all.
check-avx2 check-ahead check-sse2 check-scalar: check-%: $(BUILD)/%/plain
	$(call logged,$*,LANNER_EXPECT_SIMD=$(if $(filter ahead,$*),avx512,$*) $< -x cli)

# Sanitizers. Cuts are sampled and large pages left out, which the notes in the log say.
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
ASAN_MAKE = $(AGAIN) BUILD=$(BUILD)/asan CFLAGS='-O1 -g $(SANITIZE)' LDFLAGS='$(SANITIZE)'
TSAN_MAKE = $(AGAIN) BUILD=$(BUILD)/tsan CFLAGS='-O1 -g -fsanitize=thread' LDFLAGS='-fsanitize=thread'
build-asan: $(GEN_STAMP)
	@+$(ASAN_MAKE) plain cli $(BUILD)/asan/fuzz/mutate
build-tsan: $(GEN_STAMP)
	@$(TSAN_MAKE) plain cli
# Threads in the command: an archive of files from here.
TSAN_FILES := grammar tests gen
TSAN_ARCHIVE := $(BUILD)/tsan/files.warc.gz
check-asan: build-asan
	$(call logged,asan,LANNER_TEST_EFFORT=quick ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1 \
	  UBSAN_OPTIONS=print_stacktrace=1 $(BUILD)/asan/tests/plain -x warc.command)
check-tsan: build-tsan
	$(call logged,tsan,LANNER_TEST_EFFORT=quick $(BUILD)/tsan/tests/plain api.threads api.reuse)
	@find $(TSAN_FILES) -type f | $(PYTHON) -B tests/tools/make_warc.py $(TSAN_ARCHIVE) >/dev/null
	@$(BUILD)/tsan/lanner warc -q -j 1 $(TSAN_ARCHIVE) >$(TSAN_ARCHIVE).1
	@$(BUILD)/tsan/lanner warc -q -j 4 $(TSAN_ARCHIVE) $(TSAN_ARCHIVE) >$(TSAN_ARCHIVE).4
	@cat $(TSAN_ARCHIVE).1 $(TSAN_ARCHIVE).1 | cmp - $(TSAN_ARCHIVE).4
	@echo "tsan: four workers write what one does, $$(wc -l <$(TSAN_ARCHIVE).4) lines"
sanitize: deps-test
	@$(AGAIN) check-asan check-bombs-asan check-tsan self-test

# The runners themselves, over planted faults.
FAULT_SOURCES := tests/table.c tests/test.c tests/faults/faults.c
FAULT_DEPS := $(FAULT_SOURCES) tests/test.h tests/faults/table.h
$(BUILD)/faults/plain: tests/main_plain.c $(FAULT_DEPS)
	@mkdir -p $(@D)
	$(call say,CC,faults/plain)$(CC) $(CSTD) -O1 -g $(SANITIZE) $(WARNINGS) '-DTEST_TABLE="faults/table.h"' -Itests -o $@ $< $(FAULT_SOURCES)
$(BUILD)/faults/criterion: tests/main_criterion.c $(FAULT_DEPS)
	@mkdir -p $(@D)
	$(call say,CC,faults/criterion)$(CC) $(CSTD) -O1 -g $(SANITIZE) $(WARNINGS) '-DTEST_TABLE="faults/table.h"' -Itests -o $@ $< $(FAULT_SOURCES) -lcriterion
self-test-builds: $(BUILD)/faults/plain $(BUILD)/faults/criterion
self-test: self-test-builds
	@tests/faults/registered.sh
	@tests/faults/run.sh $(BUILD)/faults/plain $(BUILD)/faults/criterion

# Each public header alone, in C11 and in C++.
check-headers: $(GEN_STAMP)
	@for h in include/*.h $(GEN)/lanner_*.h; do \
	  $(CC) $(CSTD) $(WARNINGS) -Iinclude -I$(GEN) -fsyntax-only -x c $$h || exit 1; \
	  c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -Iinclude -I$(GEN) -fsyntax-only -x c++ $$h || exit 1; done
	@echo 'headers: each compiles alone in C11 and C++11'

# The program in the README.
check-example: $(BUILD)/tests/example tests/example.c README.md
	@sed -n '/^```c$$/,/^```$$/p' README.md | sed '1d;$$d' | cmp - tests/example.c || { echo 'README.md: its program is not tests/example.c'; exit 1; }
	@test "$$(printf '<a href=x>y<link href="z&amp;">' | $(BUILD)/tests/example)" = "$$(printf 'x\nz&')"
	@echo 'example: as in the README'

# What make install lays down is enough for the program, shared and static.
INSTALLED := $(abspath $(BUILD))/installed
check-install: cli lib
	@rm -rf $(INSTALLED); $(AGAIN) install PREFIX=$(INSTALLED) DESTDIR= >/dev/null
	@for how in -L '-static -L'; do \
	  printf '#include <lanner_names.h>\n#include <lanner_errors.h>\n#include "%s"\n' $(abspath tests/example.c) | \
	  $(CC) $(CSTD) -x c -I$(INSTALLED)/include - -x none -o $(INSTALLED)/links $${how}$(INSTALLED)/lib -llanner || exit 1; \
	  test "$$(echo '<a href=x>y' | LD_LIBRARY_PATH=$(INSTALLED)/lib $(INSTALLED)/links)" = x || exit 1; done
	@echo 'install: the program is made from what is installed'

# --- the plain runner elsewhere -----------------------------------------------------------------

# Left out: loops over tables that take ten minutes each there, and what runs the command.
ELSEWHERE := -x encoding.indexes -x encoding.against_standard -x encoding.all_pairs -x cli -x warc.command

# valgrind does not know every instruction of -march=native, so the tests have none of them either.
check-valgrind: $(GEN_STAMP)
	@.ci/install valgrind=valgrind
	@$(AGAIN) BUILD=$(BUILD)/portable NATIVE=0 CFLAGS='-O1 -g' plain
	$(call logged,valgrind,LANNER_TEST_EFFORT=quick valgrind -q --leak-check=full --error-exitcode=9 \
	  $(BUILD)/portable/tests/plain $(ELSEWHERE) -x corpus -x extract.sentences)

# It needs every library built with it: jansson's memory counts as written (tests/support.c), what
# comes from zlib is left out.
MSAN := -fsanitize=memory -fno-sanitize-recover=all -fno-omit-frame-pointer
check-msan: $(GEN_STAMP)
	@.ci/install clang=clang 'file:/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.msan-*.a'=libclang-rt-dev
	@$(AGAIN) BUILD=$(BUILD)/msan NATIVE=0 CC=clang CFLAGS='-O1 -g $(MSAN)' LDFLAGS='$(MSAN)' plain
	$(call logged,msan,LANNER_TEST_EFFORT=quick $(BUILD)/msan/tests/plain -x cli -x warc -x corpus.browser_trees)

# Other processors, s390x with the other byte order. The static C library has no tables for iconv.
# $(1) Debian's name, $(2) the compiler's and qemu's.
define foreign
check-$(1): $(GEN_STAMP)
	@.ci/install $(2)-linux-gnu-gcc=gcc-$(2)-linux-gnu file:/usr/$(2)-linux-gnu/lib/libc.a=libc6-dev-$(1)-cross qemu-$(2)=qemu-user
	@sh tests/tools/foreign_libraries.sh $(1) $(BUILD)/$(1)/libraries
	@$(AGAIN) BUILD=$(BUILD)/$(1) NATIVE=0 CC=$(2)-linux-gnu-gcc CFLAGS=-O1 \
	  CPPFLAGS='-isystem $(BUILD)/$(1)/libraries/usr/include -isystem $(BUILD)/$(1)/libraries/usr/include/$(2)-linux-gnu' \
	  LDFLAGS='-static -L$(BUILD)/$(1)/libraries/usr/lib/$(2)-linux-gnu' plain
	$$(call logged,$(1),LANNER_TEST_EFFORT=quick qemu-$(2) $(BUILD)/$(1)/tests/plain $(ELSEWHERE) \
	  -x sniffing.corpus_decodes -x corpus.tokens -x corpus.exact_tokens)
endef
$(eval $(call foreign,arm64,aarch64))
$(eval $(call foreign,s390x,s390x))
check-qemu: check-arm64 check-s390x

# Which states the own cases reach, and which allocations the tests of failing allocators do.
coverage: $(GEN_STAMP)
	@$(AGAIN) BUILD=$(BUILD)/coverage CFLAGS='-O0 -g --coverage' LDFLAGS='--coverage -no-pie' ARCH= plain
	@$(PYTHON) -B tests/coverage.py $(BUILD)/coverage $(GEN)

# --- fuzzing --------------------------------------------------------------------------------

# mutate is built in the folder of the sanitized variant, which it shares the library with.
FUZZ_SECONDS ?= 60
MUTATE := $(BUILD)/asan/fuzz/mutate
$(BUILD)/fuzz/mutate: tests/fuzz/mutate.c tests/fuzz/target.c $(BUILD)/liblanner.a
	@mkdir -p $(@D)
	$(call say,CC,fuzz/mutate)$(COMPILE) $(LDFLAGS) -o $@ tests/fuzz/mutate.c tests/fuzz/target.c $(BUILD)/liblanner.a
$(BUILD)/fuzz/libfuzzer: tests/fuzz/target.c src/lanner.c $(GEN_STAMP)
	@mkdir -p $(@D)
	$(call say,CC,fuzz/libfuzzer)clang $(CSTD) -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all $(ARCH) $(INCLUDES) -o $@ tests/fuzz/target.c src/lanner.c
check-fuzz: build-asan
	@$(MUTATE) -s 10 -f $(BUILD)/asan/fuzz/current tests/regress
fuzz: $(GEN_STAMP)
	@+$(ASAN_MAKE) $(MUTATE)
	$(MUTATE) -s $(FUZZ_SECONDS) -r -f $(BUILD)/asan/fuzz/current tests/regress
	@if echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n); int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d && n > 1000; }' | \
	  clang -fsanitize=fuzzer,address -x c - -o $(BUILD)/fuzz/probe 2>/dev/null; then \
	  $(AGAIN) $(BUILD)/fuzz/libfuzzer && mkdir -p $(BUILD)/fuzz/corpus && \
	  $(BUILD)/fuzz/libfuzzer -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -timeout=20 -print_final_stats=1 \
	    -artifact_prefix=$(BUILD)/fuzz/ $(BUILD)/fuzz/corpus tests/regress; \
	else echo 'libFuzzer: not here (clang with its runtime library), only the own mutations ran'; fi

# --- inputs that break naive parsers --------------------------------------------------------

$(BUILD)/bombs/measure: tests/bombs/measure.c $(BUILD)/liblanner.a
	@mkdir -p $(@D)
	$(call say,CC,bombs/measure)$(COMPILE) -o $@ $< $(BUILD)/liblanner.a
bombs: $(BUILD)/bombs/measure $(BUILD)/sse2/measure
	@.ci/install valgrind=valgrind
	$(PYTHON) -B tests/bombs/run.py --measure $(BUILD)/bombs/measure --counted $(BUILD)/sse2/measure $(BOMBS)
# The same by counted instructions, which no noise disturbs.
$(BUILD)/sse2/measure: tests/bombs/measure.c $(BUILD)/sse2/lanner.o
	$(call say,CC,sse2/measure)$(CC) $(CSTD) $(WARNINGS) $(CFLAGS) $(INCLUDES) -o $@ $< $(BUILD)/sse2/lanner.o
check-bombs: $(BUILD)/sse2/measure
	@.ci/install valgrind=valgrind
	$(call logged,bombs,$(PYTHON) -B tests/bombs/run.py --count --measure $<)
check-bombs-asan: $(GEN_STAMP)
	@+$(ASAN_MAKE) $(BUILD)/asan/bombs/measure
	$(call logged,bombs-asan,$(PYTHON) -B tests/bombs/run.py --check --measure $(BUILD)/asan/bombs/measure)

# --- pictures and releases ------------------------------------------------------------------

graph: $(GEN_STAMP)
	@.ci/install dot=graphviz
	$(call say,GRAPH,tokenizer.svg)$(PYTHON) -B gen/graph.py $(GEN) >$(BUILD)/tokenizer.dot && dot -Tsvg -o $(BUILD)/tokenizer.svg $(BUILD)/tokenizer.dot
	@echo '$(BUILD)/tokenizer.svg'

AMALGAMATION := $(BUILD)/lanner-amalgamated.c
amalgamate: $(AMALGAMATION)
$(AMALGAMATION): src/lanner.c $(GEN_STAMP) gen/amalgamate.py $(wildcard src/*/*.c src/*/*.h include/*.h)
	$(call say,GEN,$(@F))$(PYTHON) -B gen/amalgamate.py --gen $(GEN) --output $(BUILD)
# A plain compiler call, without this Makefile's folders, is all that it needs.
$(BUILD)/amalgamated/plain: $(AMALGAMATION) $(BUILD)/tests/main_plain.o $(TEST_OBJECTS)
	@mkdir -p $(@D)
	$(call say,CC,lanner-amalgamated.c)cd $(BUILD) && $(CC) -O1 -c -o amalgamated/lanner.o $(notdir $(AMALGAMATION))
	$(call say,LD,amalgamated/plain)$(CC) $(LDFLAGS) -o $@ $(BUILD)/tests/main_plain.o $(TEST_OBJECTS) $(BUILD)/amalgamated/lanner.o $(TEST_LIBS)
check-amalgamation: $(BUILD)/amalgamated/plain
	$(call logged,amalgamated,$< api tokens foreign errors regress tokenizer.suite_whole tree.suites_whole)

# --- demo -----------------------------------------------------------------------------------

demo: deps-build
	@$(AGAIN) -s -j$(JOBS) all
	@.ci/demo $(BUILD)/lanner '$(subst ','\'',$(FILE))'

clean:
	rm -rf $(BUILD)

FORMAT_SOURCES = $(shell git ls-files '*.c' '*.h')
format:
	clang-format -i $(FORMAT_SOURCES)

install: all
	@case '$(PREFIX)' in /*) ;; *) echo 'PREFIX=$(PREFIX) is no absolute path'; exit 1;; esac
	$(call say,INSTALL,$(DESTDIR)$(PREFIX))install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include
	$(Q)install -m 755 $(BUILD)/lanner $(DESTDIR)$(PREFIX)/bin/
	$(Q)install -m 644 $(BUILD)/liblanner.a $(DESTDIR)$(PREFIX)/lib/
	$(Q)install -m 755 $(BUILD)/liblanner.so $(DESTDIR)$(PREFIX)/lib/liblanner.so.0
	$(Q)ln -sf liblanner.so.0 $(DESTDIR)$(PREFIX)/lib/liblanner.so
	$(Q)install -m 644 include/*.h $(GEN)/lanner_*.h $(DESTDIR)$(PREFIX)/include/
	$(Q)printf 'prefix=%s\nlibdir=$${prefix}/lib\nincludedir=$${prefix}/include\n\nName: lanner\nDescription: HTML parser\nVersion: %s\nLibs: -L$${libdir} -llanner\nCflags: -I$${includedir}\n' \
	  '$(PREFIX)' '$(VERSION)' >$(DESTDIR)$(PREFIX)/lib/pkgconfig/lanner.pc

-include bench/bench.mk
-include bindings/python/python.mk
-include $(wildcard $(BUILD)/obj/*.d $(BUILD)/obj/*/*.d $(BUILD)/tests/*.d)
