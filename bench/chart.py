"""The README's chart: MB/s of all contestants in the main rows, as an SVG of plain bars."""
from html import escape

PANELS = [("a", "Tokens"), ("b", "Tree, new document"), ("c", "Tree, document reused"),
          ("g-new", "Pages of 1 KB, new document"), ("d", "Tree, then visit all"), ("e", "Tree, then serialize")]
WIDTH, LABEL, BAR, GAP, HEAD = 420, 150, 16, 5, 34
STYLE = """text{font:12px system-ui,sans-serif;fill:#1f2328}.t{font-weight:600;font-size:13px}.n{fill:#59636e}
.o{fill:#0f766e}.r{fill:#afb8c1}@media(prefers-color-scheme:dark){text{fill:#e6edf3}.n{fill:#9198a1}.o{fill:#2dd4bf}.r{fill:#484f58}}"""


def panel(run, key, title, x, y):
    """The panel's SVG and its height."""
    rates = sorted(((run.rate(key, name), name) for name in run.results(key)), reverse=True)
    if not rates:
        return "", 0
    parts = [f'<text class="t" x="{x}" y="{y + 14}">{escape(title)}, MB/s</text>']
    room = WIDTH - LABEL - 64
    for index, (rate, name) in enumerate(rates):
        top = y + HEAD - 8 + index * (BAR + GAP)
        width = max(1.0, room * rate / rates[0][0])
        kind = "o" if name.startswith("lanner") else "r"
        parts.append(f'<text x="{x + LABEL - 8}" y="{top + 12}" text-anchor="end">{escape(name)}</text>'
                     f'<rect class="{kind}" x="{x + LABEL}" y="{top}" width="{width:.1f}" height="{BAR}" rx="2"/>'
                     f'<text class="n" x="{x + LABEL + width + 6:.1f}" y="{top + 12}">{rate:,.0f}</text>')
    return "".join(parts), HEAD + len(rates) * (BAR + GAP) + 10


def draw(run, caption):
    parts, y = [], 10
    panels = [entry for entry in PANELS if run.results(entry[0])]
    for left in range(0, len(panels), 2):
        heights = []
        for column, (key, title) in enumerate(panels[left:left + 2]):
            svg, height = panel(run, key, title, 10 + column * (WIDTH + 20), y)
            parts.append(svg)
            heights.append(height)
        y += max(heights) + 8
    parts.append(f'<text class="n" x="10" y="{y + 12}">{escape(caption)}</text>')
    total = 2 * WIDTH + 40
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {y + 24}" width="{total}" height="{y + 24}" '
            f'role="img" aria-label="Throughput of HTML parsers"><style>{STYLE}</style>{"".join(parts)}</svg>\n')
