"""What a page of another site can do with the session of a person who is signed in.

A link opens a page for the person. Everything else must neither read the person's records nor act for the person. The
server refuses it with 403, or with 401 if the browser sends no cookie.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from conftest import MakeVisitor
from habitat import LoggedRequest, Server
from playwright.sync_api import Page, expect
from sites import OtherSite, Relation
from visitor import Visitor

LIST = "/collections/events/items"
PHOTO = "/collections/events/items/w1/photo"
# The names of the paths in the access log.
ROUTES = {LIST: "/collections/{collection}/items", PHOTO: "/collections/{collection}/items/{featureId}/photo"}


@pytest.fixture(scope="module")
def other_site() -> Iterator[OtherSite]:
    """A site that is not the server's."""
    site = OtherSite()
    yield site
    site.stop()


@pytest.fixture(params=Relation, ids=[relation.value for relation in Relation])
def relation(request: pytest.FixtureRequest) -> Relation:
    """The relation of the other site to the server."""
    relation: Relation = request.param
    return relation


@pytest.fixture
def visitor(visit: MakeVisitor, photo_server: Server) -> Visitor:
    """A person who is signed in."""
    visitor = visit(photo_server, "me")
    # The pages of the other site may fail.
    visitor.expect_complaint("")
    return visitor


@pytest.fixture
def page(visitor: Visitor, other_site: OtherSite, relation: Relation) -> Page:
    """A page of the other site, in the browser of the person."""
    return visitor.page(other_site.address(relation))


def expect_person(page: Page) -> None:
    """Waits until a page of the server names the person."""
    expect(page.locator("header .person")).to_have_text("me")


# What works: the person opens a page


WAYS_TO_OPEN = [
    "url => { location.assign(url) }",
    "url => { document.body.innerHTML = `<a href='${url}'>link</a>`; document.querySelector('a').click() }",
    "url => { document.body.innerHTML = `<form action='${url}'></form>`; document.querySelector('form').submit() }",
    "url => { document.head.innerHTML = `<meta http-equiv=refresh content='0;url=${url}'>` }",
]


def test_person_opens_page(page: Page, photo_server: Server) -> None:
    other_page = page.url
    for script in WAYS_TO_OPEN:
        page.goto(other_page)
        page.evaluate(script, photo_server.base + LIST)
        expect_person(page)
        expect(page.locator("tbody tr").first).to_be_visible()


def test_opened_window_is_cut_off(page: Page, visitor: Visitor, photo_server: Server) -> None:
    with visitor.context.expect_page() as opened:
        page.evaluate("url => { window.opened = window.open(url) }", photo_server.base + LIST)
    expect_person(opened.value)
    assert opened.value.evaluate("window.opener") is None
    page.wait_for_function("() => window.opened.closed")


def test_person_downloads_own_data(page: Page, photo_server: Server) -> None:
    with page.expect_download() as download:
        page.evaluate("url => { location.assign(url) }", f"{photo_server.base}{PHOTO}?download")
    assert download.value.path().read_bytes().startswith(b"\x89PNG")


# What does not work


@dataclass(frozen=True)
class Attempt:
    """A request that a page of another site causes."""

    name: str
    script: str
    path: str = LIST
    # A page cannot read an opaque response, but learns that there is one.
    outcome: str = "refused"


def element(tag: str, attribute: str, path: str = LIST, **others: str) -> Attempt:
    """Loads a resource with an element."""
    rest = "".join(f"element.{name} = {value!r};" for name, value in others.items())
    script = f"""url => new Promise(done => {{
      const element = document.createElement({tag!r});
      element.onload = element.onloadeddata = () => done('loaded');
      element.onerror = () => done('refused');
      {rest}
      element.{attribute} = url;
      document.body.append(element);
    }})"""
    return Attempt(f"{tag} {others.get('rel', '')}".strip(), script, path)


