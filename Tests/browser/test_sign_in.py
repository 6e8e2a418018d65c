"""The pages of the sign-in and the sign-out, with and without a script."""

import re

import pytest
from conftest import MakeVisitor, Photograph
from habitat import Server
from playwright.sync_api import Page, expect
from visitor import Visitor

LIST = "/collections/events/items?limit=3"


@pytest.fixture(params=[True, False], ids=["with script", "without script"])
def visitor(request: pytest.FixtureRequest, visit: MakeVisitor, small_server: Server) -> Visitor:
    """A visitor who is not signed in."""
    return visit(small_server, java_script_enabled=request.param)


def enter_token(page: Page, token: str) -> None:
    """Sends the form of the page."""
    page.get_by_label("Access token").fill(token)
    page.get_by_role("button", name="Sign in", exact=True).click()


def open_refused(visitor: Visitor, path: str) -> Page:
    """Opens a page that asks the visitor to sign in."""
    visitor.expect_complaint("status of 401")
    page = visitor.page(path)
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in to see this page")
    return page


def expect_person(page: Page, name: str) -> None:
    """Waits until the page names the person who is signed in."""
    expect(page.locator("header .person")).to_have_text(name)


def test_refused_page_leads_to_sign_in_and_back(visitor: Visitor, photograph: Photograph) -> None:
    page = open_refused(visitor, LIST)
    photograph(page, "refused")
    page.locator("main").get_by_role("link", name="Sign in").click()
    photograph(page, "sign-in")
    enter_token(page, visitor.server.token("me"))
    expect(page).to_have_url(visitor.server.base + LIST)
    expect_person(page, "me")
    expect(page.locator("tbody tr")).to_have_count(3)


def test_session_is_cookie_that_no_script_reads(visitor: Visitor) -> None:
    page = visitor.page("/sign-in")
    enter_token(page, visitor.server.token("me"))
    expect_person(page, "me")
    cookie = visitor.context.cookies()[0]
    assert (cookie["name"], cookie["httpOnly"], cookie["sameSite"]) == ("habitat", True, "Lax")
    assert page.evaluate("document.cookie") == ""


@pytest.mark.parametrize("token", ["hbt_wrong", pytest.param("<script>alert(1)</script>", marks=pytest.mark.long)])
def test_wrong_token_is_explained(visitor: Visitor, token: str, photograph: Photograph) -> None:
    page = open_refused(visitor, LIST)
    page.locator("main").get_by_role("link", name="Sign in").click()
    enter_token(page, token)
    expect(page.get_by_role("alert")).to_contain_text("You are not signed in")
    photograph(page, "sign-in-refused")
    assert visitor.context.cookies() == []
    enter_token(page, visitor.server.token("me"))
    expect(page).to_have_url(visitor.server.base + LIST)


def test_token_is_required(visitor: Visitor) -> None:
    page = visitor.page("/sign-in")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_label("Access token")).to_be_focused()
    expect(page).to_have_url(f"{visitor.server.base}/sign-in")


def test_sign_in_leads_to_page_of_link(visit: MakeVisitor, small_server: Server) -> None:
    page = visit(small_server).page()
    for target in ["/collections/habits/items?f=html#top", "/reports/todo?f=html", "/map"]:
        page.goto(f"/sign-in?to={target.replace('?', '%3F').replace('#', '%23')}")
        enter_token(page, small_server.token("me"))
        # The map adds the part that it shows.
        expect(page).to_have_url(re.compile(re.escape(small_server.base + target) + "(#map=.*)?$"))


OTHER_SERVERS = [
    "//127.0.0.1", "/\\127.0.0.1", "https://127.0.0.1", "/%5c127.0.0.1", "/%09/127.0.0.1", "javascript:alert(1)"
]  # fmt: skip


def test_sign_in_leads_to_no_other_server(visit: MakeVisitor, small_server: Server) -> None:
    page = visit(small_server).page()
    for target in OTHER_SERVERS:
        page.goto(f"/sign-in?to={target.replace('%', '%25')}")
        enter_token(page, small_server.token("me"))
        expect(page).to_have_url(f"{small_server.base}/")
        expect_person(page, "me")


def test_sign_out_leads_home_and_ends_session(visitor: Visitor) -> None:
    visitor.sign_in("me")
    page = visitor.page(LIST)
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(f"{visitor.server.base}/")
    expect(page.locator("header").get_by_role("link", name="Sign in")).to_be_visible()
    assert visitor.context.cookies() == []
    open_refused(visitor, LIST)


def test_way_back_after_sign_out_shows_no_records(visitor: Visitor) -> None:
    visitor.sign_in("me")
    page = visitor.page(LIST)
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(f"{visitor.server.base}/")
    visitor.expect_complaint("status of 401")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in to see this page")
    expect(page.locator("tbody tr")).to_have_count(0)


def test_session_that_was_ended_elsewhere_asks_to_sign_in(visitor: Visitor) -> None:
    visitor.sign_in("me")
    page = visitor.page(LIST)
    client = visitor.server.client("me")
    newest = max(
        (one for one in client.get("/sessions")["sessions"] if one["kind"] == "session"), key=lambda one: one["created_at"]
    )
    client.send("DELETE", f"/sessions/{newest['id']}")
    visitor.expect_complaint("status of 401")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in to see this page")
    assert visitor.context.cookies() == []


def test_another_person_replaces_session(visitor: Visitor) -> None:
    visitor.sign_in("me")
    page = visitor.page("/sign-in")
    expect(page.locator("main")).to_contain_text("You are signed in as me.")
    enter_token(page, visitor.server.token("friend"))
    expect_person(page, "friend")
    assert len(visitor.context.cookies()) == 1


def test_operator_signs_in(visitor: Visitor) -> None:
    page = visitor.page("/sign-in")
    enter_token(page, visitor.server.token("operator"))
    expect_person(page, "Operator")
    page.goto(LIST)
    expect_person(page, "Operator")
