"""The map page with mouse and keyboard."""

import re
import time

import pytest
from conftest import MakeVisitor, Photograph
from habitat import Client, Server
from map_page import LAYERS, MapPage, View
from playwright.sync_api import Route, expect
from small_store import HOSTILE_COMMENT

# The line of the events begins here. A degree of longitude is 71.7 km long, so each event is a kilometer away from the next.
START = View(zoom=13, latitude=50, longitude=10)
ALL_MINE = 20


@pytest.fixture
def client(small_server: Server) -> Client:
    """The API, as the person sees it."""
    return small_server.client("me")


@pytest.fixture
def map(visit: MakeVisitor, small_server: Server) -> MapPage:
    """The map in the browser of a person who is signed in."""
    return MapPage(visit(small_server, "me").page())


@pytest.fixture
def map_of_visitor(visit: MakeVisitor, small_server: Server) -> MapPage:
    """The map in the browser of a visitor who is not signed in."""
    visitor = visit(small_server)
    visitor.expect_complaint("status of 401")
    return MapPage(visitor.page())


def events(client: Client, **query: str | int) -> int:
    """Returns the number of located events in the history of the person."""
    return len(client.features("located-events", scope="mine", **query))


def located(client: Client, collection: str) -> int:
    """Returns the number of features with a position."""
    return sum(feature["geometry"] is not None for feature in client.features(collection))


# Sign-in


def open_for_sign_in(map: MapPage) -> None:
    """Opens the map, which asks the visitor to sign in."""
    map.page.goto("/map")
    map.expect_state("error")


def test_visitor_sees_map_and_sign_in(map_of_visitor: MapPage) -> None:
    open_for_sign_in(map_of_visitor)
    expect(map_of_visitor.page.locator("#map .leaflet-control-zoom")).to_be_visible()
    expect(map_of_visitor.page.locator("#sign-in")).to_be_visible()
    expect(map_of_visitor.page.locator("#sign-in-message")).to_contain_text("Sign in")


def enter_token(map: MapPage, token: str) -> None:
    """Sends the form of the sign-in."""
    map.page.get_by_label("Access token").fill(token)
    map.page.locator("#sign-in").get_by_role("button", name="Sign in", exact=True).click()


def test_sign_in_is_noted_for_application(map_of_visitor: MapPage) -> None:
    open_for_sign_in(map_of_visitor)
    map_of_visitor.evaluate("localStorage.setItem('habitat-account', JSON.stringify({ id: 'another' }))")
    enter_token(map_of_visitor, "not-a-token")
    expect(map_of_visitor.page.locator("#sign-in-message")).to_contain_text("access token is unknown")
    assert map_of_visitor.evaluate("localStorage.getItem('habitat-sign-in')") == "open"


def test_wrong_token_is_refused(map_of_visitor: MapPage) -> None:
    open_for_sign_in(map_of_visitor)
    enter_token(map_of_visitor, "not-a-token")
    expect(map_of_visitor.page.locator("#sign-in-message")).to_contain_text("access token is unknown")
    expect(map_of_visitor.page.locator("#sign-in")).to_be_visible()
    assert map_of_visitor.page.context.cookies() == []
    assert map_of_visitor.evaluate("sessionStorage.length") == 0


def test_token_signs_in(map_of_visitor: MapPage, small_server: Server) -> None:
    map, token = map_of_visitor, small_server.token("me")
    open_for_sign_in(map)
    enter_token(map, token)
    expect(map.page.locator("#user")).to_have_text("me")
    map.expect_features("mine", ALL_MINE)
    expect(map.page.locator("#sign-in")).to_be_hidden()
    assert token not in map.page.url
    assert map.evaluate("document.cookie + JSON.stringify(sessionStorage) + JSON.stringify(localStorage)") == "{}{}"


def test_operator_is_named(visit: MakeVisitor, small_server: Server) -> None:
    map = MapPage(visit(small_server, "operator").page())
    map.open()
    expect(map.page.locator("#user")).to_have_text("Operator")


def test_sign_out_removes_events(visit: MakeVisitor, small_server: Server) -> None:
    visitor = visit(small_server, "me")
    map = MapPage(visitor.page())
    map.open()
    map.expect_features("mine", ALL_MINE)
    visitor.expect_complaint("status of 401")
    map.page.locator("#sign-out").click()
    expect(map.page.locator("#sign-in")).to_be_visible()
    map.expect_state("error")
    assert map.features("mine") == 0
    assert map.page.context.cookies() == []


