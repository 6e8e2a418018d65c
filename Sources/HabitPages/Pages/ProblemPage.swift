import Base
import HTTPServing
import HTTPTypes
import HabitAPI
import HabitModel
import Hummingbird
import Rendering

extension Problem {
    /// Returns the page of the problem for a browser.
    func page(_ site: PageSite) -> WebPage {
        var page = WebPage(title: status.reasonPhrase)
        page.trail = WebPage.Link.links(of: .home, base: site.base)
        guard status == .unauthorized else {
            page.content = "<p class=\"about\">\(linkedDetail(site))</p>\n"
            return page
        }
        page.description = "This page contains data that is not public."
        page.content = """
            <p><a href="\(site.signIn)">Sign in</a> to see your own records and the records that other users share with \
            you. Programs send a token in the header <code>Authorization</code>.</p>

            """
        return page
    }
}

extension Problem {
    /// The detail with a link for the resource that it recommends, as in `see /collections`.
    private func linkedDetail(_ site: PageSite) -> HTML {
        // A path has only letters and single slashes, so no text of a request can become a link to another server.
        let reference =
            #/
            see\ (
                \/
                (?: [a-z]+ (?: \/[a-z]+ )* )?
            )
            (?! [^\s,;] )
            /#
        guard let found = detail.matches(of: reference).last else {
            return "\(isolated: detail)"
        }
        let path = String(found.1)
        let before = String(detail[..<found.1.startIndex])
        let after = String(detail[found.1.endIndex...])
        return """
            \(isolated: before)<a href="\(site.root)\(path)">\(path)</a>\(isolated: after)
            """
    }
}
