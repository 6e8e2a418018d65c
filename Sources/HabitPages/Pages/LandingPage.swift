import Base
import HabitAPI
import Rendering

/// The landing page of OGC API for people who write programs.
struct LandingPage {
    /// The document of the landing page.
    let document: JSON

    /// Returns the page.
    func page(_ site: PageSite) -> WebPage {
        var page = WebPage(title: PageText.Frame.developers)
        page.trail = WebPage.Link.links(of: .home, base: site.base)
        page.description = PageText.Document.landingAbout
        page.alternates = [WebPage.Alternate(type: .json, href: "\(site.base)/?f=json")]
        page.content = """
            <p>\(isolated: document.text("description"))</p>
            \(DocumentLinks(of: document, site).list)
            """
        return page
    }
}
