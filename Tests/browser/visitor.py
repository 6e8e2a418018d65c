"""A person with a browser, and what the pages of the server may not do in it."""

import re
from typing import Any

from habitat import PATIENCE_SECONDS, Server
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request, WebError

# The schemes of addresses that cause no request over the network.
LOCAL = ("data:", "blob:", "about:", "chrome:", "chrome-error:")


class Visitor:
    """A browser with cookies of its own at a server.

    It collects complaints: errors and warnings in the console (such as reports of the Content-Security-Policy),
    exceptions, dialogs, and requests to other servers.
    """

    def __init__(self, browser: Browser, server: Server, **options: Any) -> None:
        self.server = server
        self.complaints: list[str] = []
        self._expected: list[re.Pattern[str]] = []
        options = {"viewport": {"width": 1280, "height": 820}, "base_url": server.base, **options}
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(PATIENCE_SECONDS * 1000)
        self.context.on("console", self._read_console)
        self.context.on("weberror", self._read_error)
        self.context.on("request", self._read_request)
        self.context.on("dialog", self._read_dialog)

    def expect_complaint(self, pattern: str) -> None:
        """Permits complaints that match a pattern, such as the status of a request that is refused."""
        self._expected.append(re.compile(pattern))

    def sign_in(self, user: str) -> None:
        """Opens a session with the access token of a user, or of the operator."""
        # A request that is not of a page has no Sec-Fetch-Site, so the origin shows where it comes from.
        headers = {"Origin": self.server.base}
        opened = self.context.request.post("/session", data={"token": self.server.token(user)}, headers=headers)
        assert opened.status == 201, opened.text()

    def page(self, path: str | None = None) -> Page:
        """Opens a tab."""
        page = self.context.new_page()
        if path is not None:
            page.goto(path)
        return page

    def close(self) -> None:
        """Closes the browser's tabs."""
        self.context.close()

    def _complain(self, text: str) -> None:
        if not any(pattern.search(text) for pattern in self._expected):
            self.complaints.append(text)

    def _read_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._complain(f"console: {message.text} at {message.location.get('url')}")

    def _read_error(self, error: WebError) -> None:
        self._complain(f"exception: {error.error}")

    def _read_dialog(self, dialog: Dialog) -> None:
        self._complain(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _read_request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.server.base}/", *LOCAL)):
            self._complain(f"request to another server: {request.url}")
