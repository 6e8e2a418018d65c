"""Draws the processor time of each peer relative to habitat, for each job, on a logarithmic axis."""
import html
import math

COLORS = {"PostGIS": "#31648c", "ogr2ogr": "#5cae58", "sqlite-utils": "#003b57", "DuckDB": "#e0a300", "SQLite": "#8a8a8a"}
LEFT, RIGHT, BAR, TOP = 330, 60, 15, 56


def draw(path, rows):
    """Writes the chart to `path`. `rows` are pairs: the name of a job, and the figures of each tool, the median first."""
    jobs = [(name, {peer: value[0] / figures["habitat"][0] for peer, value in figures.items() if peer != "habitat"})
            for name, figures in rows]
    jobs = [(name, ratios) for name, ratios in jobs if ratios]
    values = [ratio for _, ratios in jobs for ratio in ratios.values()]
    low, high = min(0.1, *values), max(10, *values)
    low, high = 10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high))
    width = 900
    height = TOP + sum(len(ratios) * BAR + 14 for _, ratios in jobs) + 20

    def x(ratio):
        return LEFT + (width - LEFT - RIGHT) * (math.log10(ratio) - math.log10(low)) / (math.log10(high) - math.log10(low))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="#fff"/>',
           '<text x="10" y="20" font-size="15" fill="#222">Processor time of other tools relative to habitat</text>']
    decade = low
    while decade <= high:
        strength = 2 if decade == 1 else 0.5
        out.append(f'<line x1="{x(decade):.1f}" x2="{x(decade):.1f}" y1="{TOP - 8}" y2="{height - 10}" stroke="#999" stroke-width="{strength}"/>')
        out.append(f'<text x="{x(decade):.1f}" y="{TOP - 14}" text-anchor="middle" fill="#555">{decade:g} ×</text>')
        decade *= 10
    y = TOP
    for name, ratios in jobs:
        out.append(f'<text x="{LEFT - 12}" y="{y + len(ratios) * BAR / 2 + 4}" text-anchor="end" fill="#222">{html.escape(name)}</text>')
        for peer, ratio in ratios.items():
            start, end = sorted((x(1), x(ratio)))
            out.append(f'<rect x="{start:.1f}" y="{y}" width="{max(1, end - start):.1f}" height="{BAR - 3}" fill="{COLORS[peer]}"/>')
            out.append(f'<text x="{end + 5:.1f}" y="{y + 10}" fill="#222" font-size="11">{peer} {ratio:.2g} ×</text>')
            y += BAR
        y += 14
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out + ["</svg>\n"]))
