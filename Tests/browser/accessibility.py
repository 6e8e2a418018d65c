"""Checks pages with axe-core against WCAG 2.2 AA and the best practices of axe-core."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS = {"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"]}


def expect_to_fit(page: Page) -> None:
    """Checks that the page does not scroll sideways."""
    width, window = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert width <= window, f"{page.url} is {width} pixels wide in a window of {window} pixels"


def expect_no_violation(page: Page) -> None:
    """Checks the page as it is now. A document loads axe-core only once."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[dict[str, Any]] = page.evaluate("async options => (await axe.run(options)).violations", OPTIONS)
    assert found == [], f"{page.url}: {AxeResults({'violations': found}).generate_report()}"
