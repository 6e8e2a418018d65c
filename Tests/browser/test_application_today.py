"""The view Today and the sheet of an event: a person records the habits of a day."""

import re

import pytest
from application import (
    NOON,
    PHONE,
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
from application_records import HOSTILE_TITLE
from conftest import MakeVisitor, OpenDay
from habitat import Server
from playwright.sync_api import Locator, Page, Route, expect

WINDOWS = [{"width": 320, "height": 640}, PHONE, {"width": 1280, "height": 820}]


@pytest.mark.long
def test_today_shows_what_is_due(open_day: OpenDay) -> None:
    page = open_day()
    expect(page.get_by_role("heading", name="Today")).to_be_visible()
    to_do = page.get_by_role("region", name="To do")
    expect(to_do.get_by_role("checkbox")).to_have_count(4)
    expect(to_do.get_by_text("0 of 4")).to_be_visible()
    expect(habit_row(page, "Gym")).to_contain_text("1 of 3 this week")
    expect(habit_row(page, "Read")).to_contain_text("0/20 pages")
    page.get_by_text("Not due (1)").click()
    expect(habit_row(page, "Swim")).to_contain_text("weekend")


def test_one_tap_records_habit(open_day: OpenDay, days: Server) -> None:
    page = open_day()
    check(page, "Walk").click()
    expect(check(page, "Walk")).to_be_checked()
    expect(page.get_by_text("1 of 4", exact=True)).to_be_visible()
    expect_saved(page)
    properties = entry(days, "walk")
    assert properties["outcome"] == "done"
    assert properties["at"].startswith("2026-11-20T12:00:00")


@pytest.mark.long
def test_second_tap_deletes_entry_and_undo_restores_it(open_day: OpenDay, days: Server) -> None:
    page = open_day("/days/2026-11-19")
    keep_messages(page)
    check(page, "Walk").click()
    expect(check(page, "Walk")).not_to_be_checked()
    page.get_by_role("button", name="Undo").click()
    expect(check(page, "Walk")).to_be_checked()
    expect_saved(page)
    assert entry(days, "walk", "2026-11-19")["comment"] == "with Anna"


@pytest.mark.long
def test_undo_of_tap_leaves_no_entry(open_day: OpenDay, days: Server) -> None:
    page = open_day()
    keep_messages(page)
    check(page, "Walk").click()
    page.get_by_role("button", name="Undo").click()
    expect(check(page, "Walk")).not_to_be_checked()
    expect_saved(page)
    assert entries(days, "walk") == []


@pytest.mark.long
def test_space_checks_and_arrow_moves_to_next_habit(open_day: OpenDay) -> None:
    page = open_day()
    check(page, "Gym").focus()
    page.keyboard.press("ArrowDown")
    expect(check(page, "Read")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(check(page, "Walk")).to_be_focused()
    page.keyboard.press("Space")
    expect(check(page, "Walk")).to_be_checked()


def test_tap_fills_target_amount(open_day: OpenDay, days: Server) -> None:
    page = open_day()
    check(page, "Read").click()
    expect(habit_row(page, "Read")).to_contain_text("20/20 pages")
    expect_saved(page)
    assert entry(days, "read")["amount"] == 20


@pytest.mark.long
def test_amount_below_target_is_not_done(open_day: OpenDay, days: Server) -> None:
    page = open_day()
    sheet = open_sheet(page, "Read")
    amount = sheet.get_by_label("Amount of 20 pages")
    expect(amount).to_have_value("20")
    amount.fill("13")
    sheet.get_by_role("button", name="Less").click()
    save(page)
    expect(habit_row(page, "Read")).to_contain_text("12/20 pages")
    expect(check(page, "Read")).not_to_be_checked()
    expect_saved(page)
    assert entry(days, "read")["amount"] == 12
    check(page, "Read").click()
    expect(habit_row(page, "Read")).to_contain_text("20/20 pages")


@pytest.mark.long
def test_text_is_not_accepted_as_amount(open_day: OpenDay) -> None:
    page = open_day()
    sheet = open_sheet(page, "Read")
    sheet.get_by_label("Amount of 20 pages").fill("many")
    expect(sheet.get_by_text("Enter a number, such as 12")).to_be_visible()
    expect(sheet.get_by_role("button", name="Save")).to_be_disabled()


def test_comment_is_counted_in_characters(open_day: OpenDay, days: Server) -> None:
    page = open_day()
    sheet = open_sheet(page, "Walk")
    comment = sheet.get_by_label("Comment")
    comment.fill("mit 👩‍👩‍👧 und é")
    expect(sheet.get_by_text("9 left")).to_be_visible()
    comment.fill("x" * 21)
    expect(sheet.get_by_text("1 character too many")).to_be_visible()
    expect(sheet.get_by_role("button", name="Save")).to_be_disabled()
    comment.fill("x" * 20)
    save(page)
    expect(habit_row(page, "Walk")).to_contain_text("x" * 20)
    expect_saved(page)
    assert entry(days, "walk")["comment"] == "x" * 20


@pytest.mark.long
def test_event_is_edited(open_day: OpenDay, days: Server) -> None:
    page = open_day("/days/2026-11-19")
    sheet = open_sheet(page, "Walk")
    expect(page).to_have_url(re.compile("/events/walk-1$"))
    sheet.get_by_label("Comment").fill("alone")
    save(page)
    expect(page).to_have_url(re.compile("/days/2026-11-19$"))
    expect_saved(page)
    assert entry(days, "walk", "2026-11-19")["comment"] == "alone"


@pytest.mark.long
def test_event_is_deleted(open_day: OpenDay, days: Server) -> None:
    page = open_day("/days/2026-11-19")
    open_sheet(page, "Walk").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(check(page, "Walk")).not_to_be_checked()
    expect_saved(page)
    assert entries(days, "walk", "2026-11-19") == []


def test_deleted_event_returns_with_undo(open_day: OpenDay, days: Server) -> None:
    page = open_day("/days/2026-11-19")
    keep_messages(page)
    open_sheet(page, "Walk").get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Undo").click()
    expect(check(page, "Walk")).to_be_checked()
    expect_saved(page)
    assert entry(days, "walk", "2026-11-19")["comment"] == "with Anna"


def test_second_event_of_day_is_not_offered(open_day: OpenDay, days: Server) -> None:
    page = open_day("/events/new?habit=walk&day=2026-11-19")
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_label("Comment")).to_have_value("with Anna")
    sheet.get_by_label("Comment").fill("changed")
    save(page)
    assert entry(days, "walk", "2026-11-19")["comment"] == "changed"


@pytest.mark.long
def test_skipped_day_counts_neither_as_done_nor_as_due(open_day: OpenDay, days: Server) -> None:
    page = open_day()
    sheet = open_sheet(page, "Walk")
    sheet.get_by_label("Skipped").check()
    save(page)
    expect(habit_row(page, "Walk")).to_contain_text("Skipped")
    expect(page.get_by_text("0 of 3", exact=True)).to_be_visible()
    expect_saved(page)
    assert entry(days, "walk")["outcome"] == "skipped"
    check(page, "Walk").click()
    expect(check(page, "Walk")).to_be_checked()
    expect_saved(page)
    assert entry(days, "walk")["outcome"] == "done"


@pytest.mark.long
def test_missing_entry_is_explained(open_day: OpenDay) -> None:
    page = open_day("/events/nothing")
    expect(page.get_by_role("dialog")).to_contain_text("This entry no longer exists")
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("/days$"))


