#!/usr/bin/python3
"""Tests the map page in Chromium with mouse and keyboard input.

    map_test.py BASE_URL --token TOKEN --expect FILE [--screenshots DIR] [--id-token JWT]

The script prints one line for each check, `ok NAME` or `FAILED NAME: reason`. The exit status is 1 if a check fails.
FILE contains the expected values as JSON:

    mine, friends   number of located events in the layers
    comment         {"text", "count"} in the history of the user
    habit           {"id", "count"}; default: the habit of the newest event and the count of the API
    dates           {"from", "to", "count"}; default: the count of the API from the day of the newest event
    near            {"lon", "lat", "radius_km", "count"} in the history of the user
    antimeridian    {"lon", "lat", "count"}: a view and the number of events across the antimeridian; optional
    moved           {"shift_right", "count"}: number of presses of Shift and the right arrow; optional
    hostile         {"text"}: a comment with markup in the history of the user
    calendar        {"habit", "days"}: number of cells in the calendar of a habit; optional

The ID token needs the claim `nonce`, which the page normally creates before it redirects to Google.
"""

import argparse
import base64
import json
import pathlib
import sys
import time
import traceback
import urllib.parse
import urllib.request

from selenium import webdriver
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

PATIENCE = 60
EVENTS = "/collections/located-events/items"


class Failed(Exception):
    pass


def expect(found, wanted, what):
    if found != wanted:
        raise Failed(f"{what}: {found!r} instead of {wanted!r}")


def expect_true(condition, what):
    if not condition:
        raise Failed(what)


