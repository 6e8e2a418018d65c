"""Steps that the tests of the application share."""

import base64
import contextlib
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

from accessibility import expect_no_violation, expect_to_fit
from application_records import HERE
from habitat import PATIENCE_SECONDS, REPOSITORY, TODAY, Server
from playwright.sync_api import Locator, Page, expect

# The clock of the browser, on the last day of the sample data: a Friday.
NOON = f"{TODAY}T12:00:00Z"
POSITION = {**HERE, "accuracy": 12}
PHOTO_LIMIT = 65_535

PHONE = {"width": 390, "height": 844}
# Windows that are higher than the views, so that the tab bar covers nothing.
HIGH_WINDOWS = [{"width": 320, "height": 3000}, {"width": 390, "height": 3000}, {"width": 1280, "height": 2000}]

SMALL_TARGETS = """all => all.filter(element => {
  const { width, height } = element.getBoundingClientRect();
  const isHidden = width === 0 || element.closest('.skip, .unseen, p');
  return !isHidden && (width < 24 || height < 24);
}).map(element => element.outerHTML)"""


def habit_row(page: Page, title: str) -> Locator:
    """Returns the row of a habit."""
    return page.get_by_role("listitem").filter(has=page.get_by_role("checkbox", name=title, exact=True))


def check(page: Page, title: str) -> Locator:
    """Returns the circle of a habit."""
    return page.get_by_role("checkbox", name=title, exact=True)


def open_sheet(page: Page, title: str) -> Locator:
    """Opens the sheet of a habit and returns it."""
    habit_row(page, title).get_by_role("link").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("heading", name=title)).to_be_visible()
    return sheet


def expect_saved(page: Page) -> None:
    """Waits until the server has all entries."""
    expect(page.get_by_role("button", name="Saved", exact=True)).to_be_visible()


def message_time() -> int:
    """Returns the time for which the application shows a message, in milliseconds."""
    source = REPOSITORY / "Sources/HabitPages/Application/store/undo.js"
    found = re.search(r"UNDO_VISIBLE = ([\d_]+);", source.read_text())
    assert found, source
    return int(found[1])


def keep_messages(page: Page) -> None:
    """Lets each message of this document stay until the next one, since a slow machine may miss a message."""
    page.evaluate(
        """visible => {
          const start = window.setTimeout;
          window.setTimeout = (work, pause, ...rest) => (pause === visible ? 0 : start(work, pause, ...rest));
        }""",
        message_time(),
    )


def save(page: Page) -> None:
    """Saves the sheet, and waits until the server has the entry."""
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect_saved(page)


@contextlib.contextmanager
def changes_sent(server: Server) -> Iterator[None]:
    """Waits at the end of the block until the server has received changes."""
    mark = server.log.mark()
    yield
    server.log.wait(mark, lambda request: request.method == "POST" and request.route == "/changes")


def wait_until(is_true: Callable[[], bool]) -> None:
    """Waits for a change on the server."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not is_true():
        assert time.monotonic() < end, "the server does not have the change"
        time.sleep(0.1)


def entries(server: Server, habit: str, day: str = TODAY, user: str = "me") -> list[dict[str, Any]]:
    """Returns the events of a habit on a day, as the server has them."""
    found = server.client(user).features("events", scope="mine")
    return [event for event in found if event["properties"]["habit"] == habit and event["properties"]["day"] == day]


def entry(server: Server, habit: str, day: str = TODAY, user: str = "me") -> dict[str, Any]:
    """Returns the properties of the one event of a habit on a day."""
    (event,) = entries(server, habit, day, user)
    properties: dict[str, Any] = event["properties"]
    return properties


def expect_accessible(page: Page) -> None:
    """Checks a view with axe-core, its width, and the size of its targets."""
    expect_to_fit(page)
    # The tab bar covers what is at the lower edge of the window, except at the end of the page.
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert page.locator("a, button, summary, label.button, input").evaluate_all(SMALL_TARGETS) == []
    expect_no_violation(page)


def noisy_photo(page: Page, width: int, height: int) -> bytes:
    """Returns a JPEG without areas of one color, so that it has many bytes."""
    script = """async ({ width, height }) => {
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d');
      const picture = context.createImageData(width, height);
      for (let index = 0; index < picture.data.length; index += 4) {
        const light = 128 + 90 * Math.sin(index / 9001);
        for (let part = 0; part < 3; part += 1) picture.data[index + part] = light + Math.random() * 60;
        picture.data[index + 3] = 255;
      }
      context.putImageData(picture, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 });
      const reader = new FileReader();
      const isRead = new Promise(resolve => reader.addEventListener('load', resolve));
      reader.readAsDataURL(blob);
      await isRead;
      return reader.result.split(',')[1];
    }"""
    return base64.b64decode(page.evaluate(script, {"width": width, "height": height}))
