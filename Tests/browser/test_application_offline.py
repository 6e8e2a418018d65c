"""The application without a connection, with a bad one, with two devices, and after the end of a session."""

import pathlib
from collections.abc import Callable
from typing import Any

import pytest
from accessibility import expect_no_violation
from application import (
    NOON,
    check,
    entries,
    entry,
    expect_accessible,
    expect_saved,
    habit_row,
    keep_messages,
    open_sheet,
    wait_until,
)
from conftest import ARGUMENTS, CHROMIUM, MakeVisitor
from habitat import TODAY, Client, Server
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from visitor import Visitor

# The messages of Chromium about requests without a connection, and about refused requests.
NO_CONNECTION = "Failed to load resource|ERR_INTERNET_DISCONNECTED|EventSource"

# The service worker has the clock of the machine, also if the test fixes the clock of the page. After an exchange of the
# worker, the page has another day. And the worker has a connection, also if the page has none.
NO_BACKGROUND = "delete globalThis.ServiceWorkerRegistration?.prototype.sync"


Device = Callable[..., Visitor]


class Exchanges:
    """Answers the exchanges of a device with the server.

    The route begins before the first page. Chromium may send requests past a route that begins after a service worker has
    taken over the page.
    """

    def __init__(self, context: BrowserContext) -> None:
        self.answer: Callable[[Route], None] = Route.continue_
        context.route("**/changes", lambda route: self.answer(route))


@pytest.fixture
def device(visit: MakeVisitor, days: Server) -> Device:
    """Makes a device of a person. Its service worker sends nothing, unless the test permits it."""

    def make(user: str = "me", sends_in_background: bool = False) -> Visitor:
        visitor = visit(days, user, timezone_id="UTC")
        visitor.expect_complaint(NO_CONNECTION)
        if not sends_in_background:
            visitor.context.add_init_script(NO_BACKGROUND)
        return visitor

    return make


def open_today(context: BrowserContext, path: str = "/days") -> Page:
    """Opens a tab with a day, and waits until it can start without a connection."""
    page = context.new_page()
    page.clock.set_fixed_time(NOON)
    page.goto(path)
    expect(check(page, "Walk")).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready")
    return page


def write_comment(page: Page, title: str, comment: str) -> None:
    """Writes a comment into the event of a habit."""
    sheet = open_sheet(page, title)
    sheet.get_by_label("Comment").fill(comment)
    sheet.get_by_role("button", name="Save").click()
    expect(sheet).to_be_hidden()


def change_elsewhere(client: Client, event: str, body: bytes) -> None:
    """Changes an event as another device does."""
    client.send("PATCH", f"/collections/events/items/{event}", body)


def test_entries_without_connection_are_sent_when_it_is_back(device: Device, days: Server) -> None:
    context = device().context
    page = open_today(context, "/days/2026-11-19")
    expect_saved(page)
    context.set_offline(True)
    write_comment(page, "Walk", "changed offline")
    page.goto("/days")
    keep_messages(page)
    check(page, "Walk").click()
    expect(habit_row(page, "Walk")).to_contain_text("waiting")
    check(page, "Read").click()
    # The application ignores a second tap until the first one is stored.
    expect(page.get_by_text("Read: done")).to_be_visible()
    check(page, "Read").click()
    expect(page.get_by_role("button", name="Offline · 2 waiting")).to_be_visible()
    page.reload()
    expect(check(page, "Walk")).to_be_checked()
    expect(check(page, "Read")).not_to_be_checked()
    context.set_offline(False)
    expect_saved(page)
    assert entry(days, "walk")["outcome"] == "done"
    assert entry(days, "walk", "2026-11-19")["comment"] == "changed offline"
    assert entries(days, "read") == []


@pytest.mark.long
def test_entries_survive_restart_of_browser(browser: Browser, days: Server, tmp_path: pathlib.Path) -> None:
    def start() -> BrowserContext:
        started = browser.browser_type.launch_persistent_context(
            tmp_path / "profile",
            executable_path=CHROMIUM,
            args=ARGUMENTS,
            base_url=days.base,
            timezone_id="UTC",
        )
        started.add_init_script(NO_BACKGROUND)
        return started

    context = start()
    headers = {"Origin": days.base}
    context.request.post("/session", data={"token": days.token("me")}, headers=headers)
    page = open_today(context)
    expect_saved(page)
    context.set_offline(True)
    check(page, "Walk").click()
    expect(page.get_by_role("button", name="Offline · 1 waiting")).to_be_visible()
    context.close()

    context = start()
    context.set_offline(True)
    page = open_today(context)
    expect(check(page, "Walk")).to_be_checked()
    context.set_offline(False)
    expect_saved(page)
    context.close()
    assert len(entries(days, "walk")) == 1