# Layers and filters


def test_history_of_person_is_shown(map: MapPage, photograph: Photograph) -> None:
    map.open()
    map.expect_features("mine", ALL_MINE)
    expect(map.count).to_have_text(re.compile(f"^{ALL_MINE} events"))
    map.expect_still()
    photograph(map.page, "map-1280")


def test_friends_show_their_latest_events(map: MapPage) -> None:
    map.open()
    map.show_layer("mine", False)
    map.show_layer("friends")
    map.expect_features("friends", 2)
    map.expect_features("mine", 0)


def test_items_and_posts_are_shown(map: MapPage, client: Client) -> None:
    map.open("layers=items,posts")
    for layer in ("items", "posts"):
        map.expect_features(layer, located(client, layer))
    map.expect_features("events", 0)
    expect(map.page.locator("#hits .hit-title", has_text="Post at 09:30")).to_have_count(1)


def test_comment_selects_events(map: MapPage) -> None:
    map.open()
    map.page.get_by_label("Comment contains").fill("CAFÉ")
    map.expect_features("mine", 3)


def test_habit_selects_events(map: MapPage) -> None:
    map.open()
    map.page.locator("#habit").select_option("walk")
    map.expect_features("mine", 19)
    map.page.get_by_role("button", name="Clear filters").click()
    map.expect_features("mine", ALL_MINE)


def test_habits_have_distinct_names(map: MapPage) -> None:
    map.open()
    group = map.page.locator("#habit optgroup")
    expect(group).to_have_count(2)
    names = group.first.locator("option").all_text_contents() + group.last.locator("option").all_text_contents()
    assert "Walk (walk-2)" in names
    assert len(set(names)) == len(names)


def test_dates_select_events(map: MapPage) -> None:
    map.open()
    map.page.get_by_label("From").fill("2026-11-10")
    map.page.get_by_label("To", exact=True).fill("2026-11-12")
    map.expect_features("mine", 3)


# The view


def test_request_is_limited_to_view(map: MapPage, client: Client) -> None:
    map.open(START.fragment)
    box = map.hook("bbox")
    assert len(box.split(",")) == 4
    map.expect_features("mine", events(client, bbox=box))
    assert 0 < map.features("mine") < ALL_MINE
    expect(map.count).to_contain_text("in this part of the map")
    # One step is already wider than the part that is loaded. During several steps, a slow page loads other parts, too.
    map.zoom("out", times=1)
    wider = map.expect_new_hook("bbox", former=box)
    map.expect_features("mine", events(client, bbox=wider))


def test_events_across_antimeridian_are_in_view(map: MapPage) -> None:
    map.open(View(zoom=9, latitude=-17, longitude=-179.95).fragment)
    map.expect_features("mine", 1)
    expect(map.page.locator("#map .hit-icon")).to_be_in_viewport()


def test_list_has_only_hits_in_view(map: MapPage) -> None:
    map.open()
    expect(map.hits).to_have_count(ALL_MINE)
    # The center of all events has none, and the first load covers it.
    map.zoom("in", times=2)
    expect(map.hits).to_have_count(0)
    map.expect_features("mine", ALL_MINE)
    expect(map.count).to_have_text(re.compile("^0 events"))


def send_many_copies(route: Route) -> None:
    """Answers with more copies of the first feature than the map shows."""
    response = route.fetch()
    page = response.json()
    copies = [page["features"][0] | {"id": f"copy{number}"} for number in range(5001)] if page["features"] else []
    route.fulfill(response=response, json=page | {"features": copies})


def test_missing_part_is_named(map: MapPage, photograph: Photograph) -> None:
    missing = map.page.locator("#missing")
    map.open()
    expect(missing).to_be_hidden()
    map.page.route("**/collections/located-events/items?*", send_many_copies)
    map.open()
    map.expect_features("mine", 5000)
    expect(missing).to_contain_text("at most 5,000 markers")
    photograph(map.page, "map-missing-part")


# The circle


