"""The reports as pages: the list with its search, and the form of a report."""

import re

import pytest
from accessibility import expect_to_fit
from conftest import MakeVisitor, Photograph
from habitat import Server
from playwright.sync_api import Page, ViewportSize, expect

PHONE: ViewportSize = {"width": 390, "height": 844}
NARROW: ViewportSize = {"width": 320, "height": 720}


@pytest.fixture
def page(visit: MakeVisitor, server: Server) -> Page:
    """The tab of a person who is signed in."""
    return visit(server, "alice").page()


def submit(page: Page) -> None:
    """Sends the form of a report."""
    page.get_by_role("button", name="Show the report").click()


def test_report_is_found_and_opened(page: Page, photograph: Photograph) -> None:
    page.goto("/reports")
    expect(page.get_by_role("heading", level=2)).to_have_text(["My day", "Habits", "Places", "Items and posts"])
    photograph(page, "reports")
    page.get_by_label("Search the reports").fill("DUE completion")
    page.get_by_role("button", name="Search").click()
    expect(page).to_have_url(re.compile(r"/reports\?q=DUE\+completion$"))
    page.get_by_role("link", name="Completion", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Completion")


def test_operator_sees_alerts_and_nights(visit: MakeVisitor, server: Server) -> None:
    page = visit(server, "operator").page("/reports")
    expect(page.get_by_role("heading", level=2).filter(has_text=re.compile("Alerts|Nights"))).to_have_count(2)


def test_form_makes_an_address_to_share(page: Page, visit: MakeVisitor, server: Server, photograph: Photograph) -> None:
    page.goto("/reports/completion")
    page.get_by_label("From", exact=True).fill("2026-09-01")
    page.get_by_label("By", exact=True).select_option("month")
    page.get_by_label("Habit", exact=True).select_option(index=1)
    submit(page)
    expect(page.get_by_role("heading", name="Result")).to_be_visible()
    expect(page.locator("tbody tr")).to_have_count(3)
    photograph(page, "report-form")
    shared = page.url
    assert "from=2026-09-01" in shared and "by=month" in shared
    other = visit(server, "alice").page(shared)
    expect(other.get_by_label("From", exact=True)).to_have_value("2026-09-01")
    expect(other.get_by_label("By", exact=True)).to_have_value("month")
    assert other.locator("tbody").inner_text() == page.locator("tbody").inner_text()
    csv = page.request.get(page.get_by_role("link", name="CSV").get_attribute("href") or "")
    assert csv.status == 200
    assert len(csv.text().splitlines()) == 4


def test_bars_of_chart_have_lengths(page: Page) -> None:
    page.goto("/reports/completion?from=2026-09-01&by=month&user=alice")
    widths = page.locator(".bars li > div > div").evaluate_all("bars => bars.map((bar) => bar.style.width)")
    assert len(widths) == 3
    assert all(width.endswith("%") for width in widths)


def test_problem_is_at_its_field(visit: MakeVisitor, server: Server, photograph: Photograph) -> None:
    visitor = visit(server, "alice", viewport=PHONE)
    visitor.expect_complaint("status of 400")
    page = visitor.page("/reports/completion?from=soon&by=month")
    field = page.get_by_label("From", exact=True)
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value("soon")
    expect(field).to_have_accessible_description(re.compile("'soon' is not a day"))
    expect(page.get_by_role("alert")).to_contain_text("Check the field From")
    expect(page.locator("table")).to_have_count(0)
    expect_to_fit(page)
    photograph(page, "report-problem-390")
    page.get_by_role("alert").get_by_role("link").click()
    expect(field).to_be_in_viewport()
    field.fill("2026-11-01")
    submit(page)
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_label("By", exact=True)).to_have_value("month")
    expect(page.locator("table")).to_be_visible()


def test_position_is_asked_for_and_found(page: Page) -> None:
    page.goto("/reports/near")
    expect(page.get_by_role("status")).to_contain_text("one more value")
    page.get_by_label("Latitude", exact=True).fill("38.7223")
    page.get_by_label("Longitude", exact=True).fill("-9.1393")
    submit(page)
    expect(page.locator("tbody tr").first).to_be_visible()
    page.get_by_label("Latitude", exact=True).fill("")
    page.get_by_label("Longitude", exact=True).fill("")
    page.get_by_label("Use the position of my newest event").check()
    submit(page)
    expect(page.locator("tbody tr").first).to_be_visible()
    expect(page.get_by_label("Use the position of my newest event")).to_be_checked()


def expect_to_fit_phones(page: Page) -> None:
    """Checks that the page does not scroll sideways on a phone and on a small phone."""
    for window in [NARROW, PHONE]:
        page.set_viewport_size(window)
        expect_to_fit(page)


def test_pages_fit_phone(page: Page) -> None:
    for path in ["/reports", "/reports/near", "/reports/completion", "/reports/rhythm", "/reports/habits"]:
        page.goto(path)
        expect_to_fit_phones(page)
        for summary in page.locator("summary").all():
            summary.click()
        expect_to_fit_phones(page)
