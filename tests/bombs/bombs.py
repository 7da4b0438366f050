"""Inputs that break naive HTML parsers, for run.py: name -> (growth, what it stresses, pieces of n).

growth is that of the tree which the Standard asks for: "linear" leaves a parser no excuse; "square"
must be stopped by a limit. Each entry is a function from n to bytes; a fourth item is the encoding
of the bytes when it is not UTF-8.
"""


def rep(unit):
    return lambda n: unit.encode() * n


def raw(unit):
    return lambda n: unit * n


def num(unit):
    return lambda n: "".join(unit % i for i in range(n)).encode()


def seq(*parts):
    """The parts one after another; text stands for itself."""
    return lambda n: b"".join(p.encode() if isinstance(p, str) else p(n) for p in parts)


# Start and end tags that ask about the stack of open elements, the list of formatting elements, or
# a pointer. Behind a deep stack each must cost the same as behind a flat one.
ASKING = (
    "<p></p><li></li><dd></dd><dt></dt><h1></h1><button></button><form></form><select></select>"
    "<option></option><optgroup></optgroup><ruby><rb></rb><rt></rt><rp></rp><rtc></rtc></ruby>"
    "<pre></pre><hr><table></table><textarea></textarea><template></template><input><image>"
    "<marquee></marquee><svg></svg><math></math><svg><desc><p></p></desc></svg><nobr></nobr><a></a>"
)
CLOSING = (
    "</p></li></dd></dt></h1></h6></button></form></select></option></ruby></rt></pre></table></td>"
    "</tr></tbody></caption></col></colgroup></template></marquee></a></nobr></b></code></sarcasm></x-y>"
    "</svg></math></br></frameset></head><td><tr><caption><col><frame><head>"
)

