"""Every kind of page, checked by axe-core against WCAG 2.2 AA and its best practices.

One page of each kind is checked in one window and one color scheme. The mark `long` selects the other combinations.
"""

import json
import urllib.parse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from accessibility import expect_no_violation, expect_to_fit
from conftest import MakeVisitor, Photograph
from habitat import REPOSITORY, TODAY, Server, Store, run_habitat
from playwright.sync_api import Page, ViewportSize
from test_account import link
from test_pages import COLLECTIONS, PARAMETERS

Scheme = Literal["light", "dark"]


@dataclass(frozen=True)
class Window:
    """A window, and the color scheme that the person prefers."""

    width: int
    height: int
    scheme: Scheme

    @property
    def size(self) -> ViewportSize:
        """The size as Playwright takes it."""
        return {"width": self.width, "height": self.height}


SIZES = {320: 640, 390: 844, 768: 1024, 1280: 820}
SCHEMES: list[Scheme] = ["light", "dark"]
WINDOWS = [Window(width, height, scheme) for scheme in SCHEMES for width, height in SIZES.items()]
REPORTS = sorted(file.stem for file in (REPOSITORY / "reports").glob("*.sql"))
NIGHTLY = {
    "nights": "index",
    "night": f"{TODAY}/index",
    "users of a night": f"{TODAY}/users",
    "user of a night": f"{TODAY}/user-alice",
}


@dataclass(frozen=True)
class Subject:
    """A page to check."""

    name: str
    # The path, or a function that finds it on the server.
    path: str | Callable[[Server], str]
    user: str | None = "alice"
    # The fixture with the server.
    server: str = "server"
    status: int = 200
    # What to wait for.
    ready: str = "main"
    # The kind of pages that are alike. `None` is a page that resembles no other.
    kind: str | None = None

    def find(self, server: Server) -> str:
        """Returns the path."""
        return self.path if isinstance(self.path, str) else self.path(server)


def first_record(collection: str) -> Callable[[Server], str]:
    """Returns a function that finds the first record of a collection."""

    def find(server: Server) -> str:
        items = f"/collections/{collection}/items"
        record = server.client("alice").get(items, limit=1)["features"][0]["id"]
        return f"{items}/{urllib.parse.quote(record, safe='')}"

    return find


def shared(folder: str) -> Callable[[Server], str]:
    """Returns a function that shares a view, and returns the path of its page in a folder."""

    def create(server: Server) -> str:
        view = json.loads(
            server.client("alice").send("POST", "/user/views", b'{"layers": ["events", "posts", "items"]}')
        )
        secret = view["url"].rsplit("/", 1)[1]
        return f"/{folder}/{secret}"

    return create