def attach_photo(page: Page, sheet: Locator, content: bytes, name: str = "photo.jpg") -> None:
    """Chooses a photo."""
    kind = "image/jpeg" if name.endswith("jpg") else "image/heic"
    sheet.locator("input[type=file]").set_input_files({"name": name, "mimeType": kind, "buffer": content})


def test_photo_of_three_megabytes_is_made_small(open_day: OpenDay, days: Server) -> None:
    page = open_day()
    photo = noisy_photo(page, 2800, 2100)
    assert len(photo) > 3_000_000
    sheet = open_sheet(page, "Walk")
    attach_photo(page, sheet, photo)
    expect(sheet.get_by_role("img", name="Photo of this entry")).to_be_visible()
    save(page)
    wait_until(lambda: entry(days, "walk")["has_photo"])
    address = entry(days, "walk")["photo_url"]
    small = days.client("me").send("GET", address.removeprefix(days.base))
    assert 0 < len(small) <= PHOTO_LIMIT
    picture = open_sheet(page, "Walk").get_by_role("img", name="Photo of this entry")
    # The server can have the photo before the page knows it. The page then shows its own photo for a moment.
    expect(picture).to_have_attribute("src", re.compile(r"/photo\?v="))
    expect(picture).to_be_visible()
    assert picture.evaluate("async image => { await image.decode(); return image.naturalWidth; }") >= 320


