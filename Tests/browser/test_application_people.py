"""The view of people: a person finds users, asks to follow them, and decides who follows."""

import pytest
from application import HIGH_WINDOWS, NOON, PHONE, changes_sent, expect_accessible
from conftest import MakeVisitor
from habitat import Server
from playwright.sync_api import Locator, Page, expect
from visitor import Visitor



@pytest.fixture
def people(history_server: Server) -> Server:
    """A server of its own for each test, since the tests change follows."""
    return history_server


def open_people(visitor: Visitor) -> Page:
    """Opens the view of people at noon of the last day."""
    page = visitor.page()
    page.clock.install(time=NOON)
    page.goto("people")
    expect(page.get_by_role("heading", name="People", exact=True)).to_be_visible()
    return page


@pytest.fixture
def page(visit: MakeVisitor, people: Server) -> Page:
    """The view of people, opened by the person."""
    return open_people(visit(people, user="me", viewport=PHONE))


def section(page: Page, name: str) -> Locator:
    """Returns a part of the view."""
    return page.get_by_role("region", name=name)


def relation(server: Server, user: str) -> tuple[str, str]:
    """Returns the status of the follow of a user by the person, and of the person by the user."""
    (found,) = [feature for feature in server.client("me").features("users") if feature["id"] == user]
    return found["properties"]["following"], found["properties"]["follower"]


def find(page: Page, name: str) -> Locator:
    """Searches a user and returns the row of the result."""
    page.get_by_label("Name or ID").fill(name)
    return section(page, "Find people").get_by_role("listitem")


def test_user_is_found_by_name_and_asked(page: Page, people: Server) -> None:
    row = find(page, "葵")
    with changes_sent(people):
        row.get_by_role("button", name="Follow: 高橋 葵").click()
    assert relation(people, "aoi") == ("pending", "none")
    expect(row).to_contain_text("Requested")


@pytest.mark.long
def test_request_cannot_be_sent_twice(page: Page, people: Server) -> None:
    row = find(page, "aoi")
    with changes_sent(people):
        row.get_by_role("button", name="Follow").click()
    expect(row.get_by_role("button", name="Follow:")).to_have_count(0)
    with changes_sent(people):
        row.get_by_role("button", name="Withdraw").click()
    assert relation(people, "aoi") == ("none", "none")


@pytest.mark.long
def test_followed_user_cannot_be_followed_again(page: Page) -> None:
    row = find(page, "bruno")
    expect(row.get_by_role("button", name="Already following")).to_be_disabled()


@pytest.mark.long
def test_user_who_has_declined_can_be_asked_again(page: Page, people: Server) -> None:
    row = find(page, "Diogo")
    row.get_by_role("button", name="Ask again").click()
    expect(row).to_contain_text("Requested")
    assert relation(people, "diogo") == ("pending", "none")


@pytest.mark.long
def test_unknown_name_is_explained(page: Page) -> None:
    find(page, "nobody at all")
    expect(page.get_by_text("Nobody has this name.")).to_be_visible()


@pytest.mark.parametrize(("button", "count"), [("See everything", 5), ("Only the newest", 2)])
def test_accepted_user_sees_everything_or_the_newest(page: Page, people: Server, button: str, count: int) -> None:
    requests = section(page, "Requests (2)")
    expect(requests).to_contain_text("Nuno Abrantes")
    with changes_sent(people):
        requests.get_by_role("button", name=f"{button}: Nuno Abrantes").click()
    assert relation(people, "nuno") == ("none", "accepted")
    expect(section(page, "Requests (1)")).not_to_contain_text("Nuno Abrantes")
    expect(section(page, "Followers (2)")).to_contain_text("Nuno Abrantes")
    assert len(people.client("nuno").features("events", scope="all")) == count


@pytest.mark.long
def test_declined_user_does_not_follow(page: Page, people: Server) -> None:
    with changes_sent(people):
        section(page, "Requests (2)").get_by_role("button", name="Decline: Rita Salgado").click()
    assert relation(people, "rita") == ("none", "rejected")


@pytest.mark.long
def test_follower_sees_less_after_a_change(page: Page, people: Server) -> None:
    select = page.get_by_label("What Inês Falcão sees")
    with changes_sent(people):
        select.select_option("latest")
    assert len(people.client("ines").features("events", scope="all")) == 1 + 2