def subjects() -> Iterator[Subject]:
    """Yields the pages of a server."""
    yield Subject("home of a visitor", "/", user=None)
    yield Subject("home of a person", "/")
    yield Subject("home of a new person", "/", user="new", server="empty_server")
    yield Subject("home of the operator", "/", user="operator")
    yield Subject("home of a developer", "/?f=html")
    yield Subject("sign-in", "/sign-in", user=None)
    # The page of the link sends its form, and the response requires a confirmation.
    form = "main form:has([name=confirm])"
    yield Subject("one-time link", lambda server: link(server, "me"), user=None, server="small_server", ready=form)
    yield Subject("code of a link", "/sign-in/link", user=None)
    yield Subject("account", "/account")
    yield Subject("shared view", shared("shared"), user=None)
    yield Subject("embedded view", shared("embed"), user=None)
    yield Subject("account of the operator", "/account", user="operator")
    yield Subject("inbox", "/inbox?f=html")
    yield Subject("empty inbox", "/inbox?f=html", user="new", server="empty_server")
    yield Subject("near", "/near?near=-9.1393,38.7223&f=html")
    yield Subject("map", "/map", ready="body[data-state=ready]")
    for path in ("/reports", "/collections", "/conformance", "/api"):
        yield Subject(path.strip("/"), path)
    yield Subject("reports of the operator", "/reports", user="operator")
    # The pages of located events have all parts, such as maps and statuses, so they come first.
    for collection in sorted(COLLECTIONS, key=lambda name: name != "located-events"):
        items = f"/collections/{collection}/items"
        yield Subject(collection, f"/collections/{collection}", kind="collection")
        for description in ("schema", "queryables"):
            path = f"/collections/{collection}/{description}"
            yield Subject(f"{description} of {collection}", path, kind=description)
        yield Subject(f"list of {collection}", items, kind="list")
        yield Subject(f"record of {collection}", first_record(collection), kind="record")
        yield Subject(f"empty list of {collection}", items, user="new", server="empty_server", kind="empty list")
    yield Subject("list with filters", "/collections/events/items?comment-contains=nothing&datetime=2026-11-01/..")
    for report in REPORTS:
        path = f"/reports/{report}?f=html{PARAMETERS.get(report, '')}"
        yield Subject(f"report {report}", path, kind="report")
    for name, page in NIGHTLY.items():
        yield Subject(name, f"/nights/{page}.html", user="operator", server="night_server")
    yield Subject("report without a required value", "/reports/near")
    yield Subject("report with an error", "/reports/completion?from=soon&by=month", status=400)
    yield Subject("not found", "/nothing", status=404)
    yield Subject("not signed in", "/collections/events/items", user=None, status=401)
    yield Subject("not permitted", "/inbox?f=html", user="operator", status=403)


def combinations() -> Iterator[Any]:
    """Yields each page with its windows. All windows but one of each kind of page have the mark `long`."""
    kinds: set[str] = set()
    for number, subject in enumerate(subjects()):
        # The factor alternates the color schemes, too.
        first_window = WINDOWS[number * 5 % len(WINDOWS)]
        windows = list(WINDOWS)
        if subject.kind is None or subject.kind not in kinds:
            windows.remove(first_window)
            yield pytest.param(subject, [first_window], id=subject.name)
        kinds.add(subject.kind or subject.name)
        yield pytest.param(subject, windows, marks=pytest.mark.long, id=f"{subject.name}-{len(windows)} windows")


@pytest.fixture(scope="session")
def empty_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a person who has no records."""
    folder = tmp_path_factory.mktemp("empty")
    records = folder / "records.ndjson"
    records.write_text(json.dumps({"kind": "users", "id": "new"}) + "\n")
    server = Server(Store.load(folder, records))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def night_server(sample_store: Store, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the sample data and a nightly run."""
    folder = tmp_path_factory.mktemp("nights")
    run_habitat("nightly", "--output", str(folder), "--date", TODAY, store=sample_store.path)
    server = Server(sample_store, "--nights", str(folder))
    yield server
    server.stop()


@pytest.mark.parametrize(("subject", "windows"), list(combinations()))
def test_page_is_accessible(
    request: pytest.FixtureRequest,
    visit: MakeVisitor,
    photograph: Photograph,
    subject: Subject,
    windows: list[Window],
) -> None:
    server: Server = request.getfixturevalue(subject.server)
    visitor = visit(server, subject.user, viewport=windows[0].size, color_scheme=windows[0].scheme)
    if subject.status != 200:
        visitor.expect_complaint(f"status of {subject.status}")
    page = visitor.page()
    response = page.goto(subject.find(server))
    assert response and response.status == subject.status
    page.locator(subject.ready).wait_for()
    for window in windows:
        page.set_viewport_size(window.size)
        page.emulate_media(color_scheme=window.scheme)
        photograph(page, f"{subject.name}-{window.width}-{window.scheme}")
        expect_accessible(page, subject)


def expect_accessible(page: Page, subject: Subject) -> None:
    """Checks a page, including its parts that are closed at first."""
    page.evaluate("document.querySelectorAll('main details').forEach(part => { part.open = true; })")
    page.locator(subject.ready).wait_for()
    expect_to_fit(page)
    expect_no_violation(page)
