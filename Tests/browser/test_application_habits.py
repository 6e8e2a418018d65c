"""The views of habits: a person lists, creates, changes, pauses, ends and deletes habits."""

from collections.abc import Callable
from typing import Any

import pytest
from application import HIGH_WINDOWS, NOON, PHONE, changes_sent, expect_accessible, wait_until
from conftest import MakeVisitor
from habitat import TODAY, Server, run_habitat
from playwright.sync_api import Locator, Page, expect

VIEWS = ["habits", "habits/gym", "habits/new", "habits/read/edit"]

OpenView = Callable[..., Page]


@pytest.fixture
def habits(history_server: Server) -> Server:
    """A server of its own for each test, since the tests change habits."""
    return history_server


@pytest.fixture
def open_view(visit: MakeVisitor, habits: Server) -> OpenView:
    """Opens a view as the person with habits, at noon of the last day. `complaint` is permitted in the console."""
    visitor = visit(habits, user="me", viewport=PHONE)

    def open_page(path: str, complaint: str | None = None) -> Page:
        if complaint:
            visitor.expect_complaint(complaint)
        page = visitor.page()
        page.clock.install(time=NOON)
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        return page

    return open_page


def stored(server: Server, title: str) -> dict[str, Any]:
    """Returns the habit with a title, as the server has it."""
    (habit,) = [habit for habit in server.client("me").features("habits") if habit["properties"]["title"] == title]
    properties: dict[str, Any] = habit["properties"]
    return properties


def save(page: Page, server: Server) -> None:
    """Saves the form and waits until the server has its habit."""
    with changes_sent(server):
        page.get_by_role("button", name="Save").click()


def row(page: Page, title: str) -> Locator:
    """Returns the row of a habit."""
    return page.get_by_role("main").get_by_role("link").filter(has_text=title)


def test_habits_are_listed_with_schedule_status_and_streak(open_view: OpenView, habits: Server) -> None:
    page = open_view("habits")
    gym = stored(habits, "Gym")
    expect(row(page, "Gym")).to_contain_text("Tue Thu Sat")
    expect(row(page, "Gym")).to_contain_text(gym["status"])
    expect(row(page, "Read")).to_contain_text(f"{stored(habits, 'Read')['streak_current']} in a row")


@pytest.mark.long
def test_ended_habits_are_folded(open_view: OpenView) -> None:
    page = open_view("habits")
    expect(row(page, "Old habit")).to_be_hidden()
    page.get_by_text("Ended (1)").click()
    expect(row(page, "Old habit")).to_be_visible()


@pytest.mark.long
def test_person_without_habits_can_create_one(visit: MakeVisitor, habits: Server) -> None:
    page = visit(habits, user="aoi").page("habits")
    expect(page.get_by_text("No habits yet")).to_be_visible()
    page.get_by_role("link", name="New habit").click()
    expect(page.get_by_role("heading", name="New habit")).to_be_focused()


def test_new_habit_has_every_field(open_view: OpenView, habits: Server) -> None:
    page = open_view("habits/new")
    page.get_by_label("Title").fill("Drink water 💧")
    page.get_by_label("Reason").fill("to stay awake")
    for weekday in ["Saturday", "Sunday"]:
        page.get_by_role("button", name=weekday).click()
    page.get_by_label("Goal of a day").fill("2,5")
    page.get_by_label("Unit").fill("l")
    page.get_by_label("End").fill("2026-12-31")
    page.get_by_label("Reminder").fill("07:00")
    page.get_by_label("Letter").fill("💧")
    page.get_by_label("Color 3").check()
    save(page, habits)
    expect(page.get_by_role("heading", name="Drink water 💧")).to_be_visible()
    habit = stored(habits, "Drink water 💧")
    expected = {
        "reason": "to stay awake", "days": "mon tue wed thu fri", "start": TODAY, "end": "2026-12-31",
        "target_amount": 2.5, "unit": "l", "remind_at": "07:00", "symbol": "💧", "tint": 3, "times": None,
    }  # fmt: skip
    assert {name: habit[name] for name in expected} == expected


@pytest.mark.long
def test_new_habit_is_on_the_list_of_the_day(open_view: OpenView, habits: Server) -> None:
    page = open_view("habits/new?title=Take%20a%20walk")
    save(page, habits)
    page.get_by_role("link", name="Today").click()
    expect(page.get_by_role("checkbox", name="Take a walk")).to_be_visible()


@pytest.mark.long
def test_habit_with_a_target_is_due_a_number_of_times(open_view: OpenView, habits: Server) -> None:
    page = open_view("habits/new")
    page.get_by_label("Title").fill("Sauna")
    page.get_by_label("Number of times").check()
    page.get_by_label("Times", exact=True).fill("2")
    page.get_by_label("in days").fill("14")
    save(page, habits)
    habit = stored(habits, "Sauna")
    assert (habit["days"], habit["times"], habit["period_days"]) == (None, 2, 14)