def fetch(name: str, options: str, path: str = LIST, outcome: str = "refused") -> Attempt:
    """Sends a request with the cookie."""
    script = f"""url => fetch(url, {{ credentials: 'include', {options} }})
      .then(response => response.type === 'opaque' ? 'opaque' : 'loaded', () => 'refused')"""
    return Attempt(f"fetch {name}", script, path, outcome)


def worker(way: str) -> Attempt:
    """Sends a request from a worker of the other site."""
    script = f"""url => new Promise(done => {{
      const worker = new Worker('/worker.js');
      worker.onmessage = ({{ data }}) => done(data);
      worker.postMessage([{way!r}, url]);
    }})"""
    return Attempt(f"worker {way}", script)


READS = [
    element("img", "src", PHOTO),
    element("script", "src"),
    element("link", "href", rel="stylesheet"),
    element("video", "src", PHOTO),
    element("audio", "src", PHOTO),
    fetch("of a list", ""),
    fetch("of an opaque list", "mode: 'no-cors'", outcome="opaque"),
    fetch("of the changes", "", "/changes"),
    worker("import"),
    worker("fetch"),
    Attempt(
        "event stream",
        """url => new Promise(done => {
          const stream = new EventSource(url, { withCredentials: true });
          stream.onopen = () => done('loaded');
          stream.onerror = () => { stream.close(); done('refused'); };
        })""",
        "/changes/stream",
    ),
]


def answer(server: Server, mark: int, method: str, path: str) -> LoggedRequest:
    """Waits for the server's answer to a request after a mark."""
    route = ROUTES.get(path, path)
    return server.log.wait(mark, lambda request: (request.method, request.route) == (method, route))


def expected_status(relation: Relation) -> int:
    """The browser sends the cookie only within a site (SameSite=Lax)."""
    return 401 if relation is Relation.CROSS_SITE else 403


def test_other_site_reads_nothing(page: Page, photo_server: Server, relation: Relation) -> None:
    for attempt in READS:
        page.reload()
        mark = photo_server.mark()
        outcome = page.evaluate(attempt.script, photo_server.base + attempt.path)
        assert outcome == attempt.outcome, attempt.name
        answered = answer(photo_server, mark, "GET", attempt.path)
        assert (answered.status, answered.user) == (expected_status(relation), None), attempt.name


# A frame is loaded in every case, so its content is compared and not its event.
FRAMES = [("iframe", "src"), ("embed", "src"), ("object", "data")]
ADD_FRAME = """([tag, attributes]) => {
  const element = document.createElement(tag);
  element.onload = element.onerror = () => { window.hasFrame = true; };
  document.body.append(Object.assign(element, attributes));
}"""


def test_other_site_frames_no_page(page: Page, photo_server: Server, relation: Relation) -> None:
    for tag, attribute in FRAMES:
        page.reload()
        mark = photo_server.mark()
        attributes = {attribute: photo_server.base + LIST}
        page.evaluate(ADD_FRAME, [tag, attributes])
        answered = answer(photo_server, mark, "GET", LIST)
        assert (answered.status, answered.user) == (expected_status(relation), None), tag
        # Before, the frame is empty, or changes while its content is read.
        page.wait_for_function("() => window.hasFrame")
        assert all("walk" not in frame.content() for frame in page.frames), tag


def test_other_site_starts_no_worker_of_server(page: Page, photo_server: Server) -> None:
    script_address = photo_server.file("map.js")
    mark = photo_server.mark()
    script = "url => { try { new Worker(url); return 'loaded' } catch { return 'refused' } }"
    assert page.evaluate(script, script_address) == "refused"
    photo_server.mark()
    assert {request.route for request in photo_server.log.since(mark)} == {"/healthz"}