def expect_moved_circle(map: MapPage, client: Client, former: str) -> None:
    """Waits until the page has requested another circle, and compares its events with those of the API."""
    now = map.expect_new_hook("near", former)
    longitude, latitude, kilometers = now.split(",")
    wanted = events(client, near=f"{longitude},{latitude}", within=f"{kilometers}km")
    map.expect_features("mine", wanted)


def test_circle_selects_events(map: MapPage, client: Client) -> None:
    map.show_circle(START, kilometers=5)
    # The fifth event is at the fifth kilometer.
    map.expect_features("mine", 4)
    assert map.circle() == pytest.approx((START.longitude, START.latitude, 5), abs=1e-5)
    map.page.locator("#near").uncheck()
    map.expect_features("mine", events(client, bbox=map.expect_new_hook("bbox", former="")))


def test_circle_moves_with_keyboard(map: MapPage, client: Client) -> None:
    map.show_circle(START, kilometers=5)
    handle = map.page.locator("#circle-handle")
    for key in ("ArrowUp", "ArrowDown", "Shift+ArrowRight"):
        before = map.hook("near")
        handle.press(key)
        expect_moved_circle(map, client, former=before)
        expect(handle).to_be_focused()


def test_circle_moves_with_mouse(map: MapPage, client: Client) -> None:
    map.show_circle(START, kilometers=5)
    before = map.hook("near")
    map.page.locator("#circle-handle").hover()
    map.page.mouse.down()
    box = map.page.locator("#circle-handle").bounding_box()
    assert box
    map.page.mouse.move(box["x"] + 56, box["y"] + 76, steps=4)
    map.page.mouse.move(box["x"] + 176, box["y"] + 166, steps=4)
    map.page.mouse.up()
    expect_moved_circle(map, client, former=before)
    assert map.features("mine") != 4


def test_link_shows_the_same_again(map: MapPage, small_server: Server) -> None:
    map.show_circle(START, kilometers=5)
    map.page.locator("#habit").select_option(index=1)
    map.expect_state("ready")
    address, number, circle = map.page.url, map.features("mine"), map.circle()
    assert small_server.token("me") not in address
    map.open(address.partition("#")[2])
    map.expect_features("mine", number)
    expect(map.page.locator("#near")).to_be_checked()
    assert map.circle() == pytest.approx(circle, abs=1e-4)
    expect(map.page).to_have_url(address)


# Popups


def test_popup_opens_from_list_with_keyboard(map: MapPage, photograph: Photograph) -> None:
    map.open()
    map.page.get_by_label("Comment contains").fill("CAFÉ")
    map.expect_features("mine", 3)
    expect(map.open_hit()).to_contain_text("Café")
    expect(map.popup).to_be_focused()
    photograph(map.page, "map-popup")
    map.close_popup()
    expect(map.hits.first).to_be_focused()
    for number in range(1, 3):
        expect(map.open_hit(number)).to_contain_text("Café")
        map.close_popup()


def test_markup_in_comment_stays_text(map: MapPage) -> None:
    map.open()
    map.page.get_by_label("Comment contains").fill(HOSTILE_COMMENT)
    map.expect_features("mine", 1)
    expect(map.open_hit()).to_contain_text(HOSTILE_COMMENT)
    expect(map.page.locator("#hits")).to_contain_text(HOSTILE_COMMENT)
    expect(map.page.locator("img[onerror]")).to_have_count(0)


def test_markup_in_description_stays_text(map: MapPage) -> None:
    map.open("layers=items")
    expect(map.open_hit()).to_contain_text("<script>alert(1)</script>")


def test_calendar_of_habit_has_its_days(map: MapPage, client: Client, photograph: Photograph) -> None:
    map.open("habit=walk")
    days = map.open_calendar()
    wanted = client.get("/reports/calendar", habit="walk", weeks=13, f="json")
    expect(days).to_have_count(len(wanted))
    cells = days.evaluate_all(
        "cells => cells.map(cell => [cell.dataset.day, cell.dataset.outcome, cell.innerText.trim(), cell.closest('tr').rowIndex])"
    )
    assert sorted((day, outcome) for day, outcome, _, _ in cells) == sorted((day["day"], day["outcome"]) for day in wanted)
    for day, _, words, row in cells:
        assert row == time.strptime(day, "%Y-%m-%d").tm_wday + 1, day
        assert words, day
    photograph(map.page, "map-calendar")
    map.page.keyboard.press("Escape")
    expect(map.page.locator("dialog[open]")).to_have_count(0)


