"""The one-time links, the account page and the passkeys of a person."""

import pytest
from conftest import LoadStore, MakeVisitor, Photograph, StopAtEnd
from habitat import Server, run_habitat
from playwright.sync_api import Page, expect
from small_store import write_small_records

# A security key in software, which always finds that the person is verified.
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


# Notes the requests for a signature. `dialog` stands for the default mediation.
RECORD = """
  const original = navigator.credentials.get.bind(navigator.credentials);
  window.passkeyRequests = [];
  navigator.credentials.get = options => {
    const response = original(options);
    window.passkeyRequests.push(options.mediation ?? 'dialog');
    return response;
  };
"""


class Authenticator:
    """A security key in software, which is connected to a page."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("WebAuthn.enable")
        added = self._session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
        self._id = added["authenticatorId"]

    def set_presence(self, is_present: bool) -> None:
        """Decides whether a person confirms later requests. Earlier ones keep waiting."""
        self._session.send(
            "WebAuthn.setAutomaticPresenceSimulation", {"authenticatorId": self._id, "enabled": is_present}
        )


def link(server: Server, user: str) -> str:
    """Makes a one-time link of a user, and returns its path."""
    arguments = ["invite", "--user", user, "--public-url", server.base]
    return run_habitat(*arguments, store=server.store.path).strip().removeprefix(server.base)


def test_link_signs_in_after_a_click_and_only_once(visit: MakeVisitor, small_server: Server) -> None:
    visitor = visit(small_server)
    path = link(small_server, "me")
    page = visitor.page(path)
    expect(page.get_by_text("Sign in as me?")).to_be_visible()
    assert "hbl_" not in page.url
    sign_in_by_link(page)
    visitor.expect_complaint("status of 401")
    again = visit(small_server)
    again.expect_complaint("status of 401")
    used = again.page(path)
    expect(used.get_by_role("alert")).to_contain_text("was used before")


@pytest.fixture
def account_server(load_store: LoadStore, stop_at_end: StopAtEnd) -> Server:
    """A server of its own for each test, since the tests change the account."""
    return stop_at_end(Server(load_store(write_small_records)))


def sign_in_by_link(page: Page) -> None:
    """Presses the button of the page of a link, and waits until the person is signed in."""
    page.get_by_role("button", name="Sign in as me", exact=True).click()
    expect(page.locator("header .person")).to_have_text("me")


def test_private_place_is_added_and_deleted(visit: MakeVisitor, account_server: Server) -> None:
    page = visit(account_server).page(link(account_server, "me"))
    sign_in_by_link(page)
    page.goto("/account")
    places = page.locator("#places")
    places.get_by_label("Name of the place").fill("home")
    places.get_by_label("Position").fill("-60, -100")
    places.get_by_role("button", name="Save the place").click()
    expect(places.get_by_role("status")).to_have_text("The place is saved.")
    expect(places.locator("strong")).to_have_text("home")
    places.get_by_role("button", name="Delete").click()
    expect(places).to_contain_text("You have no private place.")


@pytest.fixture
def passkey(visit: MakeVisitor, account_server: Server, photograph: Photograph) -> tuple[Page, Authenticator]:
    """A page that is not signed in, and a security key with the only passkey of a person."""
    page = visit(account_server).page(link(account_server, "me"))
    page.add_init_script(RECORD)
    authenticator = Authenticator(page)
    sign_in_by_link(page)
    page.goto("/account")
    page.locator("#passkey-label").fill("Laptop")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.locator("#passkeys strong")).to_have_text("Laptop")
    photograph(page, "account")
    # The home page of a visitor offers the passkey, too. Its request ends with the page, and may not sign the person in before.
    authenticator.set_presence(False)
    page.locator("header").get_by_role("button", name="Sign out").click()
    expect(page.locator("header").get_by_role("link", name="Sign in")).to_be_visible()
    expect_offer(page)
    page.goto("/healthz")
    return page, authenticator


def expect_offer(page: Page) -> None:
    """Waits until the browser offers the passkeys in the field."""
    page.wait_for_function("() => window.passkeyRequests.length === 1")


def open_sign_in(page: Page) -> None:
    """Opens the sign-in page, and waits until the browser offers the passkeys in the field."""
    page.goto("/sign-in?to=/account")
    expect_offer(page)
    expect(page.get_by_label("Passkey", exact=True)).to_be_visible()


def expect_sign_in(page: Page) -> None:
    """Waits until the passkey has opened the account page."""
    expect(page.locator("#passkeys .note")).to_contain_text("last used")


def test_passkey_signs_in_by_button(passkey: tuple[Page, Authenticator], photograph: Photograph) -> None:
    page, authenticator = passkey
    open_sign_in(page)
    photograph(page, "sign-in-passkey")
    authenticator.set_presence(True)
    # The browser permits one request at a time, so the page must end the request of the field first.
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect_sign_in(page)


def test_passkey_signs_in_by_autofill(passkey: tuple[Page, Authenticator]) -> None:
    page, authenticator = passkey
    authenticator.set_presence(True)
    page.goto("/sign-in?to=/account")
    expect_sign_in(page)


def test_passkey_is_removed(passkey: tuple[Page, Authenticator]) -> None:
    page, authenticator = passkey
    authenticator.set_presence(True)
    page.goto("/sign-in?to=/account")
    expect_sign_in(page)
    page.locator("#passkeys").get_by_role("button", name="Remove").click()
    expect(page.locator("#passkeys")).to_contain_text("You have no passkey.")


def test_autofill_gets_new_challenge_before_the_first_expires(passkey: tuple[Page, Authenticator]) -> None:
    page, authenticator = passkey
    page.clock.install()
    open_sign_in(page)
    authenticator.set_presence(True)
    with page.expect_response("**/sign-in/passkey/challenge"):
        page.clock.fast_forward("04:30")
    expect_sign_in(page)


def test_button_remains_after_canceled_dialog(passkey: tuple[Page, Authenticator]) -> None:
    page, authenticator = passkey
    open_sign_in(page)
    page.evaluate(
        "() => { navigator.credentials.get = () => Promise.reject(new DOMException('canceled', 'NotAllowedError')); }"
    )
    button = page.get_by_role("button", name="Sign in with a passkey")
    button.click()
    expect(page.locator("#passkey-problem")).to_contain_text("you canceled")
    expect(button).to_be_enabled()
    authenticator.set_presence(True)
    page.goto("/sign-in?to=/account")
    expect_sign_in(page)


def test_page_without_autofill_shows_only_button(passkey: tuple[Page, Authenticator]) -> None:
    page, authenticator = passkey
    authenticator.set_presence(True)
    page.add_init_script("PublicKeyCredential.isConditionalMediationAvailable = async () => false")
    page.goto("/sign-in?to=/account")
    expect(page.get_by_label("Passkey", exact=True)).to_be_hidden()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect_sign_in(page)
