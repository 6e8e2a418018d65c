import Base
import HTTPServing
import HTTPTypes
import HabitAPI
import HabitModel
import Hummingbird
import Rendering

extension Problem {
    /// Returns the page of the problem for a browser: what happened, what the person can do, and one button.
    func page(_ site: PageSite) -> WebPage {
        var page = WebPage(title: pageTitle)
        page.trail = WebPage.Link.links(of: .home, base: site.base)
        let step = nextStep(site)
        page.content = """
            <p class="about">\(pageText(site))</p>
            <p><a class="button main" href="\(step.href)">\(step.text)</a></p>

            """
        return page
    }

    private var pageTitle: String {
        switch status {
        case .unauthorized: PageText.Problem.unauthorized
        case .forbidden: PageText.Problem.forbidden
        case .notFound, .methodNotAllowed: PageText.Problem.notFound
        case .gone: PageText.Problem.gone
        case .tooManyRequests: PageText.Problem.tooManyRequests
        case .serviceUnavailable: PageText.Problem.unavailable
        case _ where status.kind == .serverError: PageText.Problem.serverError
        default: PageText.Problem.failed
        }
    }

    private func pageText(_ site: PageSite) -> HTML {
        switch status {
        case .unauthorized:
            "\(PageText.Problem.signInAbout)"
        case _ where status == .methodNotAllowed || detail == Problem.unknownURL:
            "\(PageText.Problem.noPage)"
        default:
            linkedExplanation(site)
        }
    }

    /// The link of the button.
    private func nextStep(_ site: PageSite) -> WebPage.Link {
        if status == .unauthorized {
            return WebPage.Link(text: PageText.Frame.signIn, href: site.signIn)
        }
        if let form = site.visit.form {
            return WebPage.Link(text: PageText.Problem.back, href: site.root + form.text)
        }
        if headers[.retryAfter] != nil {
            return WebPage.Link(text: PageText.Problem.tryAgain, href: site.root + site.visit.path.text)
        }
        return WebPage.Link(text: PageText.Problem.home, href: "\(site.root)/")
    }
}

extension Problem {
    /// The explanation with a link for the address that it recommends, as in `see /collections`.
    private func linkedExplanation(_ site: PageSite) -> HTML {
        // A path has only letters and single slashes, so no text of a request can become a link to another server.
        let reference =
            #/
            [Ss]ee\ (
                \/
                (?: [a-z]+ (?: \/[a-z]+ )* )?
            )
            (?= [\s,;] | \.?$ )
            /#
        let text = explanation
        guard let found = text.matches(of: reference).last else {
            return "\(isolated: text)"
        }
        let path = String(found.1)
        let before = String(text[..<found.1.startIndex])
        let after = String(text[found.1.endIndex...])
        return """
            \(isolated: before)<a href="\(site.root)\(path)">\(path)</a>\(isolated: after)
            """
    }
}
