import HTTPServing
import HabitAPI
import Rendering

/// The pages of one-time links.
struct SignInLinkPage {
    /// The content of a page.
    enum Content {
        /// The form for the code of a link, with the reason for which a link was refused.
        case code(Problem?)
        /// The form that confirms the sign-in as the user of a link.
        case confirmation(name: String, code: String)
        /// A new link for another device.
        case madeLink(address: String)
        /// The confirmation of a request for a link by mail, which is the same for all addresses.
        case mailed
        /// The reason for which no link was made.
        case refused(Problem)
    }

    let content: Content

    /// Returns the page.
    func page(_ site: PageSite) -> WebPage {
        var page = WebPage(title: title)
        page.trail = WebPage.Link.links(of: .home, base: site.base)
        page.content = body(site)
        page.scripts = scripts(site)
        return page
    }

    private func scripts(_ site: PageSite) -> [String] {
        switch content {
        // The script of the link leaves the page, so it is the last one.
        case .code(nil): SignInPage.scripts(site) + ["link.js"]
        case .code: SignInPage.scripts(site)
        // The page with the code comes before the confirmation.
        case .confirmation, .madeLink, .mailed, .refused: []
        }
    }

    private var title: String {
        switch content {
        case .code: PageText.SignIn.withLink
        case .confirmation: PageText.Frame.signIn
        case .madeLink, .refused: PageText.SignIn.deviceLink
        case .mailed: PageText.SignIn.sentTitle
        }
    }

    private func body(_ site: PageSite) -> HTML {
        switch content {
        case .code(let problem): alert(problem) + codeForm(site)
        case .confirmation(let name, let code): confirmation(name, code: code, site)
        case .madeLink(let address): madeLink(address)
        case .mailed: "<p role=\"status\">\(PageText.SignIn.sent)</p>\n"
        case .refused(let problem):
            "<p class=\"problem\" role=\"alert\">\(PageText.SignIn.noLink) \(isolated: problem.explanation)</p>\n"
        }
    }

    private func alert(_ problem: Problem?) -> HTML {
        guard let problem else { return "" }
        let signedOut = PageText.SignIn.signedOut
        return "<p class=\"problem\" role=\"alert\">\(signedOut). \(isolated: problem.explanation)</p>\n"
    }

    /// The form without a script: the person copies the text after `#` of the link.
    private func codeForm(_ site: PageSite) -> HTML {
        """
        <form class="sign-in" id="link" method="post" action="\(site.root)\(SignInLinks.path)">
        <label for="code">\(PageText.SignIn.code)</label>
        <input id="code" name="code" maxlength="1000" autocomplete="off" autocapitalize="off" spellcheck="false" \
        aria-describedby="code-hint" required>
        <p class="note" id="code-hint">\(PageText.SignIn.codeHint)</p>
        <button type="submit">\(PageText.SignIn.proceed)</button>
        </form>

        """
    }

    private func confirmation(_ name: String, code: String, _ site: PageSite) -> HTML {
        """
        <p>\(PageText.SignIn.question(name))</p>
        <form class="sign-in" method="post" action="\(site.root)\(SignInLinks.path)">
        <input type="hidden" name="code" value="\(code)">
        <input type="hidden" name="confirm" value="yes">
        <p class="note">\(PageText.SignIn.confirmationNote)</p>
        <button type="submit">\(PageText.SignIn.confirm(name))</button>
        </form>

        """
    }

    private func madeLink(_ address: String) -> HTML {
        """
        <p>\(PageText.SignIn.address)</p>
        <p><code>\(address)</code></p>
        <p class="note">\(PageText.SignIn.addressNote)</p>

        """
    }

    /// The form that makes a link for another device.
    static func deviceForm(_ site: PageSite) -> HTML {
        """
        <form method="post" action="\(site.root)\(SignInLinkRoutes.ownPath)">
        <button type="submit">\(PageText.SignIn.makeLink)</button>
        </form>

        """
    }

    /// The form that requests a link by mail.
    static func mailForm(_ site: PageSite) -> HTML {
        """
        <details open>
        <summary>\(PageText.SignIn.byMail)</summary>
        <form class="sign-in" method="post" action="\(site.root)\(SignInLinkRoutes.mailPath)">
        <label for="email">\(PageText.SignIn.email)</label>
        <input id="email" name="email" type="email" maxlength="254" autocomplete="email" required>
        <button type="submit">\(PageText.SignIn.send)</button>
        </form>
        </details>

        """
    }
}
