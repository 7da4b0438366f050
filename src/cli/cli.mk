# What the command needs beside its own sources: ada, the URL library (see url.h). Its source is
# fetched once into ADA, whichever build folder is in use.
ADA ?= build/ada
CXX ?= c++
ADA_FLAGS := -O2 -std=c++20

CLI_DEFS += -I$(ADA)
CLI_EXTRA_OBJECTS += $(BUILD)/obj/url_ada.o
CLI_LIBS += $$(cat $(ADA)/libraries)

$(ADA)/ada_here.h: src/cli/fetch_ada.sh
	$(call say,FETCH,ada)CXX='$(CXX)' sh src/cli/fetch_ada.sh $(ADA)

$(BUILD)/obj/cli/url.o: $(ADA)/ada_here.h

# ada's own code is not ours to warn about.
$(BUILD)/obj/url_ada.o: src/cli/url_ada.cpp src/cli/url_ada.h $(ADA)/ada_here.h
	@mkdir -p $(@D)
	$(call say,CXX,url_ada)if [ -s $(ADA)/libraries ]; then \
	  $(CXX) $(ADA_FLAGS) -I$(ADA) -include $(ADA)/ada.cpp -c -o $@ $<; \
	else \
	  $(CC) -x c -c -o $@ /dev/null; \
	fi
