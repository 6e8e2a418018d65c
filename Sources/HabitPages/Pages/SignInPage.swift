import HTTPServing
import HabitAPI
import Rendering

/// The page with the form of the sign-in.
struct SignInPage {
    /// The page to which the sign-in leads.
    let target: OwnPath
    /// The reason for which a sign-in was refused; `nil` before a sign-in.
    let problem: Problem?
    /// The sentence after a change that leads to the sign-in; `nil` for none.
    let notice: String?
    /// The domain for which passkeys are valid; `nil` if the server has no passkeys.
    let passkeyDomain: String?
    /// The issuers with which a person can sign in.
    let issuers: [IssuerSignIn.Offer]
    /// Whether the server mails one-time links.
    let mailsLinks: Bool

    /// Returns the page.
    func page(_ site: PageSite) -> WebPage {
        var page = WebPage(title: PageText.Frame.signIn)
        page.trail = WebPage.Link.links(of: .home, base: site.base)
        page.scripts = (passkeyDomain == nil ? [] : ["passkey.js"]) + Self.scripts(site)
        page.content = alert(site) + known(site) + passkey(site) + issuerLinks + links(site) + form(site)
        return page
    }

    /// The script that notes for the application that another person may sign in.
    static func scripts(_ site: PageSite) -> [String] {
        site.hasApplication ? ["sign-in.js"] : []
    }

    private func alert(_ site: PageSite) -> HTML {
        if let notice { return "<p class=\"done\" role=\"status\">\(notice)</p>\n" }
        guard let problem else { return "" }
        // A person who is signed in stays so, for example if another way to sign in could not be added.
        let isSignedIn = site.visit.caller != .nobody
        let effect = isSignedIn ? PageText.SignIn.unchanged : PageText.SignIn.signedOut
        return "<p class=\"problem\" role=\"alert\">\(effect). \(isolated: problem.explanation)</p>\n"
    }

    /// The way on for a person who is signed in.
    private func known(_ site: PageSite) -> HTML {
        guard let name = site.visit.caller.personName, problem == nil else { return "" }
        return """
            <p>\(PageText.SignIn.signedIn(name)) <a href="\(site.root)\(target.text)">\(PageText.SignIn.proceed)</a></p>
            \(SignInLinkPage.deviceForm(site))
            """
    }

    private var issuerLinks: HTML {
        var links: HTML = ""
        for issuer in issuers {
            let name = PageText.SignIn.issuer(issuer.name)
            links += "<p><a class=\"issuer\" href=\"\(issuer.address)\">\(name)</a></p>\n"
        }
        return links
    }

    /// The ways to sign in with a one-time link.
    private func links(_ site: PageSite) -> HTML {
        let mail = mailsLinks ? SignInLinkPage.mailForm(site) : ""
        return mail + "<p><a href=\"\(site.root)\(SignInLinks.path)\">\(PageText.SignIn.useCode)</a></p>\n"
    }

    /// The button for passkeys and the field in which the browser offers them.
    ///
    /// The script `passkey.js` shows the button if the browser has passkeys, and the field if the browser offers them in
    /// its autofill.
    private func passkey(_ site: PageSite) -> HTML {
        guard let passkeyDomain else { return "" }
        return """
            <div id="passkey" data-domain="\(passkeyDomain)" data-target="\(site.root)\(target.text)" hidden>
            <button type="button" id="passkey-sign-in">\(PageText.SignIn.withPasskey)</button>
            <p class="problem" id="passkey-problem" role="alert" hidden></p>
            <form class="sign-in" id="passkey-autofill" hidden>
            <label for="passkey-user">\(PageText.SignIn.passkey)</label>
            <input id="passkey-user" autocomplete="username webauthn" spellcheck="false" \
            aria-describedby="passkey-user-hint">
            <p class="note" id="passkey-user-hint">\(PageText.SignIn.passkeyHint)</p>
            </form>
            </div>

            """
    }

    private func form(_ site: PageSite) -> HTML {
        let isOpen: HTML = issuers.isEmpty ? " open" : ""
        return """
            <details\(isOpen)>
            <summary>\(PageText.SignIn.useToken)</summary>
            <form class="sign-in" method="post" action="\(site.root)/sign-in">
            <input type="hidden" name="to" value="\(target.text)">
            <label for="token">\(PageText.SignIn.token)</label>
            <input id="token" name="token" type="password" maxlength="200" autocomplete="off" spellcheck="false" \
            aria-describedby="token-hint" required>
            <p class="note" id="token-hint">\(PageText.SignIn.tokenHint)</p>
            <button type="submit">\(PageText.Frame.signIn)</button>
            </form>
            </details>

            """
    }
}
