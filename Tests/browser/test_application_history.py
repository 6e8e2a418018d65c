"""The history: own events, events of friends, and the filters."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from application import HIGH_WINDOWS, NOON, PHONE, POSITION, expect_accessible
from application_records import write_history_records
from conftest import LoadStore, MakeVisitor
from habitat import Server
from playwright.sync_api import Locator, Page, expect
from visitor import Visitor


# A person who refuses each question for the position.
REFUSAL = """
  window.asked = 0;
  navigator.geolocation.getCurrentPosition = (succeed, fail) => {
    window.asked += 1;
    fail({ code: 1, PERMISSION_DENIED: 1 });
  };"""


@pytest.fixture(scope="module")
def history(load_store: LoadStore) -> Iterator[Server]:
    """The server of all tests, which change nothing."""
    server = Server(load_store(write_history_records))
    yield server
    server.stop()


@pytest.fixture
def visitor(visit: MakeVisitor, history: Server) -> Visitor:
    """The person with the events, who has not decided about the position yet."""
    return visit(history, user="me", viewport=PHONE, geolocation=POSITION)


def open_history(visitor: Visitor, query: str = "") -> Page:
    """Opens the history at noon of the last day."""
    page = visitor.page()
    page.clock.install(time=NOON)
    page.goto(f"history{query}")
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    return page


def open_filter(page: Page) -> None:
    """Unfolds the filters."""
    page.locator("summary").filter(has_text="Filter").click()


def rows(page: Page) -> Locator:
    """Returns the events of the list."""
    return page.locator(".history-list").get_by_role("listitem")


def expect_events(page: Page, *parts: str) -> None:
    """Expects exactly the events that contain the parts, in this order."""
    expect(rows(page)).to_contain_text(list(parts))
    expect(rows(page)).to_have_count(len(parts))


def count_on_server(server: Server, **query: Any) -> int:
    """Returns the number of events that the server returns for a query."""
    return len(server.client("me").features("events", **query))


@pytest.mark.long
def test_own_events_are_newest_first_and_older_ones_come_from_the_server(visitor: Visitor, history: Server) -> None:
    page = open_history(visitor)
    expect_events(page, "Anna Karenina", "with Anna", "felt great", "Gym", "long ago")
    expect(page.get_by_text("5 entries", exact=True)).to_be_visible()
    assert count_on_server(history, scope="mine") == 5


def test_friends_have_one_event_for_each_habit(visitor: Visitor) -> None:
    page = open_history(visitor)
    page.get_by_label("Friends").check()
    expect_events(page, "by Bruno Tavares", "by Carla Nogueira")
    expect(page).to_have_url(f"{visitor.server.base}/history?scope=friends")


@pytest.mark.long
def test_all_has_what_friends_share(visitor: Visitor, history: Server) -> None:
    page = open_history(visitor, "?scope=all")
    expect(rows(page)).to_have_count(count_on_server(history, scope="all"))
    expect(rows(page).filter(has_text="Corrida")).to_have_count(2)
    expect(rows(page).filter(has_text="Yoga")).to_have_count(1)
    expect(rows(page).filter(has_text="Swim")).to_have_count(0)


@pytest.mark.long
def test_history_of_several_habits(visitor: Visitor) -> None:
    page = open_history(visitor, "?scope=all")
    open_filter(page)
    page.get_by_role("checkbox", name="Gym").check()
    page.get_by_role("checkbox", name="Yoga").check()
    expect_events(page, "Yoga", "with Anna", "felt great", "Gym")
    page.get_by_role("button", name="Remove Gym").click()
    expect_events(page, "Yoga")


@pytest.mark.long
def test_comments_are_searched_in_upper_and_lower_case(visitor: Visitor) -> None:
    page = open_history(visitor)
    open_filter(page)
    page.get_by_label("Comment contains").fill("ANNA")
    page.get_by_role("button", name="Search").click()
    expect_events(page, "Anna Karenina", "with Anna")
    page.reload()
    expect_events(page, "Anna Karenina", "with Anna")


@pytest.mark.long
def test_blank_search_asks_for_a_text(visitor: Visitor) -> None:
    page = open_history(visitor)
    open_filter(page)
    page.get_by_label("Comment contains").fill("  ")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("alert")).to_have_text("Enter a text to search for.")
    expect(rows(page)).to_have_count(5)


@pytest.mark.long
def test_days_limit_the_history(visitor: Visitor) -> None:
    page = open_history(visitor)
    open_filter(page)
    page.get_by_label("From").fill("2026-11-12")
    page.get_by_label("To", exact=True).fill("2026-11-14")
    expect_events(page, "felt great", "Gym")


@pytest.mark.parametrize("scope", ["mine", "all"])
def test_events_near_the_person_are_within_a_distance_that_can_be_changed(
    visitor: Visitor, history: Server, scope: str
) -> None:
    visitor.context.grant_permissions(["geolocation"])
    page = open_history(visitor, f"?scope={scope}")
    open_filter(page)
    page.get_by_role("button", name="Near me").click()
    expected = ["with Anna"] if scope == "mine" else ["até já", "with Anna"]
    expect_events(page, *expected)
    assert len(expected) == count_on_server(history, scope=scope, near="-9.1393,38.7223", within="5km")
    page.get_by_label("Distance (km)").fill("8,5")
    expect(rows(page)).to_have_count(len(expected) + 1)
    page.get_by_role("button", name="Remove 8.5 km around me").click()
    expect(rows(page)).to_have_count(count_on_server(history, scope=scope))


def test_position_is_asked_for_only_by_a_tap_and_can_be_refused(visitor: Visitor) -> None:
    visitor.context.add_init_script(REFUSAL)
    page = open_history(visitor)
    open_filter(page)
    assert page.evaluate("asked") == 0
    page.get_by_role("button", name="Near me").click()
    expect(page.get_by_text("Without your position, the list has the entries of all places.")).to_be_visible()
    assert page.evaluate("asked") == 1
    expect(rows(page)).to_have_count(5)


@pytest.mark.long
def test_filter_that_nothing_matches_is_explained(visitor: Visitor) -> None:
    page = open_history(visitor, "?comment=nothing")
    expect(page.get_by_text("No entries match.")).to_be_visible()


@pytest.mark.long
def test_event_opens_over_the_history_and_leads_back(visitor: Visitor) -> None:
    page = open_history(visitor, "?comment=anna")
    rows(page).filter(has_text="with Anna").get_by_role("link").click()
    expect(page.get_by_role("dialog").get_by_label("Comment")).to_have_value("with Anna")
    page.get_by_role("button", name="Close").click()
    expect(page).to_have_url(f"{visitor.server.base}/history?comment=anna")
    expect_events(page, "Anna Karenina", "with Anna")


@pytest.mark.long
def test_offline_history_comes_from_the_copy(visitor: Visitor) -> None:
    # The page requests the stream after its exchange, so that nothing but the history finds out that it is offline.
    with visitor.context.expect_event("request", lambda request: request.url.endswith("/changes/stream")):
        page = open_history(visitor)
    expect(rows(page)).to_have_count(5)
    visitor.expect_complaint("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    page.get_by_label("Friends").check()
    expect_events(page, "by Bruno Tavares", "by Carla Nogueira")


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_history_is_accessible(visit: MakeVisitor, history: Server, theme: str) -> None:
    visitor = visit(history, user="me", viewport=PHONE, color_scheme=theme)
    page = open_history(visitor, "?scope=all&comment=a")
    expect(rows(page).first).to_be_visible()
    open_filter(page)
    for window in HIGH_WINDOWS:
        page.set_viewport_size(window)
        expect_accessible(page)


@pytest.fixture
def long_history(history_server: Server) -> Server:
    """A server with 1,000 events of the person."""
    history_server.client("me").send("POST", "/changes", _many_events())
    return history_server


@pytest.mark.long
def test_long_history_has_rows_only_around_the_window(visit: MakeVisitor, long_history: Server) -> None:
    page = open_history(visit(long_history, user="me", viewport=PHONE))
    expect(page.get_by_text("1,000 entries")).to_be_visible()
    assert rows(page).count() < 40
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    expect(page.get_by_text("long ago")).to_be_visible()
    assert rows(page).count() < 40


def _many_events() -> bytes:
    """Returns the changes that record 995 events of five habits."""
    days = [f"2026-{month:02}-{day:02}" for month in range(1, 9) for day in range(1, 26)][:199]
    changes = []
    for number in range(5):
        habit = f"me:long-{number}"
        changes.append(_put("habits", habit, title=f"Long {number}", days="1111111", start="2026-01-01"))
        changes += [_put("events", f"{habit}-{day}", habit=habit, day=day) for day in days]
    return "\n".join(changes).encode()


def _put(collection: str, id: str, **properties: str) -> str:
    return json.dumps({"action": "put", "collection": collection, "feature": {"id": id, "properties": properties}})