def test_photo_is_saved_before_browser_has_decoded_it(open_day: OpenDay, days: Server) -> None:
    page = open_day()
    photo = noisy_photo(page, 64, 64)
    sheet = open_sheet(page, "Walk")
    # The worker makes the photo small, and still decodes it.
    page.evaluate("() => { window.createImageBitmap = () => new Promise(() => {}); }")
    attach_photo(page, sheet, photo)
    save(page)
    wait_until(lambda: entry(days, "walk")["has_photo"])


@pytest.mark.long
def test_photo_is_removed(open_day: OpenDay, days: Server) -> None:
    page = open_day()
    sheet = open_sheet(page, "Walk")
    attach_photo(page, sheet, noisy_photo(page, 64, 64))
    expect(sheet.get_by_role("img", name="Photo of this entry")).to_be_visible()
    save(page)
    wait_until(lambda: entry(days, "walk")["has_photo"])
    sheet = open_sheet(page, "Walk")
    sheet.get_by_role("button", name="Remove photo").click()
    save(page)
    wait_until(lambda: not entry(days, "walk")["has_photo"])


@pytest.mark.long
def test_photo_that_browser_cannot_read_is_explained(open_day: OpenDay) -> None:
    page = open_day()
    sheet = open_sheet(page, "Walk")
    attach_photo(page, sheet, b"no photo", "photo.heic")
    expect(sheet.get_by_text("This browser cannot read the photo. Save it as JPEG.")).to_be_visible()
    expect(sheet.get_by_role("img")).to_have_count(0)


def test_granted_position_is_saved(open_day: OpenDay, days: Server) -> None:
    page = open_day(geolocation=POSITION, permissions=["geolocation"])
    sheet = open_sheet(page, "Walk")
    sheet.get_by_role("button", name="Add position").click()
    expect(sheet.get_by_text("Accurate to 12 m")).to_be_visible()
    save(page)
    (event,) = entries(days, "walk")
    assert event["geometry"]["coordinates"] == [POSITION["longitude"], POSITION["latitude"]]
    sheet = open_sheet(page, "Walk")
    sheet.get_by_role("button", name="Remove position").click()
    save(page)
    assert entries(days, "walk")[0]["geometry"] is None


def test_position_that_was_denied_before_is_explained(open_day: OpenDay, days: Server) -> None:
    page = open_day()
    page.evaluate("navigator.permissions.query = async () => ({ state: 'denied' })")
    sheet = open_sheet(page, "Walk")
    sheet.get_by_role("button", name="Add position").click()
    expect(sheet.get_by_text("This site may not use your position.")).to_be_visible()
    save(page)
    assert entries(days, "walk")[0]["geometry"] is None


# The codes of failures in the browser: 1 is a refusal of the prompt, 2 is no position, 3 is a time-out.
SIMULATE_GEOLOCATION = """code => {
  navigator.permissions.query = async () => ({ state: 'prompt' });
  navigator.geolocation.getCurrentPosition = (succeed, fail, options) => {
    window.positionOptions = options;
    fail({ code, PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3 });
  };
}"""


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (1, "You can save without a position."),
        (2, "No position here. Try again outside."),
        (3, "No position here. Try again outside."),
    ],
    ids=["refused", "unavailable", "late"],
)
@pytest.mark.long
def test_position_that_is_not_found_is_explained(open_day: OpenDay, code: int, message: str) -> None:
    page = open_day()
    page.evaluate(SIMULATE_GEOLOCATION, code)
    sheet = open_sheet(page, "Walk")
    assert page.evaluate("window.positionOptions") is None
    sheet.get_by_role("button", name="Add position").click()
    expect(sheet.get_by_text(message)).to_be_visible()
    assert page.evaluate("window.positionOptions.timeout") == 10_000
    expect(sheet.get_by_role("button", name="Save")).to_be_enabled()


