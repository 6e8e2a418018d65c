"""The document of the application: its files, its installation and its start without a connection."""

from typing import Any

import pytest
from application import NOON
from conftest import MakeVisitor
from habitat import Server
from playwright.sync_api import Page, Request, expect

# Before the list of today, a browser may send this number of requests, and may receive this number of bytes of files.
MOST_REQUESTS = 10
MOST_BYTES = 80_000

# Says in the console when the list of today is there. The console and the requests have one order, also on a slow machine.
LIST_IS_THERE = "the list is there"
SAY_WHEN_LIST_IS_THERE = f"""new MutationObserver((_, observer) => {{
  if (!document.querySelector('[role=checkbox]')) return;
  observer.disconnect();
  console.log('{LIST_IS_THERE}');
}}).observe(document, {{ childList: true, subtree: true }});"""


def open_today(page: Page) -> None:
    """Opens the view of today and waits until its list is there."""
    page.clock.set_fixed_time(NOON)
    page.goto("/days")
    expect(page.get_by_role("checkbox").first).to_be_visible()


def habit_titles(page: Page) -> list[str]:
    """Returns the titles of the habits of the day."""
    titles: list[str] = page.get_by_role("checkbox").evaluate_all(
        "all => all.map(box => box.getAttribute('aria-label'))"
    )
    return titles


def read_size(request: Request) -> int:
    """Returns the number of bytes of a compressed response."""
    response = request.response()
    assert response is not None, request.url
    return int(response.headers.get("content-length", 0))


def is_file(request: Request) -> bool:
    """Whether a request is for the document of the application or one of its files."""
    return request.url.endswith("/days") or "/static/" in request.url


def test_first_visit_has_few_small_requests(visit: MakeVisitor, server: Server) -> None:
    # The worker loads the files again, in the background.
    visitor = visit(server, "alice", service_workers="block")
    visitor.expect_complaint("Service Worker registration blocked")
    page = visitor.page()
    page.add_init_script(SAY_WHEN_LIST_IS_THERE)
    requests: list[Request] = []
    before_list: list[Request] = []
    page.on("requestfinished", lambda request: requests.append(request))
    page.on("console", lambda message: before_list.extend(requests) if message.text == LIST_IS_THERE else None)
    open_today(page)
    assert 0 < len(before_list) <= MOST_REQUESTS, [request.url for request in before_list]
    assert sum(read_size(request) for request in before_list if is_file(request)) <= MOST_BYTES


def test_next_visit_loads_no_file(visit: MakeVisitor, server: Server) -> None:
    page = visit(server, "alice").page()
    # The browser requests the icon at any time after the page.
    with page.expect_response(lambda response: response.url.endswith("/icon.svg")):
        open_today(page)
    page.evaluate("navigator.serviceWorker.ready")
    mark = server.mark()
    open_today(page)
    server.mark()
    routes = [logged.route for logged in server.log.since(mark)]
    assert [route for route in routes if route.startswith("/static") or route == "/days/{day}"] == []


def test_application_opens_without_connection(visit: MakeVisitor, server: Server) -> None:
    visitor = visit(server, "alice")
    visitor.expect_complaint("Failed to load resource")
    page = visitor.page()
    # The page requests the stream after its exchange, so that the copy is complete.
    with page.expect_request("**/changes/stream"):
        open_today(page)
    page.evaluate("navigator.serviceWorker.ready")
    titles = habit_titles(page)
    visitor.context.set_offline(True)
    open_today(page)
    assert habit_titles(page) == titles


def test_browser_can_install_application(visit: MakeVisitor, server: Server) -> None:
    page = visit(server, "alice").page()
    open_today(page)
    session = page.context.new_cdp_session(page)
    manifest: dict[str, Any] = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"] == f"{server.base}/manifest.webmanifest"
    problems = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # The contexts of the tests are those of private windows.
    assert {problem["errorId"] for problem in problems} <= {"in-incognito"}


def test_visitor_signs_in_and_returns_to_view(visit: MakeVisitor, server: Server) -> None:
    page = visit(server).page("/days/2026-11-18")
    assert page.url == f"{server.base}/sign-in?to=%2Fdays%2F2026-11-18"
    page.get_by_label("Access token").fill(server.token("alice"))
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/days/2026-11-18")


@pytest.mark.parametrize("path", ["/", "/reports"])
def test_pages_of_server_lead_to_today(visit: MakeVisitor, server: Server, path: str) -> None:
    page = visit(server, "alice").page(path)
    page.get_by_role("banner").get_by_role("link", name="Today", exact=True).click()
    page.wait_for_url("**/days")
    expect(page.get_by_role("checkbox").first).to_be_visible()


def test_sign_out_removes_copies(visit: MakeVisitor, server: Server) -> None:
    page = visit(server, "alice").page()
    open_today(page)
    page.evaluate("navigator.serviceWorker.ready")
    page.goto("/account")
    page.get_by_role("banner").get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{server.base}/")
    left = page.evaluate(
        """async () => {
          const workers = await navigator.serviceWorker.getRegistrations();
          const databases = await indexedDB.databases();
          return [workers.length, databases.length, (await caches.keys()).length];
        }"""
    )
    assert left == [0, 0, 0]
