"""Lists and single records as pages, with the sample data and the small store."""

import pytest
from accessibility import expect_to_fit
from conftest import MakeVisitor, Photograph
from habitat import Server
from playwright.sync_api import Page, ViewportSize, expect
from small_store import HOSTILE_COMMENT

# One list with positions and one without. The others repeat the proof.
LISTS = ["events", "users"]
OTHER_LISTS = ["items", "posts", "habits", "following", "messages", "claims"]
PHONE: ViewportSize = {"width": 390, "height": 844}
NARROW: ViewportSize = {"width": 320, "height": 700}


def open_snippets(page: Page) -> None:
    """Opens the part of the page with commands for programs."""
    page.get_by_text("Use this data").click()
    expect(page.get_by_role("region", name="curl")).to_be_visible()


def expect_to_fit_phones(page: Page, photograph: Photograph, name: str) -> None:
    """Checks that the page does not scroll sideways on a phone and on a small phone."""
    for window in [NARROW, PHONE]:
        page.set_viewport_size(window)
        expect_to_fit(page)
        photograph(page, f"{name}-{window['width']}")


@pytest.mark.parametrize(
    "collection", [*LISTS, *[pytest.param(name, marks=pytest.mark.long) for name in OTHER_LISTS]]
)
def test_list_and_record_fit_phone(
    visit: MakeVisitor, server: Server, photograph: Photograph, collection: str
) -> None:
    page = visit(server, "alice", viewport=PHONE).page(f"/collections/{collection}/items")
    open_snippets(page)
    expect_to_fit_phones(page, photograph, f"records-{collection}")
    page.locator("tbody tr").first.locator("th a").click()
    expect(page.get_by_role("navigation", name="Path").get_by_role("listitem")).to_have_count(4)
    open_snippets(page)
    expect_to_fit_phones(page, photograph, f"record-page-{collection}")


@pytest.mark.parametrize("name", ["schema", "queryables"])
def test_description_fits_phone(visit: MakeVisitor, server: Server, photograph: Photograph, name: str) -> None:
    page = visit(server, "alice", viewport=PHONE).page("/collections/events/items")
    page.get_by_text("Use this data").click()
    page.locator(f"details.data a[href$='/{name}']").click()
    expect(page.locator("dl.card dt").first).to_be_visible()
    expect(page.get_by_role("navigation", name="Path").get_by_role("listitem")).to_have_count(4)
    expect_to_fit_phones(page, photograph, name)


def test_records_near_position_lead_to_their_pages(visit: MakeVisitor, server: Server, photograph: Photograph) -> None:
    page = visit(server, "alice", viewport=PHONE).page("/near?near=-9.1393,38.7223&limit=20")
    expect(page.locator("figure.map svg").first).to_be_visible()
    expect_to_fit_phones(page, photograph, "near")
    name = page.locator("tbody tr").first.locator("th a").inner_text()
    page.locator("tbody tr").first.locator("th a").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def test_list_needs_no_script(visit: MakeVisitor, server: Server) -> None:
    page = visit(server, "alice", java_script_enabled=False).page("/collections/events/items")
    expect(page.get_by_role("table")).to_be_visible()
    expect(page.locator("figure.map svg").first).to_be_visible()
    expect(page.locator("time").first).to_be_visible()


def test_inbox_leads_to_record(visit: MakeVisitor, server: Server) -> None:
    page = visit(server, "alice", viewport=PHONE).page("/inbox?f=html")
    expect_to_fit(page)
    page.locator(".entries .button").first.click()
    expect(page.get_by_role("navigation", name="Path")).to_contain_text("Collections")


def test_filter_is_removed_by_link(visit: MakeVisitor, small_server: Server) -> None:
    page = visit(small_server, "me").page("/collections/events/items?comment-contains=Café&habit=walk")
    expect(page.get_by_role("list", name="Filters").get_by_role("listitem")).to_have_count(2)
    expect(page.locator("tbody tr")).to_have_count(3)
    page.get_by_role("link", name="Remove the filter comment contains: Café").click()
    expect(page.locator("tbody tr")).to_have_count(19)
    page.get_by_role("link", name="Remove the filter habit: walk").click()
    expect(page.get_by_role("list", name="Filters")).to_have_count(0)
    expect(page.locator("tbody tr")).to_have_count(21)


def test_empty_list_leads_on(visit: MakeVisitor, small_server: Server) -> None:
    page = visit(small_server, "me").page("/collections/events/items?comment-contains=nothing")
    expect(page.locator(".empty")).to_contain_text("No features match the filters.")
    page.get_by_role("link", name="Remove all filters").click()
    expect(page.locator("tbody tr")).to_have_count(21)


def test_text_of_user_is_text(visit: MakeVisitor, small_server: Server) -> None:
    page = visit(small_server, "me").page("/collections/events/items/far")
    expect(page.get_by_role("heading", level=1)).to_have_text("<b>Swim</b>")
    expect(page.get_by_text(HOSTILE_COMMENT)).to_be_visible()
    expect(page.locator("main b")).to_have_count(0)


def test_thumbnail_is_square(visit: MakeVisitor, photo_server: Server) -> None:
    page = visit(photo_server, "me").page("/collections/events/items?habit=walk")
    picture = page.locator("td img").first
    picture.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('td img').naturalWidth === 1")
    box = picture.bounding_box()
    assert box
    assert (round(box["width"]), round(box["height"])) == (64, 64)


def test_snippet_of_javascript_reads_features(visit: MakeVisitor, small_server: Server) -> None:
    page = visit(small_server, "me").page("/collections/events/items?habit=walk&limit=4")
    open_snippets(page)
    snippet = page.get_by_role("region", name="JavaScript").text_content() or ""
    assert "Bearer TOKEN" in snippet
    # The page of the map may send requests.
    page.goto("/map")
    code = snippet.replace("TOKEN", small_server.token("me")).replace("console.log", "return ")
    features = page.evaluate(f"async () => {{ {code} }}")
    assert len(features) == 4


def test_links_have_space_for_fingers(visit: MakeVisitor, small_server: Server) -> None:
    page = visit(small_server, "me", viewport=PHONE).page("/collections/events/items?habit=walk")
    open_snippets(page)
    for link in page.locator("tbody th a, .chips a, main summary").all():
        size = link.bounding_box()
        assert size and size["height"] >= 24, link.text_content()
