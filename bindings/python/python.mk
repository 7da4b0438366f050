# The Python binding: included by the Makefile, which gives CC, CFLAGS, ARCH, GEN_STAMP, PYTHON, ....
#
#   make python          the package in build/python: PYTHONPATH=build/python python3 -c 'import lanner'
#   make check-python    its tests
#   make python-wheel    sdist and wheel in build/python-dist, which need neither re2c nor make
#
# The extension module is linked with the object that the shared library is made of; only the wheel
# compiles the amalgamation.

.PHONY: python build-python check-python python-wheel deps-python python-ask

PYTHON_HERE := bindings/python
PYTHON_PACKAGE := $(BUILD)/python/lanner
# Where this interpreter has its headers, how its modules are called, which one it is: a line each.
PYTHON_FACTS := $(BUILD)/python/interpreter
PYTHON_ASK := import sys, sysconfig as s; print(s.get_paths()["include"], s.get_config_var("EXT_SUFFIX"), sys.version, sep="\n")
python-ask:
$(PYTHON_FACTS): python-ask
	@mkdir -p $(@D)
	@$(PYTHON) -c '$(PYTHON_ASK)' >$@.new
	@headers=$$(head -n 1 $@.new); [ -e "$$headers/Python.h" ] || { \
	  echo "$(PYTHON) has no headers in $$headers: install them (Debian: apt-get install python3-dev)"; exit 1; }
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
deps-python: deps-build
	@.ci/install "file:$$($(PYTHON) -c '$(PYTHON_ASK)' | head -n 1)/Python.h=python3-dev"

PYTHON_SOURCES := $(sort $(wildcard $(PYTHON_HERE)/src/*.c))
PYTHON_OBJECTS := $(PYTHON_SOURCES:$(PYTHON_HERE)/src/%.c=$(BUILD)/python/obj/%.o)
# Without -Wpedantic: Python's tables hold functions as void *.
PYTHON_COMPILE = $(CC) $(CSTD) $(filter-out -Wpedantic,$(WARNINGS)) $(CFLAGS) $(ARCH) -fPIC -fvisibility=hidden \
  -Iinclude -I$(GEN) -isystem "$$(head -n 1 $(PYTHON_FACTS))" $(CPPFLAGS) -MMD -MP
$(BUILD)/python/obj/%.o: $(PYTHON_HERE)/src/%.c $(PYTHON_FACTS) $(GEN_STAMP) $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CC,python/$*.c)$(PYTHON_COMPILE) -c -o $@ $<

# Only the function that Python looks for leaves the module.
PYTHON_STAMP := $(BUILD)/python/stamp
$(PYTHON_STAMP): $(PYTHON_OBJECTS) $(BUILD)/obj/lanner.pic.o $(wildcard $(PYTHON_HERE)/lanner/*)
	@mkdir -p $(PYTHON_PACKAGE)
	@rm -f $(PYTHON_PACKAGE)/_lanner*; cp $(PYTHON_HERE)/lanner/*.py* $(PYTHON_HERE)/lanner/py.typed $(PYTHON_PACKAGE)/
	@printf '{ global: PyInit__lanner; local: *; };\n' >$(BUILD)/python/module.map
	$(call say,LD,python/lanner)$(CC) -shared -Wl,--version-script=$(BUILD)/python/module.map $(LDFLAGS) \
	  -o $(PYTHON_PACKAGE)/_lanner$$(sed -n 2p $(PYTHON_FACTS)) $(PYTHON_OBJECTS) $(BUILD)/obj/lanner.pic.o
	@touch $@
python: $(PYTHON_STAMP)

# --- tests ----------------------------------------------------------------------------------

# A module for the tests that makes allocations fail.
PYTHON_NOMEMORY := $(BUILD)/python/tests/_nomemory.so
$(PYTHON_NOMEMORY): $(PYTHON_HERE)/tests/nomemory.c $(PYTHON_FACTS) $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CC,python/nomemory.c)$(PYTHON_COMPILE) -shared $(LDFLAGS) -o $@ $<
build-python: $(PYTHON_STAMP) $(PYTHON_NOMEMORY)
check-python: build-python $(BUILD)/lanner
	$(call logged,python,PYTHONPATH=$(BUILD)/python LANNER_TEST_BUILD=$(abspath $(BUILD)) \
	  LANNER_TEST_SUITES=$(abspath $(SUITES)) $(PYTHON) -B $(PYTHON_HERE)/tests)

# --- sdist and wheel ------------------------------------------------------------------------

# ARCH does not count here: CFLAGS=-march=native for one machine.
PYTHON_DIST := $(BUILD)/python-dist
python-wheel: $(AMALGAMATION) $(PYTHON_FACTS)
	@$(PYTHON) -c 'import setuptools.command.bdist_wheel' 2>/dev/null || $(PYTHON) -c 'import setuptools, wheel' 2>/dev/null || \
	  { echo '$(PYTHON) lacks setuptools or wheel: pip install setuptools wheel (Debian: python3-setuptools python3-wheel)'; exit 1; }
	@rm -rf $(PYTHON_DIST)/tree; mkdir -p $(PYTHON_DIST)/tree
	@cp -R $(filter-out %.mk %/tests,$(wildcard $(PYTHON_HERE)/*)) LICENSE $(PYTHON_DIST)/tree/
	@cp $(AMALGAMATION) $(AMALGAMATION:.c=.h) $(PYTHON_DIST)/tree/src/
	@echo '$(VERSION)' >$(PYTHON_DIST)/tree/VERSION
	@# Links into the repository lead nowhere from a package's page.
	@sed -E 's/\[([^]]*)\]\([^:)]*\)/\1/g' $(PYTHON_HERE)/README.md >$(PYTHON_DIST)/tree/README.md
	$(call say,CC,'python-dist: sdist and wheel')cd $(PYTHON_DIST)/tree && PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -c 'from setuptools import build_meta as b; \
	  print(b.build_sdist(".."), b.build_wheel(".."), sep="\n")' >../log 2>&1 || { cat ../log; exit 1; }
	@tail -n 2 $(PYTHON_DIST)/log | sed 's|^|$(PYTHON_DIST)/|'

-include $(wildcard $(BUILD)/python/obj/*.d)