@pytest.mark.long
def test_person_who_does_not_share_location_adds_no_position(open_day: OpenDay) -> None:
    page = open_day(user="secret")
    sheet = open_sheet(page, "Quiet")
    expect(sheet.get_by_text("you do not share your location")).to_be_visible()
    expect(sheet.get_by_role("button", name="Add position")).to_have_count(0)


@pytest.mark.long
def test_newest_event_of_friend_is_shown(open_day: OpenDay) -> None:
    page = open_day()
    friends = page.get_by_role("region", name="Friends")
    expect(friends.get_by_role("listitem")).to_have_count(1)
    friends.get_by_role("link", name=re.compile("Bruno · Run")).click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("slow start")
    expect(sheet.get_by_role("button", name="Save")).to_have_count(0)


@pytest.mark.long
def test_person_without_habits_gets_suggestions(open_day: OpenDay) -> None:
    page = open_day(user="new")
    expect(page.get_by_text("No habits yet.")).to_be_visible()
    expect(page.locator(".suggestions a")).to_have_count(3)
    page.get_by_role("link", name="Read 20 pages").click()
    expect(page).to_have_url(re.compile(r"/habits/new\?title=Read\+20\+pages$"))


def test_title_of_habit_is_text(open_day: OpenDay) -> None:
    page = open_day()
    keep_messages(page)
    check(page, HOSTILE_TITLE).click()
    expect(page.get_by_text(f"{HOSTILE_TITLE}: done")).to_be_visible()
    sheet = open_sheet(page, HOSTILE_TITLE)
    sheet.get_by_label("Comment").fill("<b>&amp;</b>")
    save(page)
    expect(habit_row(page, HOSTILE_TITLE)).to_contain_text("<b>&amp;</b>")
    assert page.locator("main b:has-text('&amp;'), main img").count() == 0


@pytest.mark.long
def test_day_of_week_is_chosen(open_day: OpenDay) -> None:
    page = open_day()
    strip = page.get_by_role("group", name="Day")
    strip.get_by_role("button", name=re.compile("November 19, 1 of 4 done|19 November, 1 of 4 done")).click()
    expect(page).to_have_url(re.compile("/days/2026-11-19$"))
    expect(page.get_by_role("heading", name="Thursday", level=1)).to_be_visible()
    expect(strip.get_by_role("button", name="Saturday")).to_be_disabled()


@pytest.mark.long
def test_future_day_is_today(open_day: OpenDay) -> None:
    expect(open_day("/days/2026-12-24").get_by_role("heading", name="Today")).to_be_visible()


@pytest.mark.long
def test_focus_returns_to_row_after_sheet(open_day: OpenDay) -> None:
    page = open_day()
    link = habit_row(page, "Walk").get_by_role("link")
    link.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(link).to_be_focused()


@pytest.mark.long
def test_keys_open_views_and_help(open_day: OpenDay) -> None:
    page = open_day()
    # A slow machine must not decide whether the second key follows in time.
    page.evaluate("Object.defineProperty(Event.prototype, 'timeStamp', { get: () => 0 })")
    page.keyboard.press("g")
    page.keyboard.press("h")
    expect(page).to_have_url(re.compile("/habits$"))
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Use these keys").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("t")
    expect(page).to_have_url(re.compile("/habits$"))


@pytest.mark.long
def test_settings_that_arrive_between_two_keys_do_not_end_the_shortcut(visit: MakeVisitor, days: Server) -> None:
    page = visit(days, "me").page()
    # A slow machine must not decide whether the second key follows in time.
    page.add_init_script("Object.defineProperty(Event.prototype, 'timeStamp', { get: () => 0 })")
    page.clock.set_fixed_time(NOON)
    held: list[Route] = []
    page.route("**/settings", held.append)
    with page.expect_request("**/settings"):
        page.goto("/days")
    expect(check(page, "Walk")).to_be_visible()
    page.keyboard.press("g")
    # The page requests the stream after it has stored the settings.
    with page.expect_request("**/changes/stream"):
        held[0].continue_()
    page.keyboard.press("h")
    expect(page).to_have_url(re.compile("/habits$"))