def test_calendar_of_friend_has_shared_days(map: MapPage, client: Client) -> None:
    map.open("layers=friends")
    shown = map.open_calendar().evaluate_all("cells => cells.map(cell => cell.dataset.day)")
    shared = [
        sorted(feature["properties"]["day"] for feature in client.features("events", scope="all", habit=habit))
        for habit in ("run", "row")
    ]
    assert sorted(shown) in shared
    expect(map.page.locator("#calendar-note")).to_contain_text("Days that friend shares")


# The background


# Returns the opacity of the lowest canvas in the center of the map, from 0 to 255. It reads a copy, since Chromium warns of a
# canvas that is read several times.
OPACITY_OF_BACKGROUND = """() => {
  const canvas = document.querySelector('canvas.background');
  const [x, y] = [Math.floor(canvas.width / 2), Math.floor(canvas.height / 2)];
  const pen = new OffscreenCanvas(1, 1).getContext('2d');
  pen.drawImage(canvas, x, y, 1, 1, 0, 0, 1, 1);
  return pen.getImageData(0, 0, 1, 1).data[3];
}"""


def test_base_map_shows_land_and_sea(map: MapPage, photograph: Photograph) -> None:
    with map.page.expect_response("**/static/*/world-fine.js"):
        map.open("map=6/48.5/10")
    map.page.wait_for_function(f"() => ({OPACITY_OF_BACKGROUND})() === 255")
    photograph(map.page, "map-land")
    with map.page.expect_response("**/static/*/world-fine.js"):
        map.open("map=6/30/-40")
    map.expect_still()
    assert map.evaluate(OPACITY_OF_BACKGROUND) == 0


# The window


def test_panel_can_be_hidden(map: MapPage) -> None:
    map.open()
    before = map.page.locator("#map").bounding_box()
    map.page.get_by_role("button", name="Hide panel").click()
    expect(map.page.locator("#panel")).to_be_hidden()
    after = map.page.locator("#map").bounding_box()
    assert before and after and after["width"] > before["width"]
    map.page.get_by_role("button", name="Show panel").click()
    expect(map.page.locator("#panel")).to_be_visible()


def test_map_fits_phone(visit: MakeVisitor, small_server: Server, photograph: Photograph) -> None:
    map = MapPage(visit(small_server, "me", viewport={"width": 360, "height": 740}).page())
    map.open(f"layers={','.join(LAYERS)}")
    assert map.evaluate("innerWidth") == 360
    assert map.evaluate("document.documentElement.scrollWidth") <= 360
    photograph(map.page, "map-360")
    map.open_hit()
    box = map.page.locator(".leaflet-popup").bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= 360
    photograph(map.page, "map-360-popup")


def test_panel_is_dark_in_dark_mode(visit: MakeVisitor, small_server: Server, photograph: Photograph) -> None:
    map = MapPage(visit(small_server, "me", color_scheme="dark").page())
    map.open(f"layers={','.join(LAYERS)}")
    color = map.evaluate("getComputedStyle(document.getElementById('panel')).backgroundColor")
    assert max(int(part) for part in re.findall(r"\d+", color)[:3]) < 80, color
    photograph(map.page, "map-dark")


def test_symbol_has_form_of_status(visit: MakeVisitor, server: Server) -> None:
    map = MapPage(visit(server, "alice").page())
    map.open("layers=mine,friends")
    entries = map.page.locator("#legend li").all()
    forms = {entry.inner_text().strip(): entry.locator("path").get_attribute("d") for entry in entries}
    assert {"On track", "Near goal", "Inactive"} <= forms.keys()
    assert len(set(forms.values())) == len(forms)
    symbols = map.page.locator("#hits .shape:is(.mine, .friends) path:not(.ring)")
    drawn = symbols.evaluate_all("paths => paths.map(path => path.getAttribute('d'))")
    assert drawn
    assert set(drawn) <= set(forms.values())
    rings = map.page.locator("#hits .shape.friends .ring").count()
    assert rings == map.page.locator("#hits .shape.friends").count()
