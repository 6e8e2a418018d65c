"""Renews the pictures of the application in the documentation, with the sample data: `make screenshots`."""

import pathlib
import tempfile

from application import NOON, entries
from conftest import ARGUMENTS, CHROMIUM
from habitat import REPOSITORY, Server, Store
from playwright.sync_api import Browser, sync_playwright
from visitor import Visitor

PICTURES = REPOSITORY / "docs" / "images"
PHONE = {"width": 390, "height": 760}
DESK = {"width": 1100, "height": 760}

# The name of each picture, the address of its view, a text in the complete view, and the window. `run` is an entry of today.
VIEWS = [
    ("application-today", "days", "Gym", PHONE),
    ("application-event", "events/{run}", "Comment", PHONE),
    ("application-habits", "habits", "Gym", PHONE),
    ("application-habit", "habits/alice-run", "Places", DESK),
    ("application-edit", "habits/alice-gym/edit", "Title", PHONE),
    ("application-history", "history", "Gym", PHONE),
    ("application-people", "people", "Followers", PHONE),
    ("application-person", "people/bruno", "bruno", PHONE),
]


def save_pictures(browser: Browser, server: Server) -> None:
    """Saves a picture of each view."""
    run = entries(server, "alice-run", user="alice")[0]["id"]
    for name, path, text, window in VIEWS:
        visitor = Visitor(browser, server, viewport=window, device_scale_factor=1.5)
        visitor.sign_in("alice")
        page = visitor.page()
        page.clock.install(time=NOON)
        page.goto(path.format(run=run))
        page.get_by_text(text).first.wait_for(state="attached")
        page.wait_for_timeout(1000)
        page.screenshot(path=PICTURES / f"{name}.png", animations="disabled")
        visitor.close()
        assert not visitor.complaints, visitor.complaints


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Store.load(pathlib.Path(folder), REPOSITORY / "sample-data"))
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            save_pictures(browser, server)
            browser.close()
        finally:
            server.stop()


main()
