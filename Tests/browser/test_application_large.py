"""The application for a person with 100,000 events."""

import json
import sys
import time

import pytest
from application import NOON, check, entries, expect_saved
from application_records import LARGE_HABITS, write_large_records
from conftest import LoadStore, MakeVisitor, StopAtEnd
from habitat import Server
from playwright.sync_api import Page, expect

# The memory of the scripts of the page, in bytes.
MEMORY_LIMIT = 150_000_000


def memory(page: Page) -> int:
    """Returns the memory that the scripts of a page use, after the garbage is collected."""
    browser = page.context.new_cdp_session(page)
    browser.send("HeapProfiler.collectGarbage")
    used: float = browser.send("Runtime.getHeapUsage")["usedSize"]
    return int(used)


@pytest.mark.long
def test_person_with_100_000_events_records_day(load_store: LoadStore, stop_at_end: StopAtEnd, visit: MakeVisitor) -> None:
    """The copy has the latest days, Today opens from it, and the memory of the page stays small."""
    server = stop_at_end(Server(load_store(write_large_records)))
    page = visit(server, "me", timezone_id="UTC").context.new_page()
    page.clock.set_fixed_time(NOON)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url) if "/changes?" in request.url else None)
    began = time.monotonic()
    page.goto("/days")
    expect_saved(page)
    copied = time.monotonic() - began
    assert len(requests) <= 10
    page.evaluate("navigator.serviceWorker.ready")
    began = time.monotonic()
    page.reload()
    expect(check(page, f"Habit {LARGE_HABITS - 1}")).to_be_visible()
    opened = time.monotonic() - began
    check(page, "Habit 7").click()
    expect(check(page, "Habit 7")).to_be_checked()
    expect_saved(page)
    assert len(entries(server, "h7")) == 1
    used = memory(page)
    # `pytest -s` shows the measurements.
    figures = {"copy_s": round(copied, 2), "today_s": round(opened, 2), "memory_mb": round(used / 1e6, 1), "requests": len(requests)}
    print(json.dumps(figures), file=sys.stderr)
    assert used < MEMORY_LIMIT
