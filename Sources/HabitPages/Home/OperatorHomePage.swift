import HabitAPI
import HabitModel
import Rendering

/// The home page of the operator: the numbers of records, and links to the lists and pages.
struct OperatorHomePage {
    let home: Home
    let counts: [Home.Count]

    /// Returns the page.
    func page(_ site: PageSite) -> WebPage {
        var page = WebPage(title: PageText.Home.operatorTitle)
        page.description = PageText.Home.operatorAbout
        page.content = numbers
        page.content += HomeWay.section(
            [.reports, .map] + home.collections.map(HomeWay.list) + [.operatorAccount],
            id: "ways",
            title: PageText.Home.ways,
            site)
        page.content += """
            <section id="duties">
            <h2>\(PageText.Home.commands)</h2>
            <p>\(PageText.Home.commandsAbout("<code>habitat</code>"))</p>
            </section>

            """
        page.content += DeveloperLinks.fold(home.landing, site)
        return page
    }

    private var numbers: HTML {
        let tiles = counts.reduce("" as HTML) { tiles, entry in
            let number = entry.hasMore ? PageText.Home.more(than: entry.count) : "\(entry.count)"
            return tiles + "<div><dt>\(Self.name(of: entry.kind))</dt><dd>\(number)</dd></div>\n"
        }
        return """
            <section id="numbers">
            <h2>\(PageText.Home.numbers)</h2>
            <dl class="tiles">
            \(tiles)</dl>
            </section>

            """
    }

    private static func name(of kind: RecordKind) -> String {
        switch kind {
        case .users: PageText.Home.people
        case .habits: PageText.Home.habitCount
        case .events: PageText.Home.eventCount
        case .items: PageText.Home.itemCount
        case .posts: PageText.Home.postCount
        case .settings, .schedules, .pauses, .follows, .blocks, .claims, .messages, .reads: kind.rawValue
        }
    }
}
