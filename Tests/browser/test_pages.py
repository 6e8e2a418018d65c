"""The pages of a person who is signed in, with the sample data."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from accessibility import expect_to_fit
from conftest import LoadStore, MakeVisitor, Photograph, StopAtEnd
from habitat import Client, Server
from playwright.sync_api import Page, expect
from small_store import write_small_records
from visitor import Visitor

COLLECTIONS = [
    "claims",
    "events",
    "following",
    "follows",
    "habits",
    "items",
    "located-events",
    "messages",
    "pauses",
    "posts",
    "reads",
    "users",
]
# The parameters that reports require.
PARAMETERS = {report: "&near=-9.1393,38.7223" for report in ("near", "items-near")}
WINDOWS = [{"width": 1280, "height": 820}, {"width": 390, "height": 844}]
PHOTO = "/collections/events/items/w1/photo"


@pytest.fixture
def client(server: Server) -> Client:
    """The API, as the person sees it."""
    return server.client("alice")


@pytest.fixture(
    params=[pytest.param(WINDOWS[0], marks=pytest.mark.long, id="1280"), pytest.param(WINDOWS[1], id="390")]
)
def visitor(request: pytest.FixtureRequest, visit: MakeVisitor, server: Server) -> Visitor:
    """A person who is signed in, with the window of a desk or of a phone."""
    return visit(server, "alice", viewport=request.param)


def open_page(visitor: Visitor, page: Page, path: str, status: int = 200) -> None:
    """Opens a page in a tab, and checks its status and its width."""
    response = page.goto(path)
    assert response and response.status == status, path
    assert "html" in response.headers["content-type"], path
    expect_to_fit(page)


def photograph_page(photograph: Photograph, page: Page, name: str) -> None:
    """Saves a picture of the page with the width of its window in the name."""
    size = page.viewport_size
    assert size
    photograph(page, f"{name}-{size['width']}")


def expect_site_page(page: Page) -> None:
    """Checks the parts that every page but the map has."""
    expect(page.locator("header .person")).to_have_text("alice")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.parametrize("path", ["/", "/?f=html", "/collections", "/conformance", "/api", "/sign-in"])
def test_page_of_site_opens(visitor: Visitor, path: str, photograph: Photograph) -> None:
    page = visitor.page()
    open_page(visitor, page, path)
    expect_site_page(page)
    photograph_page(photograph, page, "developers" if "?" in path else path.strip("/") or "home")


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_collection_list_and_record_open(visitor: Visitor, client: Client, collection: str, photograph: Photograph) -> None:
    page = visitor.page()
    open_page(visitor, page, f"/collections/{collection}")
    expect_site_page(page)
    items = f"/collections/{collection}/items"
    open_page(visitor, page, items)
    expect_site_page(page)
    photograph_page(photograph, page, f"list-{collection}")
    record = client.get(items, limit=1)["features"][0]["id"]
    expect(page.locator("tbody tr").first).to_contain_text(record)
    page.locator("tbody tr").first.locator("th a").click()
    title = client.get(f"/collections/{collection}")["title"]
    expect(page.get_by_role("navigation").get_by_role("link", name=title, exact=True)).to_be_visible()
    expect_to_fit(page)
    expect_site_page(page)
    photograph_page(photograph, page, f"record-{collection}")


def test_every_collection_is_opened(client: Client) -> None:
    assert sorted(collection["id"] for collection in client.get("/collections")["collections"]) == COLLECTIONS


def test_reports_open(visitor: Visitor, client: Client, photograph: Photograph) -> None:
    page = visitor.page()
    reports = [report["id"] for report in client.get("/reports")["reports"]]
    assert len(reports) > 10
    for report in reports:
        open_page(visitor, page, f"/reports/{report}?f=html{PARAMETERS.get(report, '')}")
        expect_site_page(page)
        photograph_page(photograph, page, f"report-{report}")


def test_calendar_squares_have_one_size(visit: MakeVisitor, server: Server) -> None:
    """A calendar of two weeks is narrow, and its squares are as large as those of thirteen weeks."""
    page = visit(server, "alice").page()
    scales = []
    for weeks in (2, 13):
        page.goto(f"/reports/calendar?f=html&date=2026-11-20&weeks={weeks}")
        drawing = page.locator(".calendar .multiples svg").first
        drawn = drawing.evaluate("svg => svg.getBoundingClientRect().width")
        scales.append(drawn / float((drawing.get_attribute("viewBox") or "").split()[2]))
    assert abs(scales[0] - scales[1]) < 0.1, scales


def test_map_opens(visitor: Visitor, photograph: Photograph) -> None:
    page = visitor.page("/map")
    expect(page.locator("body")).to_have_attribute("data-state", "ready")
    expect(page.locator("#user")).to_have_text("alice")
    expect_to_fit(page)
    photograph_page(photograph, page, "map-of-alice")


@pytest.mark.parametrize(("path", "status"), [("/nothing", 404), ("/collections/events/items/nothing", 404), ("/near", 400)])
def test_page_of_problem_opens(visitor: Visitor, path: str, status: int, photograph: Photograph) -> None:
    visitor.expect_complaint(f"status of {status}")
    page = visitor.page("/")
    open_page(visitor, page, path, status)
    expect_site_page(page)
    photograph_page(photograph, page, f"problem-{path.strip('/').replace('/', '-')}")


def test_first_page_of_problem_names_person(visit: MakeVisitor, server: Server) -> None:
    visitor = visit(server, "alice")
    visitor.expect_complaint("status of 404")
    page = visitor.page("/nothing")
    assert page.locator("header .person").text_content() == "alice"


def test_page_of_problem_leads_home(visit: MakeVisitor, server: Server) -> None:
    visitor = visit(server, "alice")
    visitor.expect_complaint("status of 404")
    page = visitor.page("/nothing")
    expect(page.locator("main")).to_contain_text("There is no page at this address.")
    page.locator("main").get_by_role("link").click()
    expect(page).to_have_url(f"{server.base}/")


def test_icon_of_page_is_shown(visit: MakeVisitor, server: Server) -> None:
    page = visit(server).page("/")
    script = """address => new Promise(done => {
      const image = new Image();
      image.onload = () => done(image.naturalWidth > 0);
      image.onerror = () => done(false);
      image.src = address;
    })"""
    icon = page.locator("link[rel=icon]").evaluate("link => link.href")
    for address in [icon, f"{server.base}/favicon.ico"]:
        assert page.evaluate(script, address), address


@pytest.mark.parametrize("path", ["/map", "/collections/located-events/items", "/sign-in"])
def test_second_visit_requests_no_file(visit: MakeVisitor, server: Server, path: str) -> None:
    visitor = visit(server, "alice")
    first = loads_of_files(visitor.page(), path)
    assert len(first.from_server) > 2
    second = loads_of_files(visitor.page(), path)
    # On a slow machine, the first visit may end before the map has loaded its background. Only the second visit loads it then.
    assert second.from_server.isdisjoint(first.from_server)
    assert len(second.from_cache) > 2


@dataclass
class FileLoads:
    """The addresses of the files that a page has loaded, by where the browser found them."""

    from_server: set[str] = field(default_factory=set)
    from_cache: set[str] = field(default_factory=set)


def loads_of_files(page: Page, path: str) -> FileLoads:
    """Opens a page, and returns its loads of files.

    The browser says where it found each file. The server's log cannot say it: the browser requests the icon at any time after the page,
    also during the next visit. The page is complete when its requests pause.
    """
    loads = FileLoads()
    cached: set[str] = set()

    def add(event: dict[str, Any]) -> None:
        response = event["response"]
        if "/static/" in response["url"]:
            is_cached = response["fromDiskCache"] or event["requestId"] in cached
            (loads.from_cache if is_cached else loads.from_server).add(response["url"])

    browser = page.context.new_cdp_session(page)
    browser.on("Network.requestServedFromCache", lambda event: cached.add(event["requestId"]))
    browser.on("Network.responseReceived", add)
    browser.send("Network.enable")
    page.goto(path)
    # A pause can also be before the first file, while the browser still reads the page.
    page.wait_for_load_state("networkidle")
    return loads


def test_links_of_pages_lead_on(visit: MakeVisitor, server: Server) -> None:
    page = visit(server, "alice").page("/?f=html")
    for name in ["Collections", "Habit events", "Habitat", "Map"]:
        page.get_by_role("link", name=name, exact=True).first.click()
    # The map adds the part that it shows.
    expect(page).to_have_url(re.compile(re.escape(f"{server.base}/map") + "(#.*)?$"))


def test_list_leads_to_next_page(visit: MakeVisitor, server: Server) -> None:
    page = visit(server, "alice").page("/collections/events/items?limit=5")
    first = page.locator("tbody tr").first.text_content()
    page.get_by_role("link", name="Next").click()
    expect(page.locator("tbody tr").first).not_to_have_text(first or "")
    expect(page.locator("tbody tr")).to_have_count(5)


def test_list_shows_pictures(visit: MakeVisitor, server: Server) -> None:
    page = visit(server, "alice").page("/collections/posts/items")
    pictures = page.locator("td img")
    expect(pictures.first).to_be_visible()
    pictures.first.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('td img').naturalWidth > 0")


def test_document_without_page_opens(visit: MakeVisitor, server: Server) -> None:
    page = visit(server, "alice").page()
    for path in ["/user", "/changes", "/sessions", "/tileMatrixSets"]:
        response = page.goto(path)
        assert response and response.status == 200, path
        assert json.loads(response.text()), path


def test_list_is_downloaded_in_format(visit: MakeVisitor, server: Server) -> None:
    page = visit(server, "alice").page("/collections/events/items?limit=5")
    for format, beginning in {"csv": "id,", "geojson": '{"type":"FeatureCollection"'}.items():
        response = page.request.get(f"/collections/events/items?limit=5&f={format}")
        assert response.status == 200, format
        assert response.text().startswith(beginning), format


def test_own_data_is_downloaded(visit: MakeVisitor, server: Server) -> None:
    page = visit(server, "alice").page("/map")
    with page.expect_download() as download:
        page.evaluate("location.assign('/user/export')")
    assert download.value.path().stat().st_size > 1000


# One event with a photo


@pytest.fixture
def page(visit: MakeVisitor, photo_server: Server) -> Page:
    """The map of a person who is signed in, whose policy permits requests and workers."""
    page = visit(photo_server, "me").page("/map")
    expect(page.locator("body")).to_have_attribute("data-state", "ready")
    return page


def test_photo_opens(page: Page) -> None:
    page.goto(PHOTO)
    page.wait_for_function("() => document.querySelector('img')?.naturalWidth === 1")


def test_photo_is_downloaded(page: Page) -> None:
    with page.expect_download() as download:
        page.evaluate("path => location.assign(path)", f"{PHOTO}?download")
    assert download.value.path().read_bytes().startswith(b"\x89PNG")


def test_image_of_page_is_shown(page: Page) -> None:
    script = """path => new Promise((done, failed) => {
      const image = new Image();
      image.onload = () => done(image.naturalWidth);
      image.onerror = () => failed(new Error('the image does not load'));
      image.src = path;
    })"""
    assert page.evaluate(script, PHOTO) == 1


def test_tile_has_features(page: Page) -> None:
    script = """async path => {
      const response = await fetch(path);
      return [response.status, response.headers.get('content-type'), (await response.arrayBuffer()).byteLength];
    }"""
    status, content, size = page.evaluate(script, "/collections/located-events/tiles/WebMercatorQuad/0/0/0")
    assert (status, content) == (200, "application/vnd.mapbox-vector-tile")
    assert size > 50


def test_worker_reads_with_session(page: Page) -> None:
    worker = "onmessage = async ({ data }) => { const response = await fetch(data); postMessage(response.status); };"
    page.route("**/worker-of-test.js", lambda route: route.fulfill(body=worker, content_type="text/javascript"))
    script = """path => new Promise((done, failed) => {
      const worker = new Worker('/worker-of-test.js');
      worker.onmessage = ({ data }) => done(data);
      worker.onerror = () => failed(new Error('the worker does not start'));
      worker.postMessage(path);
    })"""
    assert page.evaluate(script, "/collections/events/items") == 200


@pytest.fixture
def changing_server(load_store: LoadStore, stop_at_end: StopAtEnd) -> Server:
    """A server with a small store of its own."""
    return stop_at_end(Server(load_store(write_small_records)))


def test_stream_sends_change(visit: MakeVisitor, changing_server: Server) -> None:
    page = visit(changing_server, "me").page("/map")
    page.evaluate(
        """() => new Promise(done => {
          window.changes = [];
          window.stream = new EventSource('/changes/stream');
          stream.addEventListener('change', event => changes.push(event.data));
          stream.onopen = done;
        })"""
    )
    status = page.evaluate(
        """() => fetch('/collections/events/items/w1', {
          method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ comment: 'Sun' }),
        }).then(response => response.status)"""
    )
    assert status == 200
    page.wait_for_function("() => window.changes.length > 0")
    assert "w1" in page.evaluate("window.changes[0]")
    page.evaluate("window.stream.close()")