CHANGE = '{"changes":[{"op":"delete","collection":"events","id":"w1"}]}'
WRITES = [
    fetch("of a change", f"method: 'POST', body: {CHANGE!r}", "/changes"),
    fetch("of an opaque change", f"method: 'POST', mode: 'no-cors', body: {CHANGE!r}", "/changes", outcome="opaque"),
    fetch("of a session", "method: 'POST', mode: 'no-cors', body: '{\"token\":\"x\"}'", "/session", outcome="opaque"),
    Attempt("beacon", f"url => navigator.sendBeacon(url, {CHANGE!r}) ? 'opaque' : 'refused'", "/changes", "opaque"),
]


def test_other_site_sends_no_change(page: Page, photo_server: Server, relation: Relation) -> None:
    for attempt in WRITES:
        page.reload()
        mark = photo_server.mark()
        assert page.evaluate(attempt.script, photo_server.base + attempt.path) == attempt.outcome, attempt.name
        answered = answer(photo_server, mark, "POST", attempt.path)
        # A request that would open a session is refused without a cookie, too.
        status = 403 if attempt.path == "/session" else expected_status(relation)
        assert (answered.status, answered.user) == (status, None), attempt.name
        expect_unchanged(photo_server)


def test_other_site_may_not_even_send_other_methods(page: Page, photo_server: Server) -> None:
    for method in ["PUT", "PATCH", "DELETE"]:
        mark = photo_server.mark()
        attempt = fetch(method, f"method: {method!r}, body: '{{}}'", f"{LIST}/w1")
        assert page.evaluate(attempt.script, photo_server.base + attempt.path) == "refused", method
        photo_server.mark()
        sent = [request for request in photo_server.log.since(mark) if request.route != "/healthz"]
        assert {request.method for request in sent} <= {"OPTIONS"}, method
        expect_unchanged(photo_server)


def expect_unchanged(server: Server) -> None:
    """Checks that the event that every attempt aims at is there."""
    assert server.client("me").status(f"{LIST}/w1") == 200


@dataclass(frozen=True)
class Form:
    """A form of another site, which replaces its page by the answer."""

    path: str
    fields: dict[str, str]
    # The status of the answer, by the relation of the site.
    statuses: dict[Relation, int]


FORMS = [
    # The page would sign the person in as another user.
    Form("/sign-in", {"token": "FRIEND", "to": "/"}, {Relation.CROSS_SITE: 403, Relation.SAME_SITE: 403}),
    # Without a cookie there is no session to end, so the answer leads home.
    Form("/sign-out", {}, {Relation.CROSS_SITE: 303, Relation.SAME_SITE: 403}),
    Form("/changes", {"changes": "[]"}, {Relation.CROSS_SITE: 401, Relation.SAME_SITE: 403}),
]


ENCODINGS = ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data"]
SEND_FORM = """([action, enctype, fields]) => {
  const form = Object.assign(document.createElement('form'), { method: 'post', action, enctype });
  for (const [name, value] of Object.entries(fields)) {
    form.append(Object.assign(document.createElement('input'), { name, value }));
  }
  document.body.append(form);
  form.submit();
}"""


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.path)
def test_form_of_other_site_is_refused(
    page: Page, visitor: Visitor, photo_server: Server, relation: Relation, form: Form
) -> None:
    friend = photo_server.token("friend")
    fields = {name: friend if value == "FRIEND" else value for name, value in form.fields.items()}
    other_page = page.url
    list_of_person = visitor.page()
    for encoding in ENCODINGS:
        page.goto(other_page)
        mark = photo_server.mark()
        page.evaluate(SEND_FORM, [photo_server.base + form.path, encoding, fields])
        answered = answer(photo_server, mark, "POST", form.path)
        # A form of another encoding is refused because of its encoding.
        is_readable = form.path != "/sign-in" or encoding == ENCODINGS[0]
        assert answered.status == (form.statuses[relation] if is_readable else 415), encoding
        # A navigation that has not ended would interrupt the next one.
        expect(page).not_to_have_url(other_page)
        # The person is still signed in.
        list_of_person.goto(LIST)
        expect_person(list_of_person)