@pytest.mark.long
def test_first_key_leads_to_content(open_day: OpenDay) -> None:
    page = open_day()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def go_offline(page: Page, title: str, comment: str) -> None:
    """Enters a comment without a connection."""
    expect(check(page, title)).to_be_visible()
    expect_saved(page)
    page.context.set_offline(True)
    open_sheet(page, title).get_by_label("Comment").fill(comment)
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Offline · 1 waiting")).to_be_visible()
    expect(habit_row(page, title)).to_contain_text("waiting")


@pytest.mark.long
@pytest.mark.parametrize(("decision", "comment"), [("Keep mine", "mine"), ("Take theirs", "theirs")])
def test_person_decides_about_conflict(open_day: OpenDay, days: Server, decision: str, comment: str) -> None:
    page = open_day("/days/2026-11-19", complaint="ERR_INTERNET_DISCONNECTED|Failed to fetch")
    go_offline(page, "Walk", "mine")
    days.client("me").send("PATCH", "/collections/events/items/walk-1", b'{"comment": "theirs"}')
    page.context.set_offline(False)
    card = page.get_by_role("alert")
    expect(card).to_contain_text("Walk: changed on another device")
    expect(card.get_by_role("row", name="Comment mine theirs")).to_be_visible()
    expect_accessible(page)
    card.get_by_role("button", name=decision).click()
    expect(card).to_have_count(0)
    expect_saved(page)
    assert entry(days, "walk", "2026-11-19")["comment"] == comment


@pytest.mark.long
def test_refused_entry_is_explained_and_discarded(open_day: OpenDay, days: Server) -> None:
    page = open_day(complaint="ERR_INTERNET_DISCONNECTED|Failed to fetch")
    go_offline(page, "Walk", "too late")
    days.client("me").send("DELETE", "/collections/habits/items/walk")
    page.context.set_offline(False)
    card = page.get_by_role("alert")
    expect(card).to_contain_text("not saved")
    expect(card).to_contain_text("The habit or person of this entry no longer exists.")
    expect_accessible(page)
    card.get_by_role("button", name="Discard").click()
    expect(card).to_have_count(0)
    expect_saved(page)


@pytest.mark.long
def test_signed_out_person_keeps_entry_and_is_led_to_sign_in(open_day: OpenDay) -> None:
    page = open_day(complaint="status of 401")
    expect(check(page, "Walk")).to_be_visible()
    expect_saved(page)
    page.context.clear_cookies()
    check(page, "Walk").click()
    expect(page.get_by_text("Sign in again to save 1 entry.")).to_be_visible()
    expect(check(page, "Walk")).to_be_checked()
    expect_accessible(page)
    page.get_by_role("link", name="Sign in").click()
    expect(page).to_have_url(re.compile(r"/sign-in\?to=%2Fdays$"))


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("window", WINDOWS, ids=lambda window: str(window["width"]))
def test_views_are_accessible(open_day: OpenDay, window: dict[str, int], scheme: str) -> None:
    page = open_day(viewport=window, color_scheme=scheme)
    check(page, "Walk").click()
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    expect(undo).to_have_count(0)
    page.get_by_text("Not due (1)").click()
    expect_accessible(page)
    sheet = open_sheet(page, "Read")
    expect_accessible(page)
    sheet.get_by_label("Comment").fill("x" * 25)
    expect_accessible(page)
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect_accessible(page)


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.long), "dark"])
def test_first_use_is_accessible(open_day: OpenDay, scheme: str) -> None:
    page = open_day(user="new", color_scheme=scheme)
    expect(page.get_by_text("No habits yet.")).to_be_visible()
    expect_accessible(page)


@pytest.mark.long
@pytest.mark.parametrize("language", ["en-XA", "ar-XB", "ja-JP", "pt-PT"])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_views_fit_in_every_language(open_day: OpenDay, language: str, width: int) -> None:
    page = open_day(viewport={"width": width, "height": 700}, locale=language)
    expect(page.get_by_role("checkbox")).to_have_count(4)
    expected = "rtl" if language == "ar-XB" else "ltr"
    assert page.evaluate("document.documentElement.dir") == expected
    expect_accessible(page)
    habit_row(page, "Read").get_by_role("link").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect_accessible(page)


@pytest.mark.long
def test_large_text_fits_phone(open_day: OpenDay) -> None:
    page = open_day()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(page.get_by_role("group", name="Day").get_by_role("button")).to_have_count(3)
    expect_accessible(page)