@pytest.mark.long
def test_follower_is_removed(page: Page, people: Server) -> None:
    with changes_sent(people):
        page.get_by_role("button", name="Remove: Inês Falcão").click()
    assert relation(people, "ines") == ("none", "none")
    expect(page.get_by_text("Nobody follows you yet.")).to_be_visible()


@pytest.mark.long
def test_person_stops_following(page: Page, people: Server) -> None:
    with changes_sent(people):
        page.get_by_role("button", name="Unfollow: Bruno Tavares").click()
    assert relation(people, "bruno") == ("none", "none")
    expect(section(page, "Following (1)")).not_to_contain_text("Bruno Tavares")


@pytest.mark.long
def test_habits_of_followed_users_have_a_status(page: Page, people: Server) -> None:
    (habit,) = people.client("me").features("following", user="bruno")
    row = section(page, "Following (2)").get_by_role("listitem").filter(has_text="Bruno Tavares")
    row.get_by_text("1 habit").click()
    expect(row).to_contain_text("Corrida")
    expect(row).to_contain_text(habit["properties"]["status"])


def test_blocked_user_disappears_until_the_block_ends(page: Page, people: Server) -> None:
    page.get_by_role("button", name="Block: Inês Falcão").click()
    page.get_by_role("dialog").get_by_role("button", name="Block").click()
    page.get_by_text("Blocked (1)").click()
    expect(section(page, "Followers (0)")).to_be_visible()
    assert [block["user"] for block in people.client("me").get("/user/blocks")["blocks"]] == ["ines"]
    page.get_by_role("button", name="Unblock: ines").click()
    expect(page.get_by_text("Blocked (1)")).to_be_hidden()
    expect(find(page, "Inês").get_by_role("button", name="Follow:")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_people_are_accessible(visit: MakeVisitor, people: Server, theme: str) -> None:
    page = open_people(visit(people, user="me", viewport=PHONE, color_scheme=theme))
    find(page, "a")
    page.get_by_text("1 habit").first.click()
    for window in HIGH_WINDOWS:
        page.set_viewport_size(window)
        expect_accessible(page)


def test_person_has_a_view_with_relation_and_entries(page: Page, people: Server) -> None:
    section(page, "Following (2)").get_by_role("link", name="Bruno Tavares").click()
    expect(page.get_by_role("heading", name="Bruno Tavares", exact=True)).to_be_focused()
    expect(page).to_have_url(f"{people.base}/people/bruno")
    expect(page.get_by_text("You follow Bruno Tavares, and see everything.")).to_be_visible()
    expect(page.get_by_text("Bruno Tavares does not follow you.")).to_be_visible()
    expect(section(page, "Newest entries").get_by_role("listitem")).to_have_count(2)
    for size in HIGH_WINDOWS:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        expect_accessible(page)
    with changes_sent(people):
        page.get_by_role("button", name="Unfollow: Bruno Tavares").click()
        page.clock.run_for(8_000)
    assert relation(people, "bruno") == ("none", "none")
    expect(section(page, "Newest entries")).to_contain_text("No entries that you can see.")


@pytest.mark.long
def test_request_is_accepted_and_follower_removed_in_view_of_person(visit: MakeVisitor, people: Server) -> None:
    page = visit(people, user="me", viewport=PHONE).page()
    page.clock.install(time=NOON)
    page.goto("people/nuno")
    with changes_sent(people):
        page.get_by_role("button", name="Only the newest: Nuno Abrantes").click()
    assert relation(people, "nuno") == ("none", "accepted")
    expect(page.get_by_label("What Nuno Abrantes sees")).to_have_value("latest")
    with changes_sent(people):
        page.get_by_role("button", name="Remove: Nuno Abrantes").click()
        page.clock.run_for(8_000)
    assert relation(people, "nuno") == ("none", "none")


@pytest.mark.long
def test_person_is_blocked_and_unblocked_in_view_of_person(visit: MakeVisitor, people: Server) -> None:
    page = visit(people, user="me", viewport=PHONE).page()
    page.clock.install(time=NOON)
    page.goto("people/ines")
    page.get_by_role("button", name="Block: Inês Falcão").click()
    page.get_by_role("dialog").get_by_role("button", name="Block", exact=True).click()
    expect(page.get_by_text("You have blocked this person.")).to_be_visible()
    page.get_by_role("button", name="Unblock").click()
    expect(page.get_by_text("You do not follow Inês Falcão.")).to_be_visible()
    page.goto("people/nobody")
    expect(page.get_by_text("This person does not exist, or you cannot see them.")).to_be_visible()
