import HabitAPI
import Rendering

/// The account page of the operator, who has no account.
struct OperatorPage {
    /// Returns the page.
    func page(_ site: PageSite) -> WebPage {
        var page = WebPage(title: PageText.Account.title)
        page.trail = WebPage.Link.links(of: .home, base: site.base)
        page.content = """
            <p class="about">\(PageText.Account.operatorAbout)</p>
            <p class="about">\(PageText.Account.operatorDuties)</p>
            \(AccountPage.developers(site))
            """
        return page
    }
}
