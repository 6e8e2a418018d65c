import HTTPServing
import HabitAPI
import Rendering

/// The page with the form of the sign-in.
struct SignInPage {
    /// The page to which the sign-in leads.
    let target: OwnPath
    /// The reason for which a sign-in was refused; `nil` before a sign-in.
    let problem: Problem?
    /// Whether the map page offers a sign-in with Google.
    let offersGoogle: Bool

    /// Returns the page.
    func page(_ site: PageSite) -> WebPage {
        var page = WebPage(title: "Sign in")
        page.trail = WebPage.Link.links(of: .home, base: site.base)
        page.content = alert + known(site) + google(site) + form(site)
        return page
    }

    private var alert: HTML {
        guard let problem else { return "" }
        return "<p class=\"problem\" role=\"alert\">You are not signed in: \(isolated: problem.detail).</p>\n"
    }

    /// The way on for a person who is signed in.
    private func known(_ site: PageSite) -> HTML {
        guard let name = site.visit.caller.personName, problem == nil else { return "" }
        return """
            <p>You are signed in as \(isolated: name). <a href="\(site.root)\(target.text)">Continue</a></p>

            """
    }

    private func google(_ site: PageSite) -> HTML {
        guard offersGoogle else { return "" }
        return "<p><a href=\"\(site.root)/map\">Sign in with Google on the map page</a></p>\n"
    }

    private func form(_ site: PageSite) -> HTML {
        """
        <details open>
        <summary>Use an access token</summary>
        <form class="sign-in" method="post" action="\(site.root)/sign-in">
        <input type="hidden" name="to" value="\(target.text)">
        <label for="token">Access token</label>
        <input id="token" name="token" type="password" maxlength="200" autocomplete="off" spellcheck="false" \
        aria-describedby="token-hint" required>
        <p class="note" id="token-hint">The operator of this server creates access tokens. \
        You stay signed in for 30 days after your last visit, at most until the token ends.</p>
        <button type="submit">Sign in</button>
        </form>
        </details>

        """
    }
}
