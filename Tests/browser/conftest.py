"""The fixtures of the browser tests: Chromium, a server with the sample data, and pages of persons."""

import base64
import os
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from application import NOON, PHONE
from application_records import write_day_records, write_history_records
from habitat import PATIENCE_SECONDS, REPOSITORY, Server, Store, run_habitat
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright
from small_store import write_small_records
from visitor import Visitor

CHROMIUM = "/usr/bin/chromium"
# Without a graphics card, Chromium draws pages faster itself than with a simulated card. No page needs WebGL.
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-gpu-rasterization", "--lang=en-GB"]

# A picture of one pixel (PNG).
PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")

expect.set_options(timeout=PATIENCE_SECONDS * 1000)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright, of which a process has one."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """The Chromium of Debian without a window."""
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def sample_store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """The store with the sample data, and with a pause and a read marker, which the sample data lacks."""
    store = Store.load(tmp_path_factory.mktemp("sample"), REPOSITORY / "sample-data")
    run_habitat("habit", "pause", "Gym", "--from", "2027-01-01", "--to", "2027-01-14", "--as", "alice", store=store.path)
    run_habitat("message", "list", "item-0108", "--as", "alice", store=store.path)
    return store


@pytest.fixture(scope="session")
def server(sample_store: Store) -> Iterator[Server]:
    """The server with the sample data, which all tests share."""
    server = Server(sample_store)
    yield server
    server.stop()


LoadStore = Callable[[Callable[[pathlib.Path], None]], Store]


@pytest.fixture(scope="session")
def load_store(tmp_path_factory: pytest.TempPathFactory) -> LoadStore:
    """Returns a new store with the records that a function writes. The records are loaded once, and then copied."""
    loaded: dict[Callable[[pathlib.Path], None], Store] = {}

    def load(write_records: Callable[[pathlib.Path], None]) -> Store:
        if write_records not in loaded:
            folder = tmp_path_factory.mktemp("loaded")
            records = folder / "records.ndjson"
            write_records(records)
            loaded[write_records] = Store.load(folder, records)
            loaded[write_records].token("me")
        return loaded[write_records].copy(tmp_path_factory.mktemp("store"))

    return load


@pytest.fixture(scope="session")
def small_server(load_store: LoadStore) -> Iterator[Server]:
    """A server with the records of `write_small_records`, which all tests share."""
    server = Server(load_store(write_small_records))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def photo_server(load_store: LoadStore) -> Iterator[Server]:
    """A server with the records of `write_small_records`, in which the event `w1` has a photo."""
    server = Server(load_store(write_small_records))
    server.client("me").send("PUT", "/collections/events/items/w1/photo", PIXEL, "image/png")
    yield server
    server.stop()


StopAtEnd = Callable[[Server], Server]


@pytest.fixture
def stop_at_end() -> Iterator[StopAtEnd]:
    """Stops a server at the end of the test, after the visitors have closed their pages."""
    servers: list[Server] = []

    def add(server: Server) -> Server:
        servers.append(server)
        return server

    yield add
    for server in servers:
        server.stop()


@pytest.fixture
def days(load_store: LoadStore, stop_at_end: StopAtEnd) -> Server:
    """A server of its own for each test, with the records of `write_day_records`."""
    return stop_at_end(Server(load_store(write_day_records)))


@pytest.fixture
def history_server(load_store: LoadStore, stop_at_end: StopAtEnd) -> Server:
    """A server of its own for each test, with the records of `write_history_records`."""
    return stop_at_end(Server(load_store(write_history_records)))


MakeVisitor = Callable[..., Visitor]


@pytest.fixture
def visit(browser: Browser, stop_at_end: StopAtEnd) -> Iterator[MakeVisitor]:
    """Makes a visitor of a server, whose pages may not complain.

    The first parameter is the server. `user` is the person who is signed in. The others are those of
    `Browser.new_context`.
    """
    visitors: list[Visitor] = []

    def make(server: Server, user: str | None = None, **options: Any) -> Visitor:
        visitor = Visitor(browser, server, **options)
        visitors.append(visitor)
        if user:
            visitor.sign_in(user)
        return visitor

    yield make
    for visitor in visitors:
        visitor.close()
    assert [complaint for visitor in visitors for complaint in visitor.complaints] == []


OpenDay = Callable[..., Page]


@pytest.fixture
def open_day(days: Server, visit: MakeVisitor) -> OpenDay:
    """Opens a day of the application at noon.

    `complaint` is permitted in the console. The options are those of `Browser.new_context`.
    """

    def open_page(path: str = "/days", user: str = "me", complaint: str | None = None, **options: object) -> Page:
        visitor = visit(days, user, **{"viewport": PHONE, "timezone_id": "UTC", **options})
        if complaint:
            visitor.expect_complaint(complaint)
        page = visitor.page()
        page.clock.set_fixed_time(NOON)
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        return page

    return open_page


Photograph = Callable[[Page, str], None]


@pytest.fixture(scope="session")
def photograph() -> Photograph:
    """Saves a picture of a page in the folder `HABITAT_SCREENSHOTS`, if this variable is set."""
    folder = os.environ.get("HABITAT_SCREENSHOTS")

    def save(page: Page, name: str) -> None:
        if folder:
            page.wait_for_load_state("networkidle")
            page.screenshot(path=pathlib.Path(folder) / f"{name}.png")

    return save
