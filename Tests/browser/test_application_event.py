"""The sheet of an event: its position on a small map, the position of a photo, its day, and what it may not lose."""

import json
import struct
from typing import Any

import pytest
from application import (
    PHOTO_LIMIT,
    POSITION,
    check,
    entries,
    entry,
    expect_accessible,
    expect_saved,
    habit_row,
    keep_messages,
    noisy_photo,
    open_sheet,
    save,
    wait_until,
)
from application_records import HERE
from conftest import PIXEL, OpenDay
from habitat import TODAY, Server
from playwright.sync_api import Locator, Page, expect

YESTERDAY = "2026-11-19"
FOUND = {"geolocation": POSITION, "permissions": ["geolocation"]}
# A meter in degrees of latitude.
METER = 1 / 111_000


def find_position(page: Page, title: str = "Walk") -> Locator:
    """Opens the sheet of a habit, adds the position, and returns the map."""
    sheet = open_sheet(page, title)
    sheet.get_by_role("button", name="Add position").click()
    expect(sheet.get_by_text("Accurate to 12 m")).to_be_visible()
    return sheet.get_by_role("application")


def disconnect(page: Page) -> None:
    """Ends the connection after the page has copied the records."""
    expect(check(page, "Walk")).to_be_visible()
    expect_saved(page)
    page.context.set_offline(True)


def coordinates(server: Server, habit: str, day: str = TODAY) -> list[float]:
    """Returns the position of the one event of a habit on a day."""
    (event,) = entries(server, habit, day)
    found: list[float] = event["geometry"]["coordinates"]
    return found


def tip(map_: Locator) -> dict[str, float]:
    """Returns the point of the window at which the tip of the pin is."""
    point: dict[str, float] = map_.evaluate("""map => {
      const { e, f } = map.querySelector('.map-pin').getScreenCTM();
      return { x: e, y: f };
    }""")
    return point


def test_arrow_keys_move_pin(open_day: OpenDay, days: Server) -> None:
    page = open_day(**FOUND)
    find_position(page).focus()
    for key in ["ArrowUp", "ArrowUp", "ArrowLeft", "Shift+ArrowLeft"]:
        page.keyboard.press(key)
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_text("Moved by 6 m")).to_be_visible()
    expect(sheet.get_by_text("Accurate to")).to_have_count(0)
    expect_accessible(page)
    save(page)
    longitude, latitude = coordinates(days, "walk")
    # A unit of the map is a quarter of a meter at this accuracy.
    assert latitude - HERE["latitude"] == pytest.approx(5 * METER, rel=0.05)
    assert longitude < HERE["longitude"]


@pytest.mark.long
def test_pointer_moves_pin_and_move_is_undone(open_day: OpenDay, days: Server) -> None:
    page = open_day(**FOUND)
    map_ = find_position(page)
    map_.scroll_into_view_if_needed()
    start = tip(map_)
    page.mouse.move(start["x"], start["y"] - 10)
    page.mouse.down()
    page.mouse.move(start["x"] + 40, start["y"] - 10, steps=4)
    page.mouse.up()
    moved = tip(map_)
    assert moved["x"] - start["x"] == pytest.approx(40, abs=2)
    assert moved["y"] == pytest.approx(start["y"], abs=2)
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_text("Moved by 9 m")).to_be_visible()
    sheet.get_by_role("button", name="Undo the move").click()
    expect(sheet.get_by_text("Accurate to 12 m")).to_be_visible()
    save(page)
    assert coordinates(days, "walk") == [HERE["longitude"], HERE["latitude"]]


@pytest.mark.long
def test_tap_on_map_moves_pin(open_day: OpenDay, days: Server) -> None:
    page = open_day(has_touch=True, **FOUND)
    map_ = find_position(page)
    map_.scroll_into_view_if_needed()
    start = tip(map_)
    page.touchscreen.tap(start["x"] - 60, start["y"] + 40)
    expect(page.get_by_text("Moved by")).to_be_visible()
    after = tip(map_)
    assert after["x"] == pytest.approx(start["x"] - 60, abs=2)
    assert after["y"] == pytest.approx(start["y"] + 40, abs=2)
    save(page)
    longitude, latitude = coordinates(days, "walk")
    assert longitude < HERE["longitude"]
    assert latitude < HERE["latitude"]


