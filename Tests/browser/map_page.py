"""The map page in a tab: its controls, and the numbers that it publishes for tests."""

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect

LAYERS = ("mine", "friends", "items", "posts")


@dataclass(frozen=True)
class View:
    """A view of the map."""

    zoom: int
    latitude: float
    longitude: float

    @property
    def fragment(self) -> str:
        """The fragment of the map's address."""
        return f"map={self.zoom}/{self.latitude}/{self.longitude}"


class MapPage:
    """The map in a tab of a visitor."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._body = page.locator("body")
        self.hits = page.locator("#hits button")
        self.count = page.locator("#count")
        self.popup = page.locator(".leaflet-popup .popup")

    def open(self, fragment: str = "") -> None:
        """Opens the map, and waits until it has loaded."""
        # The address of the map with another fragment would not load the page again.
        self.page.goto("about:blank")
        self.page.goto(f"/map#{fragment}" if fragment else "/map")
        self.expect_state("ready")

    def expect_state(self, state: str) -> None:
        """Waits until the last load has ended."""
        expect(self._body).to_have_attribute("data-state", state)

    def expect_features(self, layer: str, number: int) -> None:
        """Waits until a layer has loaded a number of features."""
        expect(self._body).to_have_attribute(f"data-{layer}", str(number))
        self.expect_state("ready")

    def features(self, layer: str) -> int:
        """Returns the number of loaded features of a layer."""
        return int(self.hook(layer))

    def hook(self, name: str) -> str:
        """Returns a value that the page publishes for tests: `bbox`, `near` or a layer."""
        return self._body.get_attribute(f"data-{name}") or ""

    def expect_new_hook(self, name: str, former: str) -> str:
        """Waits until a published value has changed, and returns it."""
        expect(self._body).not_to_have_attribute(f"data-{name}", former)
        self.expect_state("ready")
        return self.hook(name)

    def show_layer(self, layer: str, shown: bool = True) -> None:
        """Clicks the box of a layer."""
        self.page.locator(f"input[name=layer][value={layer}]").set_checked(shown)

    def expect_still(self) -> None:
        """Waits until an animation of the map, which begins in the next frame, has ended."""
        self.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        expect(self.page.locator(".leaflet-zoom-anim, .leaflet-pan-anim")).to_have_count(0)

    def zoom(self, direction: str, times: int) -> None:
        """Presses the button `in` or `out`."""
        for _ in range(times):
            self.page.locator(f".leaflet-control-zoom-{direction}").click()
            self.expect_still()

    def show_circle(self, view: View, kilometers: int) -> None:
        """Opens a view with a circle at its center."""
        self.open(view.fragment)
        self.page.locator("#radius").select_option(str(kilometers))
        self.page.locator("#near").check()
        expect(self._body).not_to_have_attribute("data-near", "")
        self.expect_state("ready")
        self.expect_still()

    def circle(self) -> tuple[float, float, float]:
        """Returns the longitude, the latitude and the radius in kilometers of the requested circle."""
        longitude, latitude, kilometers = map(float, self.hook("near").split(","))
        return longitude, latitude, kilometers

    def open_hit(self, number: int = 0) -> Locator:
        """Opens a hit of the list with the keyboard, and returns its popup."""
        self.hits.nth(number).press("Enter")
        # A popup that closes fades away, and a popup that opens is invisible at first.
        expect(self.page.locator(".leaflet-popup")).to_have_count(1)
        expect(self.page.locator(".leaflet-popup")).to_have_css("opacity", "1")
        self.expect_still()
        return self.popup

    def close_popup(self) -> None:
        """Closes the popup with the keyboard."""
        self.page.keyboard.press("Escape")
        expect(self.page.locator(".leaflet-popup")).to_have_count(0)

    def open_calendar(self) -> Locator:
        """Opens the calendar of the first hit with the keyboard, and returns the cells of its days."""
        self.open_hit().locator(".open-calendar").press("Enter")
        days = self.page.locator("#calendar[open] td.day")
        expect(days.first).to_be_visible()
        return days

    def evaluate(self, script: str, argument: Any = None) -> Any:
        """Runs a script in the page."""
        return self.page.evaluate(script, argument)
