import HabitAPI
import Rendering

/// The home page of a visitor without a session: the sign-in, and the collections that everyone may read.
struct VisitorPage {
    let home: Home
    let signIn: SignInPage

    /// Returns the page.
    func page(_ site: PageSite) -> WebPage {
        var page = signIn.page(site)
        page.title = "Habitat"
        page.trail = []
        page.description = PageText.Home.about(site.sections.contents)
        page.content = """
            <section id="sign-in">
            <h2>\(PageText.Frame.signIn)</h2>
            \(page.content)</section>

            """
        page.content += HomeWay.section(ways, id: "public", title: PageText.Home.everyone, site)
        page.content += DeveloperLinks.fold(home.landing, site)
        return page
    }

    private var ways: [HomeWay] {
        guard !home.collections.isEmpty else { return [] }
        return home.collections.map(HomeWay.list) + [.map]
    }
}