@pytest.mark.long
def test_map_zooms_and_shows_own_earlier_positions(open_day: OpenDay, days: Server) -> None:
    for day, meters in [("2026-11-10", 20), ("2026-11-11", 21), ("2026-11-12", 3000)]:
        point = [HERE["longitude"], HERE["latitude"] + meters * METER]
        feature = {"geometry": {"type": "Point", "coordinates": point}, "properties": {"habit": "gym", "day": day}}
        days.client("me").send("POST", "/collections/events/items", json.dumps({"type": "Feature", **feature}).encode())
    page = open_day(**FOUND)
    map_ = find_position(page)
    expect(map_.locator(".map-dot")).to_have_count(2)
    expect(map_.locator(".map-scale")).to_have_text("20 m")
    page.get_by_role("button", name="Zoom out").click()
    expect(map_.locator(".map-scale")).to_have_text("50 m")
    for _ in range(7):
        page.get_by_role("button", name="Zoom out").click()
    expect(map_.locator(".map-scale")).to_have_text("5 km")
    expect(map_.locator(".map-dot")).to_have_count(2)
    map_.focus()
    page.keyboard.press("+")
    expect(map_.locator(".map-scale")).to_have_text("2 km")
    while page.get_by_role("button", name="Zoom in").is_enabled():
        page.get_by_role("button", name="Zoom in").click()
    expect(map_.locator(".map-scale")).to_have_text("10 m")


@pytest.mark.long
@pytest.mark.parametrize(
    ("longitude", "latitude", "key"),
    [(179.99999, -17.7, "ArrowRight"), (-179.99999, 66.5, "ArrowLeft"), (15.0, 89.99999, "ArrowUp")],
    ids=["east", "west", "pole"],
)
def test_pin_crosses_meridian_and_pole(
    open_day: OpenDay, days: Server, longitude: float, latitude: float, key: str
) -> None:
    found = {"longitude": longitude, "latitude": latitude, "accuracy": 12}
    page = open_day(**{**FOUND, "geolocation": found})
    map_ = find_position(page)
    map_.focus()
    for _ in range(30):
        page.keyboard.press(key)
    # The map follows the pin.
    box = map_.bounding_box()
    assert box
    assert box["x"] < tip(map_)["x"] < box["x"] + box["width"]
    save(page)
    moved = coordinates(days, "walk")
    assert abs(moved[0]) <= 180
    assert abs(moved[1]) <= 90
    if key == "ArrowUp":
        assert moved[0] == pytest.approx(longitude - 180, abs=0.5)
    else:
        assert moved[0] * longitude < 0


@pytest.mark.long
def test_position_is_moved_without_connection(open_day: OpenDay, days: Server) -> None:
    page = open_day(complaint="ERR_INTERNET_DISCONNECTED|Failed to fetch", **FOUND)
    disconnect(page)
    find_position(page).focus()
    page.keyboard.press("ArrowUp")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Offline · 1 waiting")).to_be_visible()
    page.context.set_offline(False)
    expect_saved(page)
    assert coordinates(days, "walk")[1] > HERE["latitude"]
    sheet = open_sheet(page, "Walk")
    expect(sheet.get_by_role("application")).to_be_visible()
    expect(sheet.get_by_text("Accurate to")).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_sheet_with_map_is_accessible(open_day: OpenDay, width: int, scheme: str) -> None:
    page = open_day(f"/days/{YESTERDAY}", viewport={"width": width, "height": 1200}, color_scheme=scheme, **FOUND)
    find_position(page).focus()
    page.keyboard.press("ArrowUp")
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Day", exact=True).fill("2026-11-30")
    attach(sheet, photo_with_position(page, 51.5, -0.12))
    expect(sheet.get_by_text("The photo has a position. Use it?")).to_be_visible()
    expect_accessible(page)


def photo_with_position(page: Page, latitude: float, longitude: float) -> bytes:
    """Returns a JPEG whose metadata has a position, with the byte order of most cameras."""

    def rational(degrees: float) -> bytes:
        return struct.pack(">II", round(abs(degrees) * 1_000_000), 1_000_000)

    letters = ["N" if latitude >= 0 else "S", "E" if longitude >= 0 else "W"]
    directory = struct.pack(">H", 4)
    for index, letter in enumerate(letters):
        directory += struct.pack(">HHI4s", 2 * index + 1, 2, 2, letter.encode())
        directory += struct.pack(">HHII", 2 * index + 2, 5, 1, 80 + 8 * index)
    header = b"MM" + struct.pack(">HI", 42, 8) + struct.pack(">HHHIII", 1, 0x8825, 4, 1, 26, 0)
    tiff = header + directory + struct.pack(">I", 0) + rational(latitude) + rational(longitude)
    content = b"Exif\0\0" + tiff
    photo = noisy_photo(page, 64, 48)
    return photo[:2] + b"\xff\xe1" + struct.pack(">H", len(content) + 2) + content + photo[2:]


