"""The home page, and the parts of every page."""

import re

import pytest
from accessibility import expect_to_fit
from conftest import MakeVisitor, Photograph
from habitat import Server
from playwright.sync_api import Page, ViewportSize, expect
from test_pages import photograph_page

# The windows of a desk, a phone and a small phone.
WINDOWS: list[ViewportSize] = [{"width": 1280, "height": 820}, {"width": 390, "height": 844}, {"width": 320, "height": 640}]
CALLERS = ["alice", "operator", None]


@pytest.mark.parametrize("user", CALLERS, ids=[user or "visitor" for user in CALLERS])
def test_home_fits_window(visit: MakeVisitor, server: Server, user: str | None, photograph: Photograph) -> None:
    page = visit(server, user).page("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect_to_fit_windows(page)
    page.get_by_text("For developers").first.click()
    expect_to_fit_windows(page)
    photograph_page(photograph, page, f"home-{user or 'visitor'}")


def expect_to_fit_windows(page: Page) -> None:
    """Checks that the page does not scroll sideways in any window."""
    for window in WINDOWS:
        page.set_viewport_size(window)
        expect_to_fit(page)


def test_pages_about_server_fit_windows(visit: MakeVisitor, server: Server) -> None:
    page = visit(server, "alice").page()
    for path in ["/conformance", "/api", "/collections", "/collections/events", "/?f=html"]:
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect_to_fit_windows(page)


@pytest.mark.parametrize("user", CALLERS, ids=[user or "visitor" for user in CALLERS])
def test_home_has_headings_in_order(visit: MakeVisitor, server: Server, user: str | None) -> None:
    page = visit(server, user).page("/")
    levels = page.locator("h1, h2, h3, h4").evaluate_all("all => all.map(heading => Number(heading.tagName[1]))")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(following <= level + 1 for level, following in zip(levels, levels[1:]))


@pytest.mark.parametrize("user", CALLERS, ids=[user or "visitor" for user in CALLERS])
def test_targets_of_home_have_24_pixels(visit: MakeVisitor, server: Server, user: str | None) -> None:
    page = visit(server, user, viewport={"width": 390, "height": 844}).page("/")
    script = """links => links.filter(link => {
      const { width, height } = link.getBoundingClientRect();
      return height < 24 && width > 1 && !link.closest('details:not([open])') && !link.closest('p');
    }).map(link => link.outerHTML)"""
    assert page.locator("main a, footer a, header.top a").evaluate_all(script) == []


def test_home_needs_no_script(visit: MakeVisitor, server: Server) -> None:
    page = visit(server, "alice", java_script_enabled=False).page("/")
    expect(page.get_by_role("heading", name="Today", exact=True)).to_be_visible()
    page.get_by_role("link", name="Reports", exact=True).first.click()
    expect(page).to_have_url(f"{server.base}/reports")


def test_home_agrees_with_api(visit: MakeVisitor, server: Server) -> None:
    page = visit(server, "alice").page("/")
    client = server.client("alice")
    due = client.get("/reports/todo", f="json")
    expect(page.locator("#due .entries li")).to_have_count(len(due))
    for row in due:
        expect(page.locator("#due").get_by_role("link", name=row["title"], exact=True)).to_have_count(1)
    friends = client.get("/collections/events/items", scope="friends", limit=10)["features"]
    shown = page.locator("#friends .entries a")
    expect(shown).to_have_count(len(friends))
    assert shown.all_text_contents() == [event["properties"]["title"] for event in friends]


def tab_to_skip_link(page: Page) -> None:
    """Presses the tab key once, which focuses the skip link."""
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()


def test_first_key_leads_to_content(visit: MakeVisitor, server: Server) -> None:
    page = visit(server, "alice").page()
    for path in ["/", "/collections", "/conformance", "/account", "/reports", "/collections/events/items"]:
        page.goto(path)
        tab_to_skip_link(page)
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("#content$"))
        page.keyboard.press("Tab")
        assert page.evaluate("Boolean(document.activeElement.closest('main, footer'))"), path


def test_map_leads_home(visit: MakeVisitor, server: Server) -> None:
    page = visit(server, "alice").page("/map")
    expect(page.locator("body")).to_have_attribute("data-state", "ready")
    page.get_by_role("link", name="Home", exact=True).click()
    expect(page).to_have_url(f"{server.base}/")


def test_visitor_signs_in_at_home(visit: MakeVisitor, server: Server) -> None:
    page = visit(server).page("/")
    token = page.get_by_label("Access token")
    if not token.is_visible():
        page.get_by_text("Use an access token").click()
    token.fill(server.token("alice"))
    page.locator("details:has(#token)").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Today", exact=True)).to_be_visible()
    expect(page.locator("header .person")).to_have_text("alice")
