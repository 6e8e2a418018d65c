import Base
import HabitAPI
import Rendering

/// The links of the landing page of OGC API on the home page (requirement class `html` of OGC API - Features, Part 1).
enum DeveloperLinks {
    /// Returns a closed fold with the links.
    ///
    /// - Parameters:
    ///   - landing: The document of the landing page.
    ///   - site: The addresses of the server.
    /// - Returns: The fold.
    static func fold(_ landing: JSON, _ site: PageSite) -> HTML {
        """
        <details class="developers">
        <summary>\(PageText.Frame.developers)</summary>
        <p class="note">\(isolated: landing["description"].textValue ?? "")</p>
        <p><a href="\(site.root)/?f=html">\(PageText.Home.aboutAPI)</a>, \
        <a href="\(site.root)/?f=json">\(PageText.Home.asJSON)</a></p>
        \(DocumentLinks(of: landing, site).list)</details>

        """
    }
}