def attach(sheet: Locator, content: bytes) -> None:
    """Chooses a photo."""
    file: Any = {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": content}
    sheet.locator("input[type=file]").set_input_files(file)


def test_position_of_photo_is_used_only_after_tap(open_day: OpenDay, days: Server) -> None:
    page = open_day()
    sheet = open_sheet(page, "Walk")
    attach(sheet, photo_with_position(page, -36.85, 174.76))
    use = sheet.get_by_role("button", name="Use position")
    expect(use).to_be_visible()
    save(page)
    wait_until(lambda: entry(days, "walk")["has_photo"])
    assert entries(days, "walk")[0]["geometry"] is None
    sheet = open_sheet(page, "Read")
    attach(sheet, photo_with_position(page, -36.85, 174.76))
    use.click()
    expect(use).to_have_count(0)
    expect(sheet.get_by_role("application")).to_be_visible()
    save(page)
    assert coordinates(days, "read") == [174.76, -36.85]
    wait_until(lambda: entry(days, "read")["has_photo"])
    address = entry(days, "read")["photo_url"].removeprefix(days.base)
    assert b"Exif" not in days.client("me").send("GET", address)


@pytest.mark.long
def test_photo_without_position_offers_none(open_day: OpenDay) -> None:
    page = open_day()
    sheet = open_sheet(page, "Walk")
    attach(sheet, photo_with_position(page, 51.5, -0.12))
    expect(sheet.get_by_role("button", name="Use position")).to_be_visible()
    attach(sheet, noisy_photo(page, 64, 48))
    expect(sheet.get_by_role("button", name="Use position")).to_have_count(0)
    attach(sheet, photo_with_position(page, 51.5, -0.12))
    expect(sheet.get_by_role("button", name="Use position")).to_be_visible()
    sheet.get_by_role("button", name="Remove photo").click()
    expect(sheet.get_by_role("button", name="Use position")).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("missing", ["", "delete window.Worker", "delete window.OffscreenCanvas"])
def test_photo_is_made_small_in_worker_or_on_page(open_day: OpenDay, days: Server, missing: str) -> None:
    page = open_day()
    expect_saved(page)
    photo = noisy_photo(page, 1600, 1200)
    workers: list[str] = []
    page.on("worker", lambda worker: workers.append(worker.url))
    page.evaluate(missing)
    sheet = open_sheet(page, "Walk")
    attach(sheet, photo)
    expect(sheet.get_by_role("img")).to_be_visible()
    save(page)
    wait_until(lambda: entry(days, "walk")["has_photo"])
    assert [address.rsplit("/", 1)[1] for address in workers] == ([] if missing else ["photo-worker.js"])
    small = days.client("me").send("GET", entry(days, "walk")["photo_url"].removeprefix(days.base))
    assert len(small) <= PHOTO_LIMIT


@pytest.mark.long
def test_event_moves_to_another_day(open_day: OpenDay, days: Server) -> None:
    page = open_day(f"/days/{YESTERDAY}")
    keep_messages(page)
    sheet = open_sheet(page, "Walk")
    sheet.get_by_label("Day", exact=True).fill("2026-11-17")
    save(page)
    expect(page.get_by_text("Walk: moved to Tuesday, November 17")).to_be_visible()
    expect(check(page, "Walk")).not_to_be_checked()
    assert entries(days, "walk", YESTERDAY) == []
    assert entry(days, "walk", "2026-11-17")["comment"] == "with Anna"


@pytest.mark.long
@pytest.mark.parametrize(
    ("day", "message"),
    [
        ("2026-11-20", "This day already has an entry."),
        ("2026-11-21", "This day has not begun yet"),
        ("2026-11-01", "The habit begins on"),
        ("", "Choose a day."),
    ],
    ids=["taken", "future", "before", "none"],
)
def test_day_that_is_not_possible_is_explained(open_day: OpenDay, day: str, message: str) -> None:
    page = open_day()
    keep_messages(page)
    check(page, "Walk").click()
    expect(page.get_by_text("Walk: done")).to_be_visible()
    expect_saved(page)
    page.goto(f"/days/{YESTERDAY}")
    sheet = open_sheet(page, "Walk")
    sheet.get_by_label("Day", exact=True).fill(day)
    expect(sheet.get_by_text(message)).to_be_visible()
    expect(sheet.get_by_role("button", name="Save")).to_be_disabled()


@pytest.mark.long
def test_day_that_another_device_has_taken_is_chosen_again(open_day: OpenDay, days: Server) -> None:
    page = open_day(f"/days/{YESTERDAY}", complaint="ERR_INTERNET_DISCONNECTED|Failed to fetch")
    disconnect(page)
    sheet = open_sheet(page, "Walk")
    sheet.get_by_label("Day", exact=True).fill("2026-11-17")
    sheet.get_by_role("button", name="Save").click()
    days.client("me").send("POST", "/collections/events/items", b'{"habit": "walk", "day": "2026-11-17"}')
    page.context.set_offline(False)
    card = page.get_by_role("alert")
    expect(card).to_contain_text("There is already an entry for this day. Choose another day.")
    card.get_by_role("link", name="Edit").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Day", exact=True).fill("2026-11-16")
    save(page)
    assert entry(days, "walk", "2026-11-16")["comment"] == "with Anna"


def add_photo(server: Server) -> None:
    """Gives the event of yesterday a photo and a position."""
    client = server.client("me")
    client.send("PUT", "/collections/events/items/walk-1/photo", PIXEL, "image/png")
    position = {"geometry": {"type": "Point", "coordinates": list(HERE.values())}, "properties": {}}
    client.send("PATCH", "/collections/events/items/walk-1", json.dumps({"type": "Feature", **position}).encode())


@pytest.mark.long
def test_skipped_entry_keeps_photo_comment_and_position(open_day: OpenDay, days: Server) -> None:
    add_photo(days)
    page = open_day(f"/days/{YESTERDAY}")
    sheet = open_sheet(page, "Walk")
    expect(sheet.get_by_role("img")).to_be_visible()
    sheet.get_by_label("Skipped").check()
    save(page)
    wait_until(lambda: entry(days, "walk", YESTERDAY)["outcome"] == "skipped")
    assert entry(days, "walk", YESTERDAY)["has_photo"]
    assert entry(days, "walk", YESTERDAY)["comment"] == "with Anna"
    assert coordinates(days, "walk", YESTERDAY) == [HERE["longitude"], HERE["latitude"]]
    check(page, "Walk").click()
    expect_saved(page)
    wait_until(lambda: entry(days, "walk", YESTERDAY)["outcome"] == "done")
    assert entry(days, "walk", YESTERDAY)["has_photo"]


@pytest.mark.long
def test_without_connection_person_decides_about_photo(open_day: OpenDay, days: Server) -> None:
    add_photo(days)
    page = open_day(f"/days/{YESTERDAY}", complaint="ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch")
    disconnect(page)
    sheet = open_sheet(page, "Walk")
    sheet.get_by_label("Skipped").check()
    sheet.get_by_role("button", name="Save", exact=True).click()
    expect(sheet.get_by_text("keep the photo only with a connection")).to_be_visible()
    expect_accessible(page)
    sheet.get_by_role("button", name="Save without the photo").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.context.set_offline(False)
    expect_saved(page)
    assert entry(days, "walk", YESTERDAY)["outcome"] == "skipped"
    assert not entry(days, "walk", YESTERDAY)["has_photo"]


@pytest.mark.long
def test_entry_of_habit_that_is_not_due_is_unplanned(open_day: OpenDay, days: Server) -> None:
    page = open_day()
    page.get_by_text("Not due (1)").click()
    expect(page.get_by_text("An entry of a habit that is not due is unplanned")).to_be_visible()
    sheet = open_sheet(page, "Swim")
    expect(sheet.get_by_text("The entry is unplanned: it does not count.")).to_be_visible()
    page.keyboard.press("Escape")
    keep_messages(page)
    check(page, "Swim").click()
    expect(page.get_by_text("Swim: done, unplanned")).to_be_visible()
    expect(habit_row(page, "Swim")).to_contain_text("Done, not due")
    expect_saved(page)
    assert entry(days, "swim")["unplanned"] is True
    sheet = open_sheet(page, "Walk")
    expect(sheet.get_by_text("The entry is unplanned")).to_have_count(0)