class Server:
    """A client of the API, whose results the page must match."""

    def __init__(self, base, token):
        self.base = base.rstrip("/")
        self.token = token

    def get(self, path, **query):
        address = self.base + path + "?" + urllib.parse.urlencode(query)
        request = urllib.request.Request(address, headers={"Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            return json.load(response)

    def count(self, **query):
        """Returns the number of events in the history of the user."""
        path, parameters, count = EVENTS, {"scope": "mine", "limit": 1000, **query}, 0
        while True:
            page = self.get(path, **parameters)
            count += len(page["features"])
            following = [link["href"] for link in page.get("links", []) if link["rel"] == "next"]
            if not following:
                return count
            url = urllib.parse.urlsplit(following[0])
            path, parameters = url.path, dict(urllib.parse.parse_qsl(url.query))

    def newest(self):
        return max(self.get(EVENTS, scope="mine", limit=1000)["features"], key=lambda f: f["properties"]["day"])


class Page:
    def __init__(self, base, token):
        self.base = base.rstrip("/")
        self.token = token
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--window-size=1280,820", "--hide-scrollbars", "--lang=en-GB"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_page_load_timeout(PATIENCE)
        self.complaints = []

    def open(self, fragment="", token=True):
        """Loads the page as a user who has entered the token, or without a token."""
        self.driver.get("about:blank")
        self.driver.get(self.base + "/map/map.css")  # same origin, to access its sessionStorage
        self.script("sessionStorage.clear()")
        self.driver.delete_all_cookies()
        if token:
            self.script("sessionStorage.setItem('habitat.token', arguments[0])", self.token)
        self.go(fragment)

    def go(self, fragment=""):
        self.driver.get("about:blank")
        self.driver.get(self.base + "/map" + (f"#{fragment}" if fragment else ""))
        self.wait_until_loaded()

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def hook(self, name):
        return self.script("return document.body.dataset[arguments[0]]", name)

    def number(self, name):
        return int(self.hook(name) or 0)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def wait(self, condition, what):
        WebDriverWait(self.driver, PATIENCE, poll_frequency=0.05).until(lambda _: condition(), f"waited for {what}")

    def wait_until_loaded(self):
        """Waits until the page has loaded and does not reload because of a map movement. Returns its state."""
        states = []

        def is_settled():
            states.append(self.hook("state"))
            return len(states) > 2 and set(states[-3:]) in ({"ready"}, {"error"})

        self.wait(is_settled, "the page to be ready")
        return states[-1]

    def wait_until_ready(self):
        state = self.wait_until_loaded()
        expect(state, "ready", f"the page's state, with the message {self.find('#message').text!r}")

    def wait_until_still(self):
        """Waits until an animation of the map, which begins in the next frame, has ended."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))")
        self.wait(lambda: not self.all(".leaflet-zoom-anim, .leaflet-pan-anim"), "the map to stand still")

    def switch(self, layer, on):
        box = self.find(f"input[name=layer][value={layer}]")
        if box.is_selected() != on:
            box.click()
        self.wait_until_ready()

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def open_hit(self, number=0):
        """Opens a hit with the keyboard and returns the popup."""
        self.all("#hits button")[number].send_keys(Keys.ENTER)
        self.wait_until_still()
        # A popup that closes fades away, and a popup that opens is invisible at first.
        opacities = "return [...document.querySelectorAll('.leaflet-popup')].map(e => getComputedStyle(e).opacity).join()"
        self.wait(lambda: self.script(opacities) == "1", "one visible popup")
        return self.find(".leaflet-popup .popup")

    def emulate(self, width=None, height=None, dark=None):
        command = self.driver.execute_cdp_cmd
        if width:
            size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
            command("Emulation.setDeviceMetricsOverride", size)
        else:
            command("Emulation.clearDeviceMetricsOverride", {})
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        command("Emulation.setEmulatedMedia", {"features": scheme})

    def new_complaints(self):
        """Returns errors and violations of the security policy. Refused requests are expected without a token."""
        grave = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        grave = [message for message in grave if "status of 401" not in message and "/favicon.ico" not in message]
        self.complaints += grave
        return grave

    def close_alert(self):
        try:
            alert = self.driver.switch_to.alert
        except NoAlertPresentException:
            return False
        alert.dismiss()
        return True


class Checks:
    def __init__(self, page, server, expectations, screenshots, id_token):
        self.page = page
        self.server = server
        self.expectations = expectations
        self.screenshots = screenshots
        self.id_token = id_token
        self.failed = False

    def run(self):
        if self.screenshots:
            self.screenshots.mkdir(parents=True, exist_ok=True)
        self.check("page loads without errors in the console", self.loads)
        self.check("a wrong token is refused", self.wrong_token)
        self.check("sign in with a token", self.sign_in)
        self.check("my history", self.my_history)
        self.check("latest of friends", self.friends)
        self.check("items and posts", self.items_and_posts)
        self.check("filter by comment", self.comment)
        self.check("filter by habit", self.habit)
        self.check("filter by dates", self.dates)
        self.check("the request is limited to the visible box", self.view)
        self.check("the list has only the hits in the view", self.list_of_view)
        self.check("the visitor is summary that a part is missing", self.missing_part)
        self.check("circle", self.circle)
        self.check("circle moved with the keyboard", self.circle_by_keyboard)
        self.check("circle moved with the mouse", self.circle_by_mouse)
        self.check("a link shows the same again", self.link)
        self.check("popup from the list with the keyboard", self.popup)
        self.check("markup in a comment stays text", self.hostile)
        self.check("calendar of a habit", self.calendar)
        self.check("calendar of a friend's habit has the days that the friend shares", self.calendar_of_friend)
        self.check("base map shows land and sea", self.base_map)
        self.check("panel can be hidden", self.panel)
        self.check("narrow window", self.narrow)
        self.check("dark colours", self.dark)
        if self.id_token:
            self.check("an id_token that nobody asked for is refused", self.unasked_id_token)
            self.check("sign in with an id_token", self.sign_in_with_id_token)
        self.check("sign out", self.sign_out)
        self.check("no errors in the console after all this", self.console)
        return not self.failed

    def check(self, name, body):
        try:
            body()
            if self.page.close_alert():
                raise Failed("an alert was shown")
            print(f"ok {name}", flush=True)
        except Exception as error:  # later checks run after a failure
            self.failed = True
            self.page.close_alert()
            why = str(error).split("\nStacktrace")[0].strip() or type(error).__name__
            print(f"FAILED {name}: {' '.join(why.split())}", flush=True)
            if not isinstance(error, Failed):
                traceback.print_exc(file=sys.stderr)
        finally:
            self.page.new_complaints()
            self.page.emulate()

    def photograph(self, name):
        if not self.screenshots:
            return
        self.page.wait_until_still()
        self.page.driver.save_screenshot(str(self.screenshots / f"{name}.png"))

    def wanted(self, name, **query):
        """Returns the expected values, or the count of the API if none are given."""
        return self.expectations[name]["count"] if name in self.expectations else self.server.count(**query)

    # Sign-in

    def loads(self):
        self.page.new_complaints()
        self.page.open(token=False)
        expect(self.page.new_complaints(), [], "the console")
        expect_true(self.page.all("#map .leaflet-control-zoom"), "there is no map")

    def wrong_token(self):
        page = self.page
        page.open(token=False)
        self.paste("not-a-token")
        page.wait(lambda: page.script("return sessionStorage.getItem('habitat.token')") is None, "the token to be discarded")
        page.wait(lambda: page.find("#sign-in-message").text, "a message")
        expect_true(page.find("#sign-in").is_displayed(), "the sign-in form has gone")

    def sign_in(self):
        page = self.page
        page.open(token=False)
        expect_true(page.find("#sign-in").is_displayed(), "there is no sign-in form")
        self.paste(self.page.token)
        page.wait(lambda: page.find("#signed-in").is_displayed(), "the user's name")
        page.wait_until_ready()
        expect(page.find("#sign-in").is_displayed(), False, "the sign-in form is there")
        expect(page.find("#user").text, self.server.get("/session")["user"] or "Operator", "the user")
        expect_true(self.page.token not in page.driver.current_url, "the token is in the address")

    def paste(self, token):
        self.page.find("#token").send_keys(token)
        self.page.find("#sign-in button").click()

    def sign_in_with_id_token(self):
        page = self.page
        page.open(token=False)
        page.script("sessionStorage.setItem('habitat.nonce', arguments[0])", self.nonce())
        page.go(f"id_token={self.id_token}")
        page.wait(lambda: page.find("#signed-in").is_displayed(), "the user's name")
        page.wait_until_ready()
        expect_true("id_token" not in page.driver.current_url, "the id_token is in the address")
        kept = page.script("return JSON.stringify(sessionStorage) + JSON.stringify(localStorage)")
        expect_true(self.id_token not in kept, "the id_token is kept")

    def unasked_id_token(self):
        page = self.page
        page.open(f"id_token={self.id_token}", token=False)
        page.wait(lambda: page.find("#sign-in-message").text, "a message")
        expect(page.find("#signed-in").is_displayed(), False, "somebody is signed in")
        expect_true("id_token" not in page.driver.current_url, "the id_token is in the address")

    def nonce(self):
        claims = self.id_token.split(".")[1]
        return json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["nonce"]

    def sign_out(self):
        page = self.page
        page.open()
        page.find("#sign-out").click()
        page.wait(lambda: page.find("#sign-in").is_displayed(), "the sign-in form")
        page.wait_until_loaded()
        expect(page.script("return sessionStorage.getItem('habitat.token')"), None, "the kept token")
        expect(page.number("mine"), 0, "events after signing out")

    # Layers and filters

    def my_history(self):
        self.page.open()
        self.page.wait_until_ready()
        expect(self.page.number("mine"), self.expectations["mine"], "events")
        summary = self.page.find("#count").text
        expect_true(summary.startswith(f"{self.expectations['mine']:,} event"), f"the count is shown as {summary!r}")
        self.photograph("desktop")

    def friends(self):
        self.page.open()
        self.page.switch("mine", False)
        self.page.switch("friends", True)
        expect(self.page.number("friends"), self.expectations["friends"], "events")
        expect(self.page.number("mine"), 0, "events of a layer that is off")

    def items_and_posts(self):
        page = self.page
        page.open("layers=items,posts")
        page.wait_until_ready()
        for layer in ("items", "posts"):
            expect(page.number(layer), self.located(layer), layer)
        expect(page.number("events"), 0, "events")
        titles = [title.text for title in page.all("#hits .hit-title")]
        if self.expectations.get("untitled_post"):
            expect_true(self.expectations["untitled_post"] in titles, f"the titles are {titles}")

    def located(self, collection):
        found = self.server.get(f"/collections/{collection}/items", limit=1000)
        return sum(feature["geometry"] is not None for feature in found["features"])

    def comment(self):
        wanted = self.expectations["comment"]
        self.page.open()
        self.page.find("#comment").send_keys(wanted["text"])
        self.page.wait_until_ready()
        expect(self.page.number("mine"), wanted["count"], "events")

    def habit(self):
        habit = self.expectations.get("habit", {}).get("id") or self.server.newest()["properties"]["habit"]
        self.page.open()
        Select(self.page.find("#habit")).select_by_value(habit)
        self.page.wait_until_ready()
        expect(self.page.number("mine"), self.wanted("habit", habit=habit), "events")
        options = self.page.script(
            "return Array.from(document.querySelectorAll('#habit optgroup'),"
            "group => Array.from(group.children, option => option.textContent))")
        for titles in options:
            expect(len(set(titles)), len(titles), f"distinct names of the habits {titles}")
        self.page.find("#clear").click()
        self.page.wait_until_ready()
        expect(self.page.number("mine"), self.expectations["mine"], "events after clearing")

    def dates(self):
        dates = self.expectations.get("dates") or {"from": self.server.newest()["properties"]["day"]}
        self.page.open()
        for end in ("from", "to"):
            if end in dates:
                self.page.script(
                    "const field = document.getElementById(arguments[0]); field.value = arguments[1];"
                    "field.dispatchEvent(new Event('change', {bubbles: true}))", end, dates[end])
        self.page.wait_until_ready()
        span = f"{dates.get('from', '..')}/{dates.get('to', '..')}"
        expect(self.page.number("mine"), self.wanted("dates", datetime=span), f"events in {span}")

    # The view

    def view(self):
        """Checks that each view shows the events of its bounding box."""
        page, near = self.page, self.expectations["near"]
        page.open(f"map=13/{near['lat']}/{near['lon']}")
        page.wait_until_ready()
        box = page.hook("bbox")
        self.expect_events_in(box)
        expect_true(page.number("mine") < self.expectations["mine"], "the view shows the events of the whole world")
        expect_true("in this part of the map" in page.find("#count").text, "the count does not name the part")
        for _ in range(4):
            page.find(".leaflet-control-zoom-out").click()
            page.wait_until_still()
        page.wait(lambda: page.hook("bbox") != box, "a request for another box")
        page.wait_until_ready()
        self.expect_events_in(page.hook("bbox"))
        across = self.expectations.get("antimeridian")
        if across:
            page.open(f"map=9/{across['lat']}/{across['lon']}")
            page.wait_until_ready()
            expect(page.number("mine"), across["count"], "events across the antimeridian")
            inside = page.script(
                "const map = document.getElementById('map').getBoundingClientRect();"
                "return Array.from(document.querySelectorAll('.hit-icon'), icon => icon.getBoundingClientRect().x)"
                ".filter(x => x >= map.left && x <= map.right).length")
            expect(inside, across["count"], "markers across the antimeridian")

    def list_of_view(self):
        """Zooms into an area without hits that the first load covers."""
        if "empty_center" not in self.expectations:
            return
        page = self.page
        page.open()
        page.wait_until_ready()
        expect_true(page.all("#hits button"), "the list is empty")
        for _ in range(2):
            page.find(".leaflet-control-zoom-in").click()
            page.wait_until_still()
        page.wait(lambda: not page.all("#hits button"), "an empty list")
        expect(page.number("mine"), self.expectations["mine"], "loaded events")
        expect_true(page.find("#count").text.startswith("0 events"), f"the count is {page.find('#count').text!r}")

    def expect_events_in(self, box):
        expect_true(len(box.split(",")) == 4, f"the box is {box!r}")
        expect(self.page.number("mine"), self.server.count(bbox=box), f"events in {box}")

    def missing_part(self):
        """Checks the notice if the page receives more features than it shows."""
        page, command = self.page, self.page.driver.execute_cdp_cmd
        page.open()
        page.wait_until_ready()
        expect(page.find("#missing").is_displayed(), False, "a part is said to be missing")
        script = command("Page.addScriptToEvaluateOnNewDocument", {"source": """
            const send = window.fetch;
            window.fetch = async (...given) => {
              const response = await send(...given);
              if (!String(given[0]).startsWith('/collections/located-events/items') || !response.ok) return response;
              const page = await response.json();
              const copies = Array.from({ length: 5001 }, (_, index) => ({ ...page.features[0], id: `copy${index}` }));
              return new Response(JSON.stringify({ ...page, features: page.features.length ? copies : [] }));
            };"""})
        try:
            page.open()
            page.wait_until_ready()
            expect(page.number("mine"), 5000, "events")
            expect_true("at most 5,000 markers" in page.find("#missing").text, f"the note is {page.find('#missing').text!r}")
            self.photograph("missing-part")
        finally:
            command("Page.removeScriptToEvaluateOnNewDocument", script)

    # The circle

    def open_with_circle(self):
        """Enables the circle in the center of the map."""
        page, near = self.page, self.expectations["near"]
        page.open(f"map=13/{near['lat']}/{near['lon']}")
        Select(page.find("#radius")).select_by_value(str(near.get("radius_km", 5)))
        page.find("#near").click()
        page.wait_until_ready()
        page.wait_until_still()

    def circle(self):
        near = self.expectations["near"]
        self.open_with_circle()
        expect(self.page.number("mine"), near["count"], "events in the circle")
        lon, lat, _ = map(float, self.page.hook("near").split(","))
        expect_true(abs(lon - near["lon"]) < 1e-5 and abs(lat - near["lat"]) < 1e-5, f"the circle is at {lon}, {lat}")
        self.page.find("#near").click()
        self.page.wait_until_ready()
        self.expect_events_in(self.page.hook("bbox"))

    def circle_by_keyboard(self):
        page = self.page
        self.open_with_circle()
        before = page.hook("near")
        page.script("document.getElementById('circle-handle').focus()")
        page.press(Keys.ARROW_UP)
        page.wait_until_ready()
        self.expect_moved(before)
        expect(page.script("return document.activeElement.id"), "circle-handle", "the focus")
        page.press(Keys.ARROW_DOWN)
        page.wait_until_ready()
        moved = self.expectations.get("moved", {})
        before = page.hook("near")
        for _ in range(moved.get("shift_right", 1)):
            ActionChains(page.driver).key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT).key_up(Keys.SHIFT).perform()
        page.wait_until_ready()
        self.expect_moved(before)
        if "count" in moved:
            expect(page.number("mine"), moved["count"], "events in the circle that was moved")

    def circle_by_mouse(self):
        page = self.page
        self.open_with_circle()
        before, count = page.hook("near"), page.number("mine")
        handle = page.find("#circle-handle")
        ActionChains(page.driver).click_and_hold(handle).move_by_offset(40, 60).move_by_offset(120, 90).release().perform()
        page.wait(lambda: page.hook("near") != before, "another circle")
        page.wait_until_ready()
        self.expect_moved(before)
        expect_true(count == 0 or page.number("mine") != count, f"there are still {count} events")

    def expect_moved(self, before):
        """Checks that the page requests the moved circle and shows the events of the API."""
        now = self.page.hook("near")
        expect_true(now != before, "the circle is where it was")
        lon, lat, km = now.split(",")
        expect(self.page.number("mine"), self.server.count(near=f"{lon},{lat}", within=f"{km}km"), f"events near {now}")

    def link(self):
        page = self.page
        self.open_with_circle()
        Select(page.find("#habit")).select_by_index(1)
        page.wait_until_ready()
        address, count, near = page.driver.current_url, page.number("mine"), page.hook("near")
        expect_true(page.token not in address, "the token is in the address")
        page.go(address.split("#")[1])
        page.wait_until_ready()
        expect(page.number("mine"), count, "events")
        expect(page.find("#near").is_selected(), True, "the circle's switch")
        apart = [abs(float(one) - float(other)) for one, other in zip(page.hook("near").split(","), near.split(","))]
        expect_true(max(apart) < 1e-4, f"the circle is at {page.hook('near')} instead of {near}")
        page.wait(lambda: page.driver.current_url == address, f"the address {address}, not {page.driver.current_url}")

    # Popups

    def popup(self):
        page, wanted = self.page, self.expectations["comment"]
        page.open()
        page.find("#comment").send_keys(wanted["text"])
        page.wait_until_ready()
        popup = page.open_hit()
        expect_true(wanted["text"].casefold() in popup.text.casefold(), f"the popup says {popup.text!r}")
        in_popup = page.script("return document.activeElement.closest('.leaflet-popup') !== null")
        expect_true(in_popup, "the focus is elsewhere")
        self.photograph("popup")
        page.press(Keys.ESCAPE)
        page.wait(lambda: page.script("return document.activeElement.closest('#hits') !== null"), "the focus to come back")
        for number in range(1, min(5, len(page.all("#hits button")))):
            expect_true(page.open_hit(number).text, "an empty popup")
            page.press(Keys.ESCAPE)
            page.wait(lambda: not page.all(".leaflet-popup"), "the popup to close")

    def hostile(self):
        page, text = self.page, self.expectations["hostile"]["text"]
        page.open()
        page.find("#comment").send_keys(text)
        page.wait_until_ready()
        expect_true(page.number("mine") > 0, "no event has this comment")
        popup = page.open_hit()
        expect_true(text in popup.text, f"the popup says {popup.text!r}")
        expect_true(text in page.find("#hits").text, "the list does not say it")
        expect(len(page.all("img[src=x]")), 0, "images out of the comment")
        expect(page.close_alert(), False, "an alert was shown")

    def calendar(self):
        page = self.page
        wanted = self.expectations.get("calendar", {})
        habit = wanted.get("habit") or self.server.newest()["properties"]["habit"]
        page.open(f"habit={habit}")
        page.wait_until_ready()
        page.open_hit().find_element(By.CSS_SELECTOR, ".open-calendar").send_keys(Keys.ENTER)
        page.wait(lambda: page.all("dialog[open] td.day"), "the calendar")
        days = self.server.get("/reports/calendar", habit=habit, weeks=13, f="json")
        cells = page.script(
            "return Array.from(document.querySelectorAll('#calendar td.day'),"
            "cell => [cell.dataset.day, cell.dataset.outcome, cell.innerText.trim(), cell.closest('tr').rowIndex])")
        expect(len(cells), wanted.get("days", len(days)), "days")
        expect(sorted((day, outcome) for day, outcome, _, _ in cells),
               sorted((day["day"], day["outcome"]) for day in days), "the outcomes")
        for day, _, words, row in cells:
            weekday = time.strptime(day, "%Y-%m-%d").tm_wday
            expect(row, weekday + 1, f"the row of {day}")
            expect_true(words, f"{day} has no words")
        self.photograph("calendar")
        page.press(Keys.ESCAPE)
        page.wait(lambda: not page.all("dialog[open]"), "the dialog to close")

    def calendar_of_friend(self):
        page = self.page
        page.open("layers=friends")
        page.wait_until_ready()
        page.open_hit().find_element(By.CSS_SELECTOR, ".open-calendar").send_keys(Keys.ENTER)
        page.wait(lambda: page.all("dialog[open] td.day"), "the calendar")
        hit = self.server.get(EVENTS, scope="friends", limit=1000)["features"]
        user = hit[0]["properties"]["user"]
        cells = page.script("return Array.from(document.querySelectorAll('#calendar td.day'), cell => cell.dataset.day)")
        shared = [self.server.get("/collections/events/items", scope="all", habit=feature["properties"]["habit"], limit=91)
                  for feature in hit]
        days = [sorted(feature["properties"]["day"] for feature in found["features"]) for found in shared]
        expect_true(sorted(cells) in days, f"the calendar has the days {sorted(cells)}")
        expect_true(f"Days that {user} shares" in page.find("#calendar-note").text, "the note does not name the owner")
        page.press(Keys.ESCAPE)
        page.wait(lambda: not page.all("dialog[open]"), "the dialog to close")

    # The background

    def base_map(self):
        page = self.page

        def opacity():
            """Returns the opacity of the lowest canvas in the center of the map, from 0 to 255."""
            return page.script(
                "const canvas = document.querySelector('canvas.background');"
                "return canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data[3]")

        page.open("map=6/48.5/10")
        page.wait(lambda: opacity() == 255, "land")
        self.photograph("base-map")
        page.go("map=6/30/-40")
        page.wait(lambda: page.script("return performance.getEntriesByName(location.origin + '/map/world-fine.js').length"),
                  "the base map")
        page.wait_until_still()
        expect(opacity(), 0, "the opacity at sea")

    # The window

    def panel(self):
        page = self.page
        page.open()
        width = page.find("#map").size["width"]
        page.find("#toggle-panel").click()
        page.wait(lambda: page.find("#map").size["width"] > width, "a wider map")
        expect(page.find("#panel").is_displayed(), False, "the panel is there")
        page.find("#toggle-panel").click()
        expect(page.find("#panel").is_displayed(), True, "the panel is there")

    def narrow(self):
        page = self.page
        page.emulate(360, 740)
        page.open("layers=mine,friends,items,posts")
        page.wait_until_ready()
        expect(page.script("return innerWidth"), 360, "the window's width")
        expect_true(page.script("return document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways")
        self.photograph("narrow")
        page.open_hit()
        inside = page.script(
            "const box = document.querySelector('.leaflet-popup').getBoundingClientRect();"
            "return box.left >= 0 && box.right <= innerWidth")
        expect_true(inside, "the popup is cut off")
        self.photograph("narrow-popup")

    def dark(self):
        page = self.page
        page.emulate(dark=True)
        page.open("layers=mine,friends,items,posts")
        page.wait_until_ready()
        color = page.script("return getComputedStyle(document.getElementById('panel')).backgroundColor")
        expect_true(max(int(part) for part in color[4:-1].split(",")) < 80, f"the panel is {color}")
        self.photograph("dark")

    def console(self):
        expect(sorted(set(self.page.complaints)), [], "the console")


def main():
    parser = argparse.ArgumentParser(description="Looks at the map page in Chromium.")
    parser.add_argument("base_url")
    parser.add_argument("--token", required=True)
    parser.add_argument("--expect", required=True, type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path)
    parser.add_argument("--id-token")
    arguments = parser.parse_args()
    expectations = json.loads(arguments.expect.read_text())
    page = Page(arguments.base_url, arguments.token)
    try:
        server = Server(arguments.base_url, arguments.token)
        good = Checks(page, server, expectations, arguments.screenshots, arguments.id_token).run()
    finally:
        page.driver.quit()
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
