# The benchmark: included by the Makefile, which gives CC, CFLAGS, ARCH, GEN, GEN_STAMP, PYTHON.
#
#   make bench                       all rivals, both heaps: table, bench/results/, SVG (25 minutes)
#   make bench-quick                 a part of the pages, few rounds, nothing written (4 minutes)
#   make bench-rivals                only gets and builds the rivals
#   make bench-compare BASE=COMMIT   this tree against an older one, interleaved
#   make bench-pgo                   a profile-guided build beside the usual one, row (m)
#   make bench-lto                   the library linked with link-time optimization beside the usual one
#   make bench-instructions          instruction counts against the file of this compiler
#   make bench-instructions-accept   writes that file
#   make bench-decoders              each decoder against iconv on the pages in its encoding
#
#   BENCH_ARGUMENTS='--rows bc --rounds 40'   for all that time; --only NAMES for the first two,
#                                             --step N (each Nth page) for compare, pgo and lto

PYTHON ?= python3
GEN ?= $(BUILD)/gen
CSTD ?= -std=c11
LANNER_SHARED ?= ../shared
BENCH := $(BUILD)/bench
BENCH_PAGES ?= $(LANNER_SHARED)/corpus/pages
BENCH_WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
BENCH_SHARED := -fPIC -fvisibility=hidden
BENCH_INCLUDES = -Ibench -Iinclude -Isrc -I$(GEN)
# The same for Lanner and for lexbor.
BENCH_FLAGS = $(CFLAGS) $(ARCH)

BENCH_ENCODINGS ?= $(LANNER_SHARED)/corpus/encodings

.PHONY: bench bench-count bench-decoders bench-quick bench-build bench-rivals bench-compare bench-profile bench-pgo bench-lto pgo bench-instructions bench-instructions-accept

$(BENCH)/runner: bench/runner.c bench/pages.c bench/worker.c bench/pages.h bench/worker.h bench/contestant.h
	@mkdir -p $(@D)
	$(call say,CC,bench/runner.c)$(CC) $(CSTD) $(BENCH_WARNINGS) -O2 -g -o $@ bench/runner.c bench/pages.c bench/worker.c -ldl -lpthread
$(BENCH)/heapcount.so: bench/heapcount.c
	@mkdir -p $(@D)
	$(call say,CC,bench/heapcount.c)$(CC) $(CSTD) $(BENCH_WARNINGS) -O2 -fPIC -shared -o $@ $<

# A plugin holds the library and its adapter. $(1) name, $(2) flags.
define lanner_plugin
$(BENCH)/$(1).so: src/lanner.c bench/adapters/lanner.c bench/contestant.h $(GEN_STAMP) $(FLAGS_STAMP)
	@mkdir -p $$(@D)
	$$(call say,CC,'lanner.c (bench: $(1))')$$(CC) $$(CSTD) $$(BENCH_WARNINGS) $(2) $$(BENCH_SHARED) $$(BENCH_INCLUDES) -MMD -MP -MT $$@ -MF $$@.d -c -o $$@.unit.o src/lanner.c
	$$(Q)$$(CC) $$(CSTD) $$(BENCH_WARNINGS) $(2) $$(BENCH_SHARED) $$(BENCH_INCLUDES) -shared -Wl,-Bsymbolic $$(LDFLAGS) -o $$@ bench/adapters/lanner.c $$@.unit.o
-include $(BENCH)/$(1).so.d
endef
$(eval $(call lanner_plugin,lanner,$$(BENCH_FLAGS)))
$(eval $(call lanner_plugin,lanner-sse2,$$(CFLAGS) -DLANNER_SIMD_SSE2))
ifneq ($(filter avx2,$(VARIANTS)),)
$(eval $(call lanner_plugin,lanner-avx2,$$(CFLAGS) $(AVX2)))
BENCH_AVX2 := $(BENCH)/lanner-avx2.so
endif
$(eval $(call lanner_plugin,lanner-scalar,$$(CFLAGS) -DLANNER_SIMD_SCALAR))
$(eval $(call lanner_plugin,lanner-portable,$$(CFLAGS)))

# With --only no others are fetched, and no table of Python and Node is made.
BENCH_NAMES := $(if $(findstring --only,$(BENCH_ARGUMENTS)),$(shell printf '%s' '$(BENCH_ARGUMENTS)' | sed -n 's/.*--only[= ]*\([^ ]*\).*/\1/p'))
bench-rivals:
	$(Q)$(PYTHON) -B bench/rivals.py --build $(BUILD) --cc '$(CC)' --flags '$(BENCH_FLAGS)' $(if $(BENCH_NAMES),--only '$(BENCH_NAMES)')

bench-build: $(BENCH)/runner $(BENCH)/heapcount.so $(BENCH)/lanner.so $(BENCH_AVX2) $(BENCH)/lanner-sse2.so $(BENCH)/lanner-scalar.so

bench: bench-build bench-rivals $(if $(BENCH_NAMES),,python)
	$(Q)$(PYTHON) -B bench/run.py --build $(BUILD) --pages $(BENCH_PAGES) --cc '$(CC)' --flags '$(BENCH_FLAGS)' $(BENCH_ARGUMENTS)
bench-quick: bench-build bench-rivals $(if $(BENCH_NAMES),,python)
	$(Q)$(PYTHON) -B bench/run.py --build $(BUILD) --pages $(BENCH_PAGES) --cc '$(CC)' --flags '$(BENCH_FLAGS)' --quick $(BENCH_ARGUMENTS)