@pytest.mark.long
def test_title_of_20_characters_is_saved_and_21_are_not(open_view: OpenView, habits: Server) -> None:
    page = open_view("habits/new")
    title = page.get_by_label("Title")
    title.fill("é" * 21)
    page.get_by_role("button", name="Save").click()
    expect(title).to_be_focused()
    expect(title).to_have_accessible_description("The title may have at most 20 characters. Shorten it.")
    title.fill("é" * 20)
    save(page, habits)
    stored(habits, "é" * 20)


@pytest.mark.long
def test_reason_of_31_characters_is_a_problem(open_view: OpenView) -> None:
    page = open_view("habits/gym/edit")
    page.get_by_label("Reason").fill("x" * 31)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The reason may have at most 30 characters")).to_be_visible()
    expect(page.get_by_role("heading", name="Edit habit")).to_be_visible()


def test_habit_needs_a_title_and_a_weekday(open_view: OpenView) -> None:
    page = open_view("habits/new")
    for weekday in ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]:
        page.get_by_role("button", name=weekday).click()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The habit needs a title.")).to_be_visible()
    expect(page.get_by_text("Choose at least one weekday.")).to_be_visible()


@pytest.mark.long
def test_title_of_another_habit_is_taken(open_view: OpenView) -> None:
    page = open_view("habits/read/edit")
    page.get_by_label("Title").fill("gym")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("You already have a habit with this title.")).to_be_visible()


@pytest.mark.long
def test_changed_habit_keeps_its_other_fields(open_view: OpenView, habits: Server) -> None:
    page = open_view("habits/gym/edit")
    page.get_by_label("Title").fill("Strength")
    page.get_by_role("button", name="Monday").click()
    save(page, habits)
    expect(page.get_by_role("heading", name="Strength", level=1)).to_be_visible()
    habit = stored(habits, "Strength")
    assert habit["days"] == "mon tue thu sat"
    unchanged = {"reason": "A stronger back", "symbol": "G", "tint": 2, "start": "2025-01-01"}
    assert {name: habit[name] for name in unchanged} == unchanged


@pytest.mark.long
def test_title_that_the_server_refuses_is_explained_at_its_field(open_view: OpenView, habits: Server) -> None:
    page = open_view("habits/gym/edit")
    # The application keeps the settings, so that only the server knows the new limit.
    settings = page.request.get("/settings").json()
    page.route("**/settings", lambda route: route.fulfill(json=settings))
    run_habitat("setting", "set", "title-limit", "10", store=habits.store.path)
    page.get_by_label("Title").fill("Strength again")
    save(page, habits)
    page.get_by_role("link", name="Edit").click()
    expect(page.get_by_text("The title may have at most 10 characters")).to_be_visible()


@pytest.mark.long
def test_view_of_a_habit_has_the_figures_of_the_server(open_view: OpenView, habits: Server) -> None:
    page = open_view("habits/gym")
    gym = stored(habits, "Gym")
    figures = page.locator(".figures")
    expect(figures).to_contain_text(f"in a row{gym['streak_current']}")
    expect(figures).to_contain_text(f"longest{gym['streak_longest']}")
    expect(figures).to_contain_text(f"{gym['completion_rate']:.0%}")
    expect(page.get_by_role("heading", name="Strength over time")).to_be_visible()
    expect(page.get_by_role("link", name="Show 38.7223, -9.1393 on the map")).to_be_visible()


@pytest.mark.long
def test_calendar_shows_the_outcome_of_each_day(open_view: OpenView) -> None:
    page = open_view("habits/gym")
    calendar = page.locator(".calendar")
    for day, outcome in [(17, "Done"), (19, "Missed"), (18, "Not due")]:
        expect(calendar.get_by_role("link", name=f"November {day}: {outcome}")).to_be_visible()
    expect(calendar.get_by_role("link")).to_have_count(12 * 7 + 6)


@pytest.mark.long
def test_day_of_the_calendar_opens_its_event(open_view: OpenView) -> None:
    page = open_view("habits/gym")
    page.locator(".calendar").get_by_role("link", name="November 17: Done").click()
    expect(page.get_by_role("dialog").get_by_label("Comment")).to_have_value("with Anna")
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("heading", name="Gym", level=1)).to_be_visible()


@pytest.mark.long
def test_missed_day_of_the_calendar_can_be_recorded(open_view: OpenView, habits: Server) -> None:
    page = open_view("habits/gym")
    page.locator(".calendar").get_by_role("link", name="November 19: Missed").click()
    save(page, habits)
    expect(page.locator(".calendar").get_by_role("link", name="November 19: Done")).to_be_visible()


