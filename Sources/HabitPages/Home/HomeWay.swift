import HabitAPI
import Rendering

/// A way from the home page to another page, with a sentence about it.
struct HomeWay {
    /// The text of the link.
    let title: String
    /// The description of the page.
    let sentence: String
    /// The path below the path of the public URL.
    let path: String

    static let application = HomeWay(
        title: PageText.Frame.today,
        sentence: PageText.Home.applicationAbout,
        path: ApplicationShell.today)
    static let reports = HomeWay(
        title: PageText.Frame.reports,
        sentence: PageText.Home.reportsAbout,
        path: "/reports")
    static let map = HomeWay(
        title: PageText.Frame.map,
        sentence: PageText.Home.mapAbout,
        path: "/map")
    static let account = HomeWay(
        title: PageText.Account.title,
        sentence: PageText.Home.accountAbout,
        path: "/account")
    static let operatorAccount = HomeWay(
        title: PageText.Account.title,
        sentence: PageText.Home.operatorAccountAbout,
        path: "/account")

    /// Returns the way to the list of a collection.
    static func list(of collection: FeatureCollection) -> HomeWay {
        HomeWay(
            title: collection.title,
            sentence: CollectionWords.sentence(about: collection.id) ?? collection.description,
            path: "/collections/\(collection.id)/items")
    }

    /// Returns a section with a list of ways; empty without ways.
    ///
    /// - Parameters:
    ///   - ways: The ways.
    ///   - id: The ID of the section.
    ///   - title: The heading of the section.
    ///   - site: The addresses of the server.
    /// - Returns: The section.
    static func section(_ ways: [HomeWay], id: String, title: String, _ site: PageSite) -> HTML {
        guard !ways.isEmpty else { return "" }
        let items = ways.reduce("" as HTML) { items, way in
            items + """
                <li><a href="\(site.root)\(way.path)">\(isolated: way.title)</a>
                <p class="note">\(isolated: way.sentence)</p></li>

                """
        }
        return """
            <section id="\(id)">
            <h2>\(title)</h2>
            <ul class="ways">
            \(items)</ul>
            </section>

            """
    }
}

/// Sentences about collections for people.
enum CollectionWords {
    /// Returns what a person finds in a collection, or `nil` for an unknown collection.
    static func sentence(about id: String) -> String? {
        sentences[id]
    }

    private static let sentences = [
        "events": PageText.Home.events,
        "located-events": PageText.Home.locatedEvents,
        "items": PageText.Home.items,
        "posts": PageText.Home.posts,
        "habits": PageText.Home.habits,
        "pauses": PageText.Home.pauses,
        "following": PageText.Home.following,
        "follows": PageText.Home.follows,
        "claims": PageText.Home.claims,
        "messages": PageText.Home.messages,
        "reads": PageText.Home.reads,
        "users": PageText.Home.users,
    ]
}
