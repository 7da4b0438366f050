// url_ada.cpp - see url_ada.h. Built together with ada's single source file, see cli.mk.
#include "url_ada.h"

#include <cstring>

#include "ada.h"

using ada::url_aggregator;

extern "C" void *url_ada_parse(const char *text, size_t length, const void *base, bool *memory) {
  try {
    auto url = ada::parse<url_aggregator>(std::string_view(text, length),
                                          static_cast<const url_aggregator *>(base));
    if (!url) return nullptr;
    return new url_aggregator(std::move(*url));
  } catch (...) { // only memory makes it throw
    *memory = true;
    return nullptr;
  }
}

extern "C" void url_ada_free(void *url) { delete static_cast<url_aggregator *>(url); }

extern "C" const char *url_ada_href(const void *url, size_t *length) {
  std::string_view href = static_cast<const url_aggregator *>(url)->get_href();
  *length = href.size();
  return href.data();
}

extern "C" const char *url_ada_resolve(const void *base, const char *text, size_t length,
                                       char *(*room)(void *context, size_t length), void *context,
                                       size_t *written, bool *memory) {
  try {
    auto url = ada::parse<url_aggregator>(std::string_view(text, length),
                                          static_cast<const url_aggregator *>(base));
    if (!url) return nullptr;
    std::string_view href = url->get_href();
    char *bytes = room(context, href.size());
    if (bytes == nullptr) {
      *memory = true;
      return nullptr;
    }
    std::memcpy(bytes, href.data(), href.size());
    *written = href.size();
    return bytes;
  } catch (...) {
    *memory = true;
    return nullptr;
  }
}