def test_entry_whose_response_is_lost_is_recorded_once(device: Device, days: Server) -> None:
    context = device().context
    exchanges = Exchanges(context)
    page = open_today(context)
    expect_saved(page)

    def lose_response(route: Route) -> None:
        exchanges.answer = Route.continue_
        route.fetch()
        # The page would repeat the exchange within a second, perhaps before the test has seen that the entry waits.
        context.set_offline(True)
        route.abort()

    exchanges.answer = lose_response
    check(page, "Walk").click()
    expect(page.get_by_role("button", name="Offline · 1 waiting")).to_be_visible()
    context.set_offline(False)
    expect_saved(page)
    assert len(entries(days, "walk")) == 1


@pytest.mark.long
def test_refused_entry_is_shown_and_discarded(device: Device, days: Server) -> None:
    context = device().context
    page = open_today(context)
    expect_saved(page)
    context.set_offline(True)
    check(page, "Walk").click()
    days.client("me").send("DELETE", "/collections/habits/items/walk")
    context.set_offline(False)
    expect(page.get_by_role("button", name="1 to review")).to_be_visible()
    page.get_by_role("alert").get_by_role("button", name="Discard").click()
    expect_saved(page)


@pytest.mark.long
def test_changes_of_different_fields_are_merged(device: Device, days: Server) -> None:
    context = device().context
    page = open_today(context, "/days/2026-11-19")
    expect_saved(page)
    context.set_offline(True)
    write_comment(page, "Walk", "from here")
    change_elsewhere(days.client("me"), "walk-1", b'{"amount": 7}')
    context.set_offline(False)
    expect_saved(page)
    walk = entry(days, "walk", "2026-11-19")
    assert (walk["comment"], walk["amount"]) == ("from here", 7)


@pytest.mark.parametrize(("button", "comment"), [("Keep mine", "from here"), ("Take theirs", "from there")])
def test_person_decides_about_changes_of_one_field(device: Device, days: Server, button: str, comment: str) -> None:
    context = device().context
    page = open_today(context, "/days/2026-11-19")
    expect_saved(page)
    context.set_offline(True)
    write_comment(page, "Walk", "from here")
    change_elsewhere(days.client("me"), "walk-1", b'{"comment": "from there"}')
    context.set_offline(False)
    page.get_by_role("button", name="1 to review").click()
    question = page.get_by_role("alert")
    expect(question).to_contain_text("from here")
    expect(question).to_contain_text("from there")
    question.get_by_role("button", name=button).click()
    expect_saved(page)
    assert entry(days, "walk", "2026-11-19")["comment"] == comment


@pytest.mark.long
def test_two_devices_record_one_event(device: Device, days: Server) -> None:
    first, second = device().context, device().context
    pages = [open_today(context) for context in (first, second)]
    for context, page in zip((first, second), pages, strict=True):
        expect_saved(page)
        context.set_offline(True)
        check(page, "Walk").click()
        expect(check(page, "Walk")).to_be_checked()
    for context, page in zip((first, second), pages, strict=True):
        context.set_offline(False)
        expect_saved(page)
        expect(check(page, "Walk")).to_be_checked()
    assert len(entries(days, "walk")) == 1


@pytest.mark.long
def test_tabs_show_the_same_and_one_of_them_sends(device: Device, days: Server) -> None:
    context = device().context
    first = open_today(context)
    expect_saved(first)
    second = open_today(context)
    check(second, "Walk").click()
    expect(check(first, "Walk")).to_be_checked()
    expect_saved(second)
    assert len(entries(days, "walk")) == 1
    # The other tab takes over when the tab that sends is closed.
    first.close()
    check(second, "Gym").click()
    expect(check(second, "Gym")).to_be_checked()
    expect_saved(second)
    assert len(entries(days, "gym")) == 1