def test_paused_habit_is_not_due_until_it_is_resumed(open_view: OpenView, habits: Server) -> None:
    page = open_view("habits/read")
    page.get_by_role("button", name="Pause…").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("First day").fill("2026-11-18")
    with changes_sent(habits):
        sheet.get_by_role("button", name="Pause", exact=True).click()
    expect(page.get_by_text("Paused since Nov 18")).to_be_visible()
    expect(page.locator(".calendar").get_by_role("link", name="November 20: Paused")).to_be_visible()
    page.get_by_role("button", name="Resume").click()
    expect(page.locator(".calendar").get_by_role("link", name="November 20: Open")).to_be_visible()
    expect(page.get_by_text("Paused since")).to_be_hidden()


@pytest.mark.long
def test_pause_that_ends_before_it_begins_is_a_problem(open_view: OpenView) -> None:
    page = open_view("habits/read")
    page.get_by_role("button", name="Pause…").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Last day").fill("2026-11-01")
    sheet.get_by_role("button", name="Pause", exact=True).click()
    expect(sheet.get_by_text("The end is before the start.")).to_be_visible()


@pytest.mark.long
def test_ended_habit_can_be_taken_up_again(open_view: OpenView, habits: Server) -> None:
    page = open_view("habits/read")
    with changes_sent(habits):
        page.get_by_role("button", name="End", exact=True).click()
    assert stored(habits, "Read")["end"] == TODAY
    with changes_sent(habits):
        page.get_by_role("button", name="Take up again").click()
    assert stored(habits, "Read")["end"] is None


def test_habit_is_deleted_with_its_events_after_a_question(open_view: OpenView, habits: Server) -> None:
    page = open_view("habits/gym")
    page.get_by_role("button", name="Delete…").click()
    sheet = page.get_by_role("dialog", name="Delete “Gym”?")
    expect(sheet).to_contain_text("Its 3 entries are deleted for good")
    sheet.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="Gym", level=1)).to_be_visible()
    page.get_by_role("button", name="Delete…").click()
    with changes_sent(habits):
        sheet.get_by_role("button", name="Delete habit").click()
    expect(page.get_by_role("heading", name="Habits", level=1)).to_be_visible()
    expect(row(page, "Gym")).to_have_count(0)
    assert habits.client("me").status("/collections/habits/items/gym") == 404
    assert habits.client("me").status("/collections/events/items/gym-1") == 404


@pytest.mark.long
def test_habit_of_another_user_has_no_view(open_view: OpenView) -> None:
    page = open_view("habits/bruno-run")
    expect(page.get_by_text("This habit does not exist, or you cannot see it.")).to_be_visible()


@pytest.mark.long
def test_habit_that_is_entered_offline_is_saved_later(open_view: OpenView, habits: Server) -> None:
    page = open_view("habits", complaint="ERR_INTERNET_DISCONNECTED")
    expect(row(page, "Gym")).to_be_visible()
    page.context.set_offline(True)
    page.get_by_role("link", name="New habit").click()
    page.get_by_label("Title").fill("Offline")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Offline")).to_be_visible()
    expect(page.get_by_role("main").get_by_text("waiting")).to_be_visible()
    with changes_sent(habits):
        page.context.set_offline(False)
    stored(habits, "Offline")
    expect(page.get_by_role("main").get_by_text("waiting")).to_be_hidden()


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_views_are_accessible(visit: MakeVisitor, habits: Server, theme: str) -> None:
    page = visit(habits, user="me", viewport=PHONE, color_scheme=theme).page()
    page.clock.install(time=NOON)
    for view in VIEWS:
        page.goto(view)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        for window in HIGH_WINDOWS:
            page.set_viewport_size(window)
            expect_accessible(page)


def order_of(page: Page) -> list[str]:
    """Returns the titles of the habits in the list."""
    titles = page.get_by_role("main").locator(".row-title:visible")
    return titles.all_inner_texts()


@pytest.mark.long
def test_habits_are_ordered_with_keyboard(open_view: OpenView, habits: Server) -> None:
    page = open_view("habits")
    expect(row(page, "Gym")).to_be_visible()
    assert order_of(page) == ["Gym", "Read"]
    page.get_by_role("button", name="Order").click()
    expect_accessible(page)
    page.get_by_role("button", name="Move down: Gym").focus()
    with changes_sent(habits):
        page.keyboard.press("Enter")
    expect(page.get_by_text("Gym is number 2 of 2.")).to_be_attached()
    expect(page.get_by_role("button", name="Move up: Gym")).to_be_focused()
    page.get_by_role("button", name="Done").click()
    assert order_of(page) == ["Read", "Gym"]
    # Each rank is a change of its own, and the first one can be sent alone.
    wait_until(lambda: None not in [stored(habits, title)["rank"] for title in ("Read", "Gym")])
    assert stored(habits, "Read")["rank"] < stored(habits, "Gym")["rank"]
    page.get_by_role("link", name="Today").first.click()
    expect(page.get_by_role("checkbox").first).to_have_accessible_name("Read")


@pytest.mark.long
def test_places_are_a_picture(open_view: OpenView) -> None:
    page = open_view("habits/gym")
    picture = page.get_by_role("img", name="A picture of 2 places")
    expect(picture).to_be_visible()
    expect(picture.locator("circle")).to_have_count(2)
