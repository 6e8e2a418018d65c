"""The recipes of docs/maps.md: pages of other servers that show a shared view."""

import base64
import functools
import http.server
import json
import pathlib
import re
import subprocess
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from application_records import FAR, HERE, HOSTILE_TITLE, write_day_records
from conftest import CHROMIUM, LoadStore, Photograph, StopAtEnd
from habitat import PATIENCE_SECONDS, REPOSITORY, TODAY, Server
from playwright.sync_api import Browser, Page, Playwright, expect

DOCUMENTED = "https://habits.example.org"
LIBRARIES = REPOSITORY / ".build/browser/libraries"
LEAFLET = pathlib.Path("/usr/share/javascript/leaflet")

# MapLibre draws with WebGL, which Chromium simulates without a graphics card.
WEBGL = ["--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]

COLORS = """async ({ picture, points }) => {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  context.drawImage(bitmap, 0, 0);
  return points.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3));
}"""


@pytest.fixture(scope="module")
def webgl(playwright: Playwright) -> Iterator[Browser]:
    """A Chromium that can draw with WebGL."""
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=WEBGL)
    yield browser
    browser.close()


class Site:
    """A server of another origin."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder
        self._pages = 0
        handler = functools.partial(QuietHandler, directory=str(folder))
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def write(self, page: str) -> str:
        """Stores a page and returns its address, which no other page has, so that the browser has no copy."""
        self._pages += 1
        name = f"page-{self._pages}.html"
        (self._folder / name).write_text(page)
        return f"http://127.0.0.1:{self._server.server_port}/{name}"

    def stop(self) -> None:
        """Ends the server."""
        self._server.shutdown()
        self._thread.join(PATIENCE_SECONDS)
        self._server.server_close()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, format: str, *args: Any) -> None:
        """Writes nothing."""


@pytest.fixture
def site(tmp_path: pathlib.Path) -> Iterator[Site]:
    """A site with MapLibre and Leaflet."""
    for library in (LIBRARIES, LEAFLET):
        for file in library.glob("*.*s"):
            (tmp_path / file.name).symlink_to(file.resolve())
    # Chromium requests an icon of each site.
    (tmp_path / "favicon.ico").touch()
    site = Site(tmp_path)
    yield site
    site.stop()


@pytest.fixture
def server(load_store: LoadStore, stop_at_end: StopAtEnd) -> Server:
    """A server with a person with two places."""
    server = stop_at_end(Server(load_store(write_day_records)))
    for habit, position in [("hostile", HERE), ("walk", FAR)]:
        event = {"habit": habit, "day": TODAY, **position}
        server.client("me").send("POST", "/collections/events/items", json.dumps(event).encode())
    return server


def share(server: Server, **members: bool) -> dict[str, str]:
    """Creates a view of the person's events, and returns its addresses."""
    definition = json.dumps({"layers": ["events"], "rounding": "street", **members}).encode()
    created: dict[str, str] = json.loads(server.client("me").send("POST", "/user/views", definition))
    # Pages of Chromium open the host of the printed addresses.
    return {name: str(value).replace("127.0.0.1", "localhost") for name, value in created.items()}


@pytest.fixture
def view(server: Server) -> dict[str, str]:
    """The addresses of a view."""
    return share(server)


def recipe(heading: str, view: dict[str, str]) -> str:
    """Returns the page below a heading of the document, with the address of a view."""
    document = (REPOSITORY / "docs/maps.md").read_text()
    section = document.split(f"## {heading}\n", 1)[1]
    found = re.search(r"```html\n(.*?)```", section, re.DOTALL)
    assert found, heading
    address = view["url"]
    page = found[1].replace(f"{DOCUMENTED}/shared/SECRET", address)
    page = page.replace(f"{DOCUMENTED}/embed/SECRET", address.replace("/shared/", "/embed/"))
    assert DOCUMENTED not in page
    return re.sub(r"https://unpkg\.com/[^\"]*/", "", page)


def picture_colors(page: Page, points: list[list[int]]) -> list[list[int]]:
    """Returns the colors of pixels of the window."""
    colors: list[list[int]] = page.evaluate(COLORS, {"picture": base64.b64encode(page.screenshot()).decode(), "points": points})
    return colors


def rgb(color: str) -> list[int]:
    """Returns the parts of a hexadecimal color."""
    return [int(color[index : index + 2], 16) for index in (1, 3, 5)]


def is_near(color: list[int], expected: list[int]) -> bool:
    """Returns whether two colors differ by rounding at most."""
    return all(abs(part - other) <= 4 for part, other in zip(color, expected, strict=True))