@pytest.mark.long
def test_change_of_another_device_appears(device: Device, days: Server) -> None:
    page = open_today(device().context)
    expect_saved(page)
    body = f'{{"habit": "walk", "day": "{TODAY}"}}'.encode()
    days.client("me").send("POST", "/collections/events/items", body)
    expect(check(page, "Walk")).to_be_checked()


@pytest.mark.long
def test_entry_after_end_of_session_waits_for_sign_in(device: Device, days: Server) -> None:
    visitor = device()
    page = open_today(visitor.context)
    expect_saved(page)
    visitor.context.clear_cookies()
    check(page, "Walk").click()
    expect(page.get_by_role("button", name="1 not saved")).to_be_visible()
    assert entries(days, "walk") == []
    visitor.sign_in("me")
    page.reload()
    expect_saved(page)
    assert len(entries(days, "walk")) == 1


def test_next_person_neither_sees_nor_sends_entries(device: Device, days: Server) -> None:
    visitor = device()
    page = open_today(visitor.context)
    expect_saved(page)
    visitor.context.clear_cookies()
    check(page, "Walk").click()
    expect(page.get_by_role("button", name="1 not saved")).to_be_visible()
    visitor.context.clear_cookies()
    visitor.sign_in("friend")
    other = visitor.context.new_page()
    other.clock.set_fixed_time(NOON)
    other.goto("/days")
    expect(check(other, "Run")).to_be_visible()
    expect(check(other, "Walk")).to_have_count(0)
    expect_saved(other)
    assert entries(days, "walk") == []
    assert entries(days, "walk", user="friend") == []
    other.close()
    visitor.context.clear_cookies()
    visitor.sign_in("me")
    page.reload()
    expect_saved(page)
    assert len(entries(days, "walk")) == 1


@pytest.mark.parametrize("path", ["/sign-in", "/sign-in/link"])
def test_sign_in_is_noted_until_server_names_person(device: Device, path: str) -> None:
    note = "localStorage.getItem('habitat-sign-in')"
    page = open_today(device().context)
    page.goto(path)
    page.wait_for_function(f"() => {note} !== null")
    page.goto("/days")
    expect(check(page, "Walk")).to_be_visible()
    page.wait_for_function(f"() => {note} === null")


