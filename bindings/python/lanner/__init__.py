"""Lanner: HTML pages by today's HTML Standard, for programs that read the web in bulk."""
from ._lanner import (SIMD, Document, EncodingError, LannerError, LimitError, Link, Node, NodeIterator, PageError,
                      Parser, __version__, parse, parse_fragment)

__all__ = ["SIMD", "Document", "EncodingError", "LannerError", "LimitError", "Link", "Node", "NodeIterator",
           "PageError", "Parser", "__version__", "parse", "parse_fragment"]