BOMBS = {
    # --- the stack of open elements
    "unknown-end-deep": ("linear", "unknown end tags over a deep stack",
                         seq("<x><div>", rep("<span>"), rep("</x>"))),
    "asking-deep-span": ("linear", "every tag that asks about scopes, over N span",
                         seq(rep("<span>" * 20), rep(ASKING))),
    "closing-deep-span": ("linear", "end tags of nothing, over N span", seq(rep("<span>" * 20), rep(CLOSING))),
    "closing-deep-div": ("linear", "the same over N div", seq(rep("<div>" * 20), rep(CLOSING))),
    "closing-deep-cells": ("linear", "the same over N tables in cells",
                           seq(rep("<table><tr><td>"), rep("</x></p></li></a></b></select></form></ruby>"))),
    "li-behind-spans": ("linear", "li looks for an li up to a special element",
                        seq("<div>", rep("<span>"), rep("<li></li>"))),
    "dd-behind-spans": ("linear", "dd and dt likewise", seq("<div>", rep("<span>"), rep("<dd></dd><dt></dt>"))),
    "li-behind-divs": ("linear", "li passes by div, address and p", seq(rep("<div><address>"), rep("<li></li><dd></dd>"))),
    "li-between-divs": ("linear", "a div and an li in turn", rep("<div><li></li><div><dd></dd>")),
    "li-in-addresses": ("linear", "each li deeper", rep("<address><div><p></p><li>")),
    "li-behind-holes": ("linear", "elements taken out of the stack on the way",
                        seq(rep("<div><form><div></form>"), rep("<li></li></li>"))),
    "li-behind-moved": ("linear", "blocks that the adoption agency moved on the way",
                        seq(rep("<b><div></b>"), rep("<li></li></li>"))),
    "head-again": ("linear", "elements of the head behind it", seq("<head></head>", rep("<base><title></title>"))),
    "p-behind-spans": ("linear", "p in button scope", seq(rep("<span>"), rep("<p></p></p>"))),
    "body-end-deep": ("linear", "</body> over a deep stack, and back", seq(rep("<span>"), rep("</body>"))),
    "html-attributes": ("linear", "html start tags add their attributes", num("<html a%d=1>")),
    "body-attributes": ("linear", "body start tags add their attributes", num("<body a%d=1>")),
    "table-pairs-deep": ("linear", "reset the insertion mode over a deep stack",
                         seq(rep("<div>"), rep("<table></table>"))),
    "select-pairs-deep": ("linear", "select over a deep stack", seq(rep("<div>"), rep("<select></select>"))),
    "template-pairs-deep": ("linear", "templates over a deep stack", seq(rep("<div>"), rep("<template></template>"))),
    "button-chain": ("linear", "each button closes the one before", seq(rep("<span>"), rep("<button>"))),
    "form-mid-stack": ("linear", "a form is taken out of the middle of the stack", rep("<form><div></form>")),
    "form-mid-stack-deep": ("linear", "and from far down", seq("<form>", rep("<div>"), "</form>", rep("<form></form>"))),
    "form-pairs": ("linear", "the form pointer, set and cleared", rep("<form></form>")),
    "form-ignored": ("linear", "forms in a form", seq("<form>", rep("<form><input>"))),
    # --- the list of active formatting elements
    "formatting-distinct": ("linear", "distinct formatting elements (Noah's Ark)", num("<b a%d>")),
    "formatting-values": ("linear", "the same with values and several attributes", num("<b x=1 y=2 a=%d>")),
    "formatting-absent": ("linear", "end tags of names not in a long list",
                          seq(num("<b a%d>"), rep("</i></code></u></tt>"))),
    "formatting-markers": ("linear", "markers in a long list", seq(num("<b a%d>"), rep("<applet></applet><td>"))),
    "markers-applets": ("linear", "markers of nested applets", seq(rep("<applet><b>"), rep("</b>x</i>"))),
    "markers-captions": ("linear", "markers of nested captions", seq(rep("<table><caption><b>"), rep("x</b></i>"))),
    "markers-cells": ("linear", "markers of cells, set and cleared", seq("<table>", rep("<td><b>x"))),
    "adoption-blocks": ("linear", "adoption agency, one block at a time", rep("<a><div></a>")),
    "adoption-a-div": ("linear", "an a start tag closes the a outside of a div", rep("<a><div>")),
    "adoption-nobr": ("linear", "nobr likewise", rep("<nobr><div>")),
    "adoption-deep-block": ("linear", "a formatting element far above its block",
                            seq("<b>", rep("<span>"), "<div>", rep("</b>"))),
    "adoption-p": ("linear", "p between formatting elements", rep("<b><p></b>x")),
    "adoption-many-ends": ("linear", "many end tags for few elements", seq(rep("<b><i><p>"), rep("</b></i>"))),
    "reconstruct-few": ("linear", "three elements reopened for each p", seq("<p><b><i><u>", rep("</p><p>x"))),
    "reconstruct-attributes": ("linear", "a reopened element has a large attribute block",
                               seq("<p><b ", num("a%d "), ">", rep("</p><p>x"))),
    # --- tables and foster parenting
    "foster-text": ("linear", "text fostered piece by piece", seq("<table>", rep("x<tr>"))),
    "foster-deep": ("linear", "tables fostered out of each other", rep("<table><div>")),
    "foster-formatting": ("linear", "formatting elements fostered out of a table", seq("<table>", rep("<b></b>x"))),
    "foster-spaces": ("linear", "whitespace and text in turn", seq("<table>", rep(" <td> </td> x"))),
    "table-text-nul": ("linear", "text in a table in pieces", seq("<table>", rep("x\0"), "<tr>")),
    "table-parts": ("linear", "implied table parts", seq("<table>", rep("<caption><col><td><tbody><th>"))),
    "colgroups": ("linear", "columns and text", seq("<table><colgroup>", rep("<col> x"))),
    # --- templates, shadow roots, patches
    "templates-deep": ("linear", "nested templates", rep("<template>")),
    "templates-rows": ("linear", "insertion modes of nested templates", rep("<template><tr><td>")),
    "templates-ends": ("linear", "end tags of nothing in a template", seq(rep("<template>"), rep("</tr></x>"))),
    "shadow-roots": ("linear", "hosts with shadow roots", rep("<div><template shadowrootmode=open>x</template></div>")),
    "shadow-refused": ("linear", "a host with one shadow root and many attempts",
                       seq("<div>", rep("<template shadowrootmode=open>x</template>"))),
    "patches": ("linear", "markers and as many patch templates",
                seq("<div>", num('<?marker name="m%d">'), "</div>", num("<template for=m%d>x</template>"))),
    "patches-absent": ("linear", "patch templates without a marker, behind many nodes",
                       seq("<div>", rep("<i></i><?marker name='x'>"), "</div>", rep("<template for=m>x</template>"))),
    "patches-again": ("linear", "a patch brings the next marker of the same name",
                      rep("<div><?marker name='a'></div><template for=a><?marker name='a'></template>")),
    "patches-deep": ("linear", "patch templates below a deep stack", seq(rep("<div>"), rep("<template for=m>x</template>"))),
    "patches-ranges": ("linear", "ranges emptied and filled again",
                       seq("<div><?start name='m'>", rep("<i>x</i>"), "<?end></div>", rep("<template for=m><b>y</b></template>"))),
    "patches-long-data": ("linear", "a marker of long data, looked at by searches of the head",
                          seq("<head><?marker x='", rep("a" * 20), "' name='q'>", rep("<template for=a></template>"))),
    # --- select
    "select-chain": ("linear", "select start tags that close and open", rep("<select>")),
    "options": ("linear", "options, each looked at for selectedcontent", seq("<select>", rep("<option>x"))),
    "options-selectedcontent": ("linear", "options copied into selectedcontent",
                                seq("<select><button><selectedcontent></button>", rep("<option selected>x"))),
    "options-late-selectedcontent": ("linear", "selectedcontent behind all options",
                                     seq("<select>", rep("<option>x"), "<selectedcontent></selectedcontent>", rep("<option>y"))),
    "options-nested": ("linear", "options in deep content", seq("<select>", rep("<div>"), rep("<option></option>"))),
    "selectedcontents": ("linear", "many selectedcontent elements",
                         seq("<select>", rep("<selectedcontent></selectedcontent>"), rep("<option>x"))),
    "optgroups": ("linear", "groups", seq("<select>", rep("<optgroup><option><hr>"))),
    # --- foreign content
    "svg-deep": ("linear", "deep SVG", seq("<svg>", rep("<g>"))),
    "svg-unknown-end": ("linear", "unknown end tags in deep SVG", seq("<svg>", rep("<g>"), rep("</x>"))),
    "svg-upper-end": ("linear", "end tags that differ in case", seq("<svg>", rep("<foreignobject>"), rep("</FOREIGNOBJECT></x>"))),
    "svg-breakout": ("linear", "HTML tags that leave foreign content", rep("<svg><g><p>")),
    "svg-points": ("linear", "integration points in turn", rep("<svg><desc><div>")),
    "math-deep": ("linear", "deep MathML", seq("<math>", rep("<mrow><mi>"))),
    "math-end-p": ("linear", "</p> in deep MathML", seq(rep("<math><mi>"), rep("</p>"))),
    "cdata": ("linear", "CDATA sections", seq("<svg>", rep("<![CDATA[x]]>"))),
    "cdata-end": ("linear", "brackets that do not end a section", seq("<svg><![CDATA[", rep("]]x]"))),
    # --- frameset
    "framesets-deep": ("linear", "nested framesets", rep("<frameset>")),
    "framesets": ("linear", "framesets in a row, text between", seq("<frameset>", rep("<frameset>x</frameset> "))),
    # --- the tokenizer
    "attributes-many-tags": ("linear", "many tags with many attributes", num("<p a%d=1 b=2 c=3 d=4 a=5 e=6 f=7 g=8 h=9 b=1>")),
    "attributes-collide": ("linear", "names of one length and beginning", seq("<p ", num("attribute-name-%08d "), ">")),
    "attribute-name-long": ("linear", "an attribute name that never ends", seq("<p ", rep("n"))),
    "attribute-value-long": ("linear", "an attribute value", seq("<p a=", rep("v"))),
    "attribute-references": ("linear", "references in a value", seq("<p a='", rep("&amp;&notit;&lt=&#65;"), "'>")),
    "attribute-newlines": ("linear", "newlines in a value", seq("<p a='", rep("\r\n\r"), "'>")),
    "attribute-quotes": ("linear", "quotes in an unquoted value", seq("<p a=x", rep("\"'`"), ">")),
    "tag-name-long": ("linear", "a tag name", seq("<", rep("n"))),
    "tag-name-closed": ("linear", "long names in start and end tags", seq("<", rep("n"), ">x</", rep("n"), ">")),
    "solidus": ("linear", "solidus flood in a tag", seq("<p", rep(" /"), ">")),
    "equals": ("linear", "equals signs in a tag", seq("<p", rep(" ="), ">")),
    "less-than": ("linear", "less-than signs", rep("<")),
    "less-than-solidus": ("linear", "</ flood", rep("</ >")),
    "comment-nested": ("linear", "comments in a comment", seq("<!--", rep("<!--"))),
    "comment-dashes": ("linear", "dashes", seq("<!--", rep("-"))),
    "comment-bang": ("linear", "--! flood", seq("<!--", rep("--!x<!"))),
    "comments": ("linear", "many comments", rep("<!-->")),
    "doctype-long": ("linear", "a DOCTYPE that never ends", seq("<!DOCTYPE ", rep("n"))),
    "doctype-public": ("linear", "a public identifier that never ends", seq('<!DOCTYPE html PUBLIC "', rep("i"))),
    "doctypes": ("linear", "many DOCTYPEs", rep("<!DOCTYPE html>")),
    "instruction-long": ("linear", "a processing instruction that never ends", seq("<?t ", rep("d?"))),
    "instruction-target": ("linear", "a target that never ends", seq("<?", rep("t"))),
    "instructions": ("linear", "many processing instructions", rep("<?t d?>")),
    "references": ("linear", "references with and without semicolon", rep("&amp;&ampx&notit;&nosuch;&")),
    "references-runs": ("linear", "runs of complete references", rep("&amp;&#65;&lt;some text between")),
    "references-longest": ("linear", "the longest name, cut short", rep("&CounterClockwiseContourIntegra ")),
    "reference-letters": ("linear", "an ambiguous ampersand that never ends", seq("&", rep("a"))),
    "reference-digits": ("linear", "a number that never ends", seq("&#", rep("9"))),
    "reference-hex": ("linear", "a hexadecimal number that never ends", seq("&#x", rep("f"))),
    "rcdata": ("linear", "title full of almost end tags", seq("<title>", rep("</titl</title x&am"))),
    "rawtext": ("linear", "style full of almost end tags", seq("<style>", rep("</styl</"))),
    "script-escapes": ("linear", "script comments", seq("<script>", rep("<!--<script></script>-->"))),
    "script-dashes": ("linear", "dashes in script comments", seq("<script><!--", rep("-<-"))),
    "scripts": ("linear", "many scripts", rep("<script></script>")),
    "plaintext": ("linear", "plaintext with NUL and CR", seq("<plaintext>", rep("\0\r"))),
    # --- the input stream
    "cr": ("linear", "CR flood", rep("\r")),
    "cr-lf": ("linear", "CR LF flood", rep("\r\n")),
    "nul-names": ("linear", "NUL in names", rep("<a\0b c\0=\0>")),
    "nul-text": ("linear", "NUL between characters", rep("x\0")),
    "nul-comment": ("linear", "NUL in a comment", seq("<!--", rep("\0"))),
    "invalid-utf8": ("linear", "bytes that are no UTF-8", lambda n: b"\xff\xe2\x82a" * n),
    "one-invalid-byte": ("linear", "nothing but one byte that is no UTF-8", raw(b"\xff")),
    "cut-sequences": ("linear", "sequences that end too early", raw(b"\xf0\x9f\x98")),
    "lone-surrogates": ("linear", "lone surrogates, and half a unit at the end",
                        lambda n: b"\x00\xd8\x61\x00\x00\xdc" * n + b"\x61", "utf-16le"),
    "lone-surrogates-be": ("linear", "low surrogates, and half a unit at the end",
                           lambda n: b"\xdc\x00" * n + b"\x61", "utf-16be"),
    "iso-2022-jp-switches": ("linear", "escape sequences with text between", raw(b"\x1b$B!!\x1b(Ba"), "iso-2022-jp"),
    "iso-2022-jp-escapes": ("linear", "escape sequences alone, each an error", raw(b"\x1b$B"), "iso-2022-jp"),
    "iso-2022-jp-broken": ("linear", "escape characters alone", raw(b"\x1b"), "iso-2022-jp"),
    "invalid-gb18030": ("linear", "three bytes of four, then a bad one", raw(b"\x81\x30\x81\xff"), "gb18030"),
    "invalid-big5": ("linear", "one byte that Big5 does not have", raw(b"\xff"), "big5"),
    "invalid-euc-jp": ("linear", "two bytes of three, then a bad one", raw(b"\x8f\xa1\xff"), "euc-jp"),
    "invalid-euc-kr": ("linear", "one byte that EUC-KR does not have", raw(b"\xff"), "euc-kr"),
    "invalid-shift-jis": ("linear", "one byte that Shift_JIS does not have", raw(b"\xa0"), "shift_jis"),
    "invalid-windows-1253": ("linear", "one byte that windows-1253 does not have", raw(b"\xaa"), "windows-1253"),
    "controls": ("linear", "controls and noncharacters, each an error", rep("\x01\ufffe")),
    "newlines": ("linear", "lines, for positions of errors", rep("\n</x>")),
    "errors": ("linear", "error recording", rep("</x><p a a>&x;")),
    "metas": ("linear", "declarations of encodings", rep("<meta charset=utf-8><meta http-equiv=content-type content='a;charset=x'>")),
    # --- text
    "text-pieces": ("linear", "one text node from references", rep("&lt;a")),
    "text-whitespace": ("linear", "whitespace that changes modes", rep(" <head> </head> ")),
    "text-after-body": ("linear", "text behind the body", rep("</body> x")),
    "comments-after-html": ("linear", "comments behind the html", seq("</html>", rep("<!--c-->"))),
    "pre-newlines": ("linear", "newlines behind pre", rep("<pre>\n</pre>")),
    # --- trees that are square by the Standard: a limit must stop them
    "square-reconstruct": ("square", "distinct formatting elements reopened in every p",
                           seq("<p>", num("<b a%d>"), rep("</p><p>x"))),
    "square-cells": ("square", "the same in table cells", seq("<table><tr><td><p>", num("<i a%d>"), rep("</p><p>x"))),
}