@pytest.mark.long
def test_sign_out_asks_before_entries_are_lost(device: Device, days: Server) -> None:
    context = device().context
    exchanges = Exchanges(context)
    page = open_today(context)
    expect_saved(page)
    exchanges.answer = Route.abort
    check(page, "Walk").click()
    expect(page.get_by_role("button", name="Offline · 1 waiting")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    sheet = page.get_by_role("dialog", name="Sign out")
    sheet.get_by_role("button", name="Discard").click()
    page.wait_for_url(f"{days.base}/")
    left = page.evaluate(
        """async () => {
          const databases = await indexedDB.databases();
          return [databases.length, localStorage.length, (await caches.keys()).includes('habitat-photos')];
        }"""
    )
    assert left == [0, 0, False]
    assert entries(days, "walk") == []
    page.goto("/days")
    expect(page).to_have_url(f"{days.base}/sign-in?to=%2Fdays")


def test_sign_out_of_account_page_asks_and_deletes_copies(device: Device, days: Server) -> None:
    context = device().context
    exchanges = Exchanges(context)
    page = open_today(context)
    expect_saved(page)
    exchanges.answer = Route.abort
    check(page, "Walk").click()
    expect(page.get_by_role("button", name="Offline · 1 waiting")).to_be_visible()
    page.goto("/account")
    page.get_by_role("button", name="Sign out", exact=True).click()
    question = page.get_by_role("dialog", name="Sign out")
    expect(question).to_contain_text("1 entry is not saved yet.")
    expect_no_violation(page)
    question.get_by_role("button", name="Cancel").click()
    expect(question).to_have_count(0)
    page.get_by_role("button", name="Sign out", exact=True).click()
    question.get_by_role("button", name="Discard and sign out").click()
    page.wait_for_url(f"{days.base}/")
    left = page.evaluate("indexedDB.databases().then(databases => [databases.length, localStorage.length])")
    assert left == [0, 0]
    assert entries(days, "walk") == []


@pytest.mark.long
def test_full_device_sends_entries(device: Device, days: Server) -> None:
    context = device().context
    context.add_init_script(
        """IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); };"""
    )
    page = open_today(context)
    expect(page.get_by_text("This device has no space left.")).to_be_visible()
    expect_accessible(page)
    check(page, "Walk").click()
    # The page shows the state before the tap for a moment.
    wait_until(lambda: len(entries(days, "walk")) == 1)
    expect_saved(page)


@pytest.mark.long
def test_browser_without_storage_works_with_connection(device: Device, days: Server) -> None:
    visitor = device()
    visitor.context.add_init_script(
        """const deny = () => { throw new DOMException('denied', 'SecurityError'); };
        for (const name of ['localStorage', 'indexedDB', 'caches']) {
          Object.defineProperty(window, name, { get: deny });
        }"""
    )
    page = visitor.context.new_page()
    page.clock.set_fixed_time(NOON)
    page.goto("/days")
    expect(page.get_by_text("This browser does not let the application store anything.")).to_be_visible()
    check(page, "Walk").click()
    expect_saved(page)
    assert len(entries(days, "walk")) == 1
    page.reload()
    expect(check(page, "Walk")).to_be_checked()


@pytest.mark.long
def test_start_without_account_and_server_tells_what_to_do(device: Device) -> None:
    visitor = device()
    visitor.expect_complaint("500")
    page = visitor.context.new_page()
    page.route("**/user", lambda route: route.fulfill(status=500, body="{}"))
    page.goto("/days")
    expect(page.get_by_role("heading", name="The application cannot start")).to_be_visible()
    expect_accessible(page)
    page.unroute("**/user")
    page.get_by_role("button", name="Try again").click()
    expect(check(page, "Walk")).to_be_visible()


@pytest.mark.long
def test_visible_tab_sends_for_suspended_tab(device: Device, days: Server) -> None:
    context = device().context
    first = open_today(context)
    expect_saved(first)
    second = open_today(context)
    # A suspended tab keeps its lock, and hears nothing.
    first.evaluate("BroadcastChannel.prototype.postMessage = () => {}")
    first.route("**/changes*", lambda route: route.abort())
    check(second, "Gym").click()
    wait_until(lambda: len(entries(days, "gym")) == 1)
    expect_saved(second)


@pytest.mark.long
def test_person_who_signs_in_during_exchange_gets_no_entries(device: Device, days: Server) -> None:
    visitor = device()
    visitor.expect_complaint("412")
    exchanges = Exchanges(visitor.context)
    page = open_today(visitor.context)
    expect_saved(page)

    def sign_in_other(route: Route) -> None:
        if route.request.method == "POST":
            visitor.context.clear_cookies()
            visitor.sign_in("friend")
            # The browser takes the new cookie only for a new request.
            cookies = visitor.context.cookies(days.base)
            cookie = "; ".join(f"{found['name']}={found['value']}" for found in cookies)
            route.continue_(headers={**route.request.headers, "cookie": cookie})
        else:
            route.continue_()

    exchanges.answer = sign_in_other
    check(page, "Walk").click()
    expect(page.get_by_role("button", name="1 not saved")).to_be_visible()
    assert entries(days, "walk") == []
    assert entries(days, "walk", user="friend") == []


@pytest.mark.long
def test_service_worker_sends_entries_after_page_is_closed(device: Device, days: Server) -> None:
    context = device(sends_in_background=True).context
    page = open_today(context)
    expect_saved(page)
    context.set_offline(True)
    check(page, "Walk").click()
    expect(page.get_by_role("button", name="Offline · 1 waiting")).to_be_visible()
    page.close()
    other = context.new_page()
    browser = context.new_cdp_session(other)
    registrations: list[str] = []

    def note(found: dict[str, Any]) -> None:
        registrations.extend(entry["registrationId"] for entry in found["registrations"])

    browser.on("ServiceWorker.workerRegistrationUpdated", note)
    browser.send("ServiceWorker.enable")
    context.set_offline(False)
    other.goto("/static/none")
    while not registrations:
        other.wait_for_timeout(100)
    # The browser sends this event itself when the network is back, at a time that it chooses.
    event = {"origin": days.base, "registrationId": registrations[-1], "tag": "habitat-send", "lastChance": False}
    browser.send("ServiceWorker.dispatchSyncEvent", event)
    wait_until(lambda: len(entries(days, "walk")) == 1)
