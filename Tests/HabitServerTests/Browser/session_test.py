#!/usr/bin/python3
"""Tests the session of a browser in Chromium, without a script and with the map page.

    session_test.py BASE_URL TOKEN DOWNLOADS

The script prints one line for each check, `ok NAME` or `FAILED NAME: reason`. The exit status is 1 if a check fails. TOKEN is an access token
of the user `me`, who has the event `w1`. DOWNLOADS is a folder for downloaded files.
"""

import base64
import pathlib
import sys
import time
import traceback
import urllib.request

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

PATIENCE = 60
LIST = "/collections/events/items"
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


def expect(found, wanted, what):
    if found != wanted:
        raise AssertionError(f"{what}: {found!r} instead of {wanted!r}")


class Browser:
    def __init__(self, base, downloads, script):
        self.base = base
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,820"]:
            options.add_argument(argument)
        preferences = {"download.default_directory": downloads}
        if not script:
            preferences["profile.managed_default_content_settings.javascript"] = 2
        options.add_experimental_option("prefs", preferences)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_page_load_timeout(PATIENCE)

    def open(self, path):
        self.driver.get(self.base + path)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def wait(self, condition, what):
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"waited for {what}")
            time.sleep(0.05)

    @property
    def path(self):
        return self.driver.current_url.removeprefix(self.base)

    def sign_in(self, token):
        """Opens the list, follows the link to the sign-in and sends the form."""
        self.open(LIST)
        self.find("main a[href*='/sign-in']").click()
        self.wait(lambda: self.path.startswith("/sign-in"), "the sign-in")
        self.find("#token").send_keys(token)
        self.find("form.sign-in button").click()


class Checks:
    def __init__(self, base, token, downloads):
        self.base, self.token, self.downloads = base, token, pathlib.Path(downloads)
        self.downloads.mkdir()
        request = urllib.request.Request(
            base + LIST + "/w1/photo", data=PIXEL, method="PUT",
            headers={"Authorization": f"Bearer {token}", "Content-Type": "image/png"})
        urllib.request.urlopen(request, timeout=PATIENCE)
        self.plain = Browser(base, downloads, script=False)
        self.browser = Browser(base, downloads, script=True)

    def wrong_token_is_explained_without_script(self):
        self.plain.sign_in("hbt_wrong")
        self.plain.wait(lambda: self.plain.all("[role=alert]"), "the reason")
        expect(self.plain.driver.get_cookies(), [], "cookies")

    def sign_in_leads_back_without_script(self):
        self.plain.sign_in(self.token)
        self.plain.wait(lambda: self.plain.path == LIST, "the list")
        expect(self.plain.find(".person").text, "me", "the person")
        expect(len(self.plain.all("tbody tr")), 1, "rows")
        cookie = self.plain.driver.get_cookies()[0]
        expect((cookie["httpOnly"], cookie["sameSite"], cookie["name"]), (True, "Lax", "habitat"), "the cookie")

    def sign_out_without_script(self):
        self.plain.find("header form button").click()
        self.plain.wait(lambda: self.plain.path == "/", "the landing page")
        expect(self.plain.driver.get_cookies(), [], "cookies")
        self.plain.open(LIST)
        expect(len(self.plain.all("main a[href*='/sign-in']")), 1, "links to the sign-in")

    def list_shows_photo(self):
        self.browser.sign_in(self.token)
        self.browser.wait(lambda: self.browser.path == LIST, "the list")
        width = "return document.querySelector('td img')?.naturalWidth"
        self.browser.wait(lambda: self.browser.driver.execute_script(width) == 1, "the photo")

    def photo_opens(self):
        self.browser.open(LIST + "/w1/photo")
        expect(self.browser.driver.execute_script("return document.querySelector('img')?.naturalWidth"), 1, "width")

    def download_is_saved(self):
        self.browser.open("/collections")
        self.browser.driver.get(self.base + LIST + "/w1/photo?download")
        self.browser.wait(lambda: any(f.suffix != ".crdownload" and f.stat().st_size for f in self.downloads.iterdir()), "the file")

    def map_shows_events(self):
        self.browser.open("/map")
        state = "return document.body.dataset.state"
        self.browser.wait(lambda: self.browser.driver.execute_script(state) == "ready", "the map")
        expect(self.browser.find("#user").text, "me", "the person")
        expect(self.browser.driver.execute_script("return document.body.dataset.mine"), "1", "events")
        expect(self.browser.driver.execute_script("return document.cookie + JSON.stringify(sessionStorage)"), "{}", "secrets")

    def stream_sends_change(self):
        driver = self.browser.driver
        driver.execute_script(
            "window.changes = []; window.stream = new EventSource('changes/stream');"
            "stream.addEventListener('change', event => changes.push(event.data));")
        self.browser.wait(lambda: driver.execute_script("return stream.readyState") == 1, "the stream")
        time.sleep(1.5)
        driver.execute_script(
            "fetch('collections/events/items/w1', {method: 'PATCH', headers: {'Content-Type': 'application/json'},"
            " body: JSON.stringify({comment: 'Sun'})}).then(answer => { window.status = answer.status })")
        self.browser.wait(lambda: driver.execute_script("return changes.length"), "the change")
        change = driver.execute_script("return changes[0]")
        expect("w1" in change, True, f"the change {change}")
        driver.execute_script("stream.close()")

    def policy_is_kept(self):
        lines = [line["message"] for line in self.browser.driver.get_log("browser")]
        expect([line for line in lines if "Content Security Policy" in line or "Permissions" in line], [], "reports")

    def run(self):
        failed = False
        names = ["wrong_token_is_explained_without_script", "sign_in_leads_back_without_script", "sign_out_without_script",
                 "list_shows_photo", "photo_opens", "download_is_saved", "map_shows_events", "stream_sends_change",
                 "policy_is_kept"]
        for name in names:
            try:
                getattr(self, name)()
                print("ok", name)
            except Exception as error:
                failed = True
                print(f"FAILED {name}: {error!r}")
                traceback.print_exc()
        self.plain.driver.quit()
        self.browser.driver.quit()
        return failed


if __name__ == "__main__":
    sys.exit(1 if Checks(*sys.argv[1:]).run() else 0)