def style_color(server_style: dict[str, Any], layer: str, name: str) -> list[int]:
    """Returns a color of a layer of the style."""
    (found,) = [entry for entry in server_style["layers"] if entry["id"] == layer]
    color = found["paint"][name]
    return rgb(color if isinstance(color, str) else color[-1])


def status_color(style: dict[str, Any], status: str) -> list[int]:
    """Returns the color of a status in the style."""
    (points,) = [entry for entry in style["layers"] if entry["id"] == "events-points"]
    operator, _, *cases = points["paint"]["circle-color"]
    assert operator == "match"
    return rgb(cases[cases.index(status) + 1])


@pytest.mark.parametrize("has_status", [False, True])
def test_page_of_ten_lines_shows_map_of_shared_view(
    webgl: Browser, site: Site, server: Server, photograph: Photograph, has_status: bool
) -> None:
    """Land, sea and the points of the view have the colors of the style, on a page of another origin."""
    view = share(server, status=has_status)
    text = recipe("A page of ten lines", view)
    assert len(text.splitlines()) <= 10
    context = webgl.new_context(viewport={"width": 1280, "height": 820})
    context.set_default_timeout(PATIENCE_SECONDS * 1000)
    page = context.new_page()
    failures: list[str] = []
    page.on("console", lambda message: failures.append(message.text) if message.type == "error" else None)
    page.on("weberror", lambda error: failures.append(str(error)))
    page.goto(site.write(text))
    expect(page.locator("canvas")).to_be_visible()
    style = page.evaluate("address => fetch(address).then(response => response.json())", f"{view['url']}/style.json")
    expected = {
        "sea": style_color(style, "background", "background-color"),
        "land": style_color(style, "world-land", "fill-color"),
        # The habit of the point has one entry in three weeks.
        "point": status_color(style, "Inactive") if has_status else style_color(style, "events-points", "circle-color"),
    }
    # At zoom 11, a degree has 2,913 pixels from west to east, and 3,733 from north to south at Lisbon.
    points = {"sea": [90, 780], "land": [465, 110], "point": [642, 401]}
    shown: dict[str, list[int]] = {}
    for _ in range(PATIENCE_SECONDS * 2):
        shown = dict(zip(points, picture_colors(page, list(points.values())), strict=True))
        if all(is_near(shown[name], expected[name]) for name in points):
            break
        page.wait_for_timeout(500)
    assert {name: is_near(shown[name], expected[name]) for name in points} == dict.fromkeys(points, True), shown
    assert has_labels(style)
    assert failures == []
    photograph(page, f"map-of-shared-view{'-with-status' if has_status else ''}")
    context.close()


def has_labels(style: dict[str, Any]) -> bool:
    """Returns whether the style names cities and records."""
    names = {layer["id"] for layer in style["layers"] if layer["type"] == "symbol"}
    return {"world-cities", "events-labels", "events-counts"} <= names


def test_leaflet_shows_points_and_texts_of_shared_view(browser: Browser, site: Site, view: dict[str, str]) -> None:
    """The points of the file are circles, and a title is never markup."""
    head = '<link rel="stylesheet" href="leaflet.css"><script src="leaflet.js"></script><div id="map" style="height: 90vh"></div>'
    context = browser.new_context(viewport={"width": 1280, "height": 820})
    context.set_default_timeout(PATIENCE_SECONDS * 1000)
    page = context.new_page()
    page.goto(site.write(head + recipe("Leaflet", view)))
    circles = page.locator("path.leaflet-interactive")
    expect(circles).to_have_count(2)
    circles.last.hover()
    expect(page.locator(".leaflet-tooltip")).to_have_text(HOSTILE_TITLE)
    context.close()


def test_only_embed_page_is_shown_in_frame(browser: Browser, site: Site, view: dict[str, str]) -> None:
    """A frame of another site shows the embed page, and refuses the other page of the view."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE_SECONDS * 1000)
    page = context.new_page()
    text = recipe("A frame", view)
    page.goto(site.write(text))
    expect(page.frame_locator("iframe").locator("svg").first).to_be_visible()
    with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
        page.goto(site.write(text.replace("/embed/", "/shared/")))
    context.close()


@pytest.mark.parametrize("file", ["events.geojson", "events.csv"])
def test_gdal_reads_file_of_shared_view(view: dict[str, str], file: str) -> None:
    """GDAL recognizes a file by the end of its address."""
    address = f"{view['url']}/{file}"
    source = f"/vsicurl/{address}" if file.endswith(".csv") else address
    command = ["ogrinfo", "-ro", "-al", "-so", source]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS)
    assert "Feature Count: 4" in result.stdout, result.stdout + result.stderr