bench-compare: $(BENCH)/runner $(BENCH)/lanner.so
	$(Q)$(PYTHON) -B bench/compare.py --build $(BUILD) --pages $(BENCH_PAGES) --cc '$(CC)' --flags '$(BENCH_FLAGS)' --base '$(BASE)' $(BENCH_ARGUMENTS)

# Profile-guided (gcc): trained on every third page, measured on all. Both compilations read the same
# preprocessed file, so that the profile fits.
BENCH_PROFILED = $(CC) $(CSTD) $(BENCH_FLAGS) $(BENCH_SHARED) $(BENCH_INCLUDES)
BENCH_PGO = $(abspath $(BENCH))/pgo
BENCH_USED = $(CC) $(CSTD) $(BENCH_FLAGS) -fprofile-use=$(BENCH_PGO)/library.gcda -Wno-missing-profile
bench-profile: $(BENCH)/runner
	@rm -rf $(BENCH_PGO); mkdir -p $(BENCH_PGO)
	$(call say,CC,'lanner.c (profiling)')$(BENCH_PROFILED) -E -o $(BENCH_PGO)/library.i src/lanner.c
	$(Q)$(BENCH_PROFILED) -fprofile-generate -c -o $(BENCH_PGO)/library.o $(BENCH_PGO)/library.i
	$(Q)$(BENCH_PROFILED) -fprofile-generate -shared -o $(BENCH_PGO)/lanner.so bench/adapters/lanner.c $(BENCH_PGO)/library.o
	$(call say,RUN,'training on every third page')$(BENCH)/runner --pages $(BENCH_PAGES) --step 3 --rows abcdegh --small 3000 --rounds 1 $(BENCH_PGO)/lanner.so >/dev/null
bench-pgo: bench-profile $(BENCH)/lanner.so
	$(call say,CC,'lanner.c (profile-guided)')$(BENCH_USED) $(BENCH_SHARED) -c -o $(BENCH_PGO)/library.o $(BENCH_PGO)/library.i
	$(Q)$(BENCH_PROFILED) -shared -Wl,-Bsymbolic -o $(BENCH)/lanner-pgo.so bench/adapters/lanner.c $(BENCH_PGO)/library.o
	$(Q)$(PYTHON) -B bench/compare.py --build $(BUILD) --pages $(BENCH_PAGES) --plugin $(BENCH)/lanner-pgo.so --label 'profile-guided' $(BENCH_ARGUMENTS)
# The libraries themselves, for who wants them.
pgo: bench-profile
	@mkdir -p $(BUILD)/pgo
	$(call say,CC,'lanner.c (profile-guided)')$(BENCH_USED) -c -o $(BUILD)/pgo/lanner.o $(BENCH_PGO)/library.i
	$(call say,CC,'lanner.c (profile-guided, shared)')$(BENCH_USED) -fPIC -fvisibility=default -c -o $(BUILD)/pgo/lanner.pic.o $(BENCH_PGO)/library.i
	$(Q)rm -f $(BUILD)/pgo/liblanner.a && $(AR) rcs $(BUILD)/pgo/liblanner.a $(BUILD)/pgo/lanner.o
	@printf '{ global: lanner_*; local: *; };\n' >$(BUILD)/pgo/liblanner.map
	$(Q)$(CC) -shared -Wl,-soname,liblanner.so.0 -Wl,--version-script=$(BUILD)/pgo/liblanner.map $(LDFLAGS) -o $(BUILD)/pgo/liblanner.so $(BUILD)/pgo/lanner.pic.o
# Link-time: library and adapter optimized together.
bench-lto: $(BENCH)/runner $(BENCH)/lanner.so
	$(call say,CC,'lanner.c (link-time)')$(BENCH_PROFILED) -flto -c -o $(BENCH)/lto.o src/lanner.c
	$(Q)$(BENCH_PROFILED) -flto=auto -shared -Wl,-Bsymbolic -o $(BENCH)/lanner-lto.so bench/adapters/lanner.c $(BENCH)/lto.o
	$(Q)$(PYTHON) -B bench/compare.py --build $(BUILD) --pages $(BENCH_PAGES) --plugin $(BENCH)/lanner-lto.so --label 'link-time' $(BENCH_ARGUMENTS)

# Instruction counts: without -march=native, so that they are the same on every machine.
$(BENCH)/count: bench/count.c src/lanner.c $(GEN_STAMP) $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CC,bench/count.c)$(CC) $(CSTD) $(BENCH_WARNINGS) -O3 -gdwarf-4 $(BENCH_INCLUDES) -MMD -MP -MT $@ -MF $@.d -c -o $@.unit.o src/lanner.c
	$(Q)$(CC) $(CSTD) $(BENCH_WARNINGS) -O3 -gdwarf-4 $(BENCH_INCLUDES) -o $@ bench/count.c $@.unit.o
-include $(BENCH)/count.d
bench-count: $(BENCH)/count
bench-instructions: $(BENCH)/count
	$(Q)$(PYTHON) -B bench/instructions.py --build $(BUILD) --pages $(BENCH_PAGES) --cc '$(CC)'
bench-instructions-accept: $(BENCH)/count
	$(Q)$(PYTHON) -B bench/instructions.py --build $(BUILD) --pages $(BENCH_PAGES) --cc '$(CC)' --accept

$(BENCH)/decoders: bench/decoders.c $(BUILD)/liblanner.a
	@mkdir -p $(@D)
	$(call say,CC,bench/decoders.c)$(COMPILE) $(LDFLAGS) -o $@ $< $(BUILD)/liblanner.a
bench-decoders: $(BENCH)/decoders
	$(Q)$(BENCH)/decoders $(BENCH_ENCODINGS)/*.html
