"""Splits polygons that share their edges into coasts and borders, and simplifies both.

All coordinates are integers, so that equal vertices of two polygons are equal numbers.
"""


def split(rings):
    """Returns the edges of one polygon as closed rings, and the edges that two polygons share as lines.

    The rings are the outline of the union of the polygons. A vertex where a border meets a coast is a vertex of both, and
    `simplified` keeps it.
    """
    edges = set()
    shared = set()
    for ring in rings:
        for edge in zip(ring, ring[1:]):
            if edge[0] == edge[1]:
                continue
            reverse = (edge[1], edge[0])
            if reverse in edges:
                edges.remove(reverse)
                shared.add(min(edge, reverse))
            else:
                edges.add(edge)
    borders = lines(shared)
    fixed = {end for line in borders for end in (line[0], line[-1])}
    return closed(edges), borders, fixed


def closed(edges):
    """Joins directed edges to closed rings. Each vertex has as many incoming as outgoing edges."""
    following = {}
    for start, end in sorted(edges):
        following.setdefault(start, []).append(end)
    rings = []
    for start in sorted(following):
        while following[start]:
            ring = [start]
            while len(ring) == 1 or ring[-1] != start:
                ring.append(following[ring[-1]].pop())
            rings.append(ring)
    return rings


def lines(edges):
    """Joins edges without a direction to lines between the vertices that do not have exactly two edges."""
    neighbors = {}
    for one, other in edges:
        neighbors.setdefault(one, set()).add(other)
        neighbors.setdefault(other, set()).add(one)

    def walk(start, following):
        line = [start]
        while True:
            neighbors[line[-1]].discard(following)
            neighbors[following].discard(line[-1])
            line.append(following)
            if following in ends or not neighbors[following]:
                return line
            following = min(neighbors[following])

    ends = {vertex for vertex, others in neighbors.items() if len(others) != 2}
    found = []
    for start in sorted(ends) + sorted(set(neighbors) - ends):
        while neighbors[start]:
            found.append(walk(start, min(neighbors[start])))
    return found


def simplified(line, tolerance, fixed=()):
    """Removes vertices that are at most `tolerance` from the simplified line (Douglas and Peucker), except those in `fixed`."""
    if line[0] == line[-1]:
        # A ring is simplified in two halves: between its first vertex and the vertex farthest from it.
        far = max(range(len(line)), key=lambda i: squared(line[i], line[0]))
        kept = {0, far, len(line) - 1}
    else:
        kept = {0, len(line) - 1}
    kept |= {i for i, vertex in enumerate(line) if vertex in fixed}
    stops = sorted(kept)
    open_parts = list(zip(stops, stops[1:]))
    while open_parts:
        start, end = open_parts.pop()
        if end - start < 2:
            continue
        far = max(range(start + 1, end), key=lambda i: distance(line[i], line[start], line[end]))
        if distance(line[far], line[start], line[end]) > tolerance**2:
            kept.add(far)
            open_parts += [(start, far), (far, end)]
    return [line[i] for i in sorted(kept)]


def squared(a, b):
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def distance(point, start, end):
    """Returns the square of the distance from a point to a line segment."""
    length = squared(start, end)
    if length == 0:
        return squared(point, start)
    along = (point[0] - start[0]) * (end[0] - start[0]) + (point[1] - start[1]) * (end[1] - start[1])
    share = min(1, max(0, along / length))
    return squared(point, (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])))


def area(ring):
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:]))) / 2
