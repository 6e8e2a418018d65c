import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

extension Scene {
    /// The owner has a pending follow request, a claim and a message without a reply, and one habit is done today.
    fileprivate static let home: [Record] = {
        let at = OffsetInstant("2026-11-19T10:00:00Z").map { FieldInput.value($0) } ?? .absent
        var claim = ClaimRecord(item: "lamp", user: "all")
        claim.state = .value(.claimed)
        claim.claimedAt = at
        var message = MessageRecord(item: "lamp", sender: "all", recipient: "owner", text: "hello")
        message.id = "m1"
        message.sentAt = at
        let done = Record.event("read", "2026-11-20", id: "today", at: "2026-11-20T06:05:00Z")
        return friends + [.claim(claim), .message(message), done]
    }()
}

/// Tests of the home page, which a browser shows at `/`.
@Suite(.engineIndependent, .serialized, .server(Scene.home)) struct HomePageTests {
    private static let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]

    /// Returns the text of a section of a page, or an empty text without the section.
    private static func section(_ id: String, of page: ServerResponse) -> String {
        let parts = page.text.components(separatedBy: "<section id=\"\(id)\">")
        guard parts.count == 2 else { return "" }
        return parts[1].components(separatedBy: "</section>")[0]
    }

    /// Returns the last parts of the links of a section to records.
    private static func records(of collection: String, in section: String) -> [String] {
        section.components(separatedBy: "href=\"/collections/\(collection)/items/").dropFirst().compactMap { rest in
            rest.split(separator: "\"").first.flatMap { id in id.removingPercentEncoding }
        }
    }

    // MARK: The landing page of clients

    @Test(arguments: [nil, "owner", "operator"])
    func clientsGetTheSameLandingPageAsBefore(user: String?) async throws {
        try await ServerFixture.shared.run { client in
            let plain = try await client.send(path: "/", as: user)
            let accepted = try await client.send(path: "/", as: user, headers: [.accept: "application/json"])
            let named = try await client.send(path: "/?f=json", as: user, headers: Self.browser)
            #expect(plain.type == "application/json")
            #expect(plain.json["title"] as? String == "Habitat")
            #expect(accepted.body == plain.body)
            #expect(named.body == plain.body)
            #expect(named.type == "application/json")
        }
    }

    @Test func landingPageAsHTMLHasItsOwnAddress() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/?f=html", as: "owner")
            #expect(page.status == 200, "\(page)")
            #expect(page.text.contains("<h1>For developers</h1>"))
            let account = try await client.send(path: "/account", as: "owner", headers: Self.browser)
            #expect(account.text.contains(#"<a class="button" href="/?f=html">"#))
        }
    }

    /// The requirement class `html` of OGC API - Features, Part 1: each link of the document is a link of the page.
    @Test(arguments: [nil, "owner", "operator"])
    func homePageHasEachLinkOfTheLandingPage(user: String?) async throws {
        try await ServerFixture.shared.run { client in
            let document = try await client.send(path: "/", as: user)
            let page = try await client.send(path: "/", as: user, headers: Self.browser)
            let links = document.json["links"] as? [[String: Any]] ?? []
            #expect(links.count > 5)
            for link in links where link["rel"] as? String != "self" {
                let url = try #require(URLComponents(string: link["href"] as? String ?? ""))
                #expect(page.text.contains("href=\"\(url.path)"), "\(url.path)")
            }
        }
    }

    // MARK: A person

    @Test func personSeesTheHabitsOfTheReportAboutToday() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/", as: "owner", headers: Self.browser)
            #expect(page.status == 200, "\(page)")
            #expect(page.text.contains("<h1>Today</h1>"))
            #expect(page.text.contains("Friday, 20 November 2026"))
            let due = Self.section("due", of: page)
            let report = try await client.send(path: "/reports/todo?f=json", as: "owner")
            let rows = try #require(
                try JSONSerialization.jsonObject(with: Data(report.body)) as? [[String: Any]], "\(report)")
            #expect(rows.count == 2)
            for row in rows {
                let title = try #require(row["title"] as? String)
                #expect(due.contains(title), "\(title): \(due)")
            }
            // The open habits precede the others.
            #expect(Self.records(of: "habits", in: due) == ["run", "read"], "\(due)")
            #expect(due.contains("1 of 2 done"), "\(due)")
            #expect(due.contains("Open"), "\(due)")
            #expect(due.contains("Done"), "\(due)")
        }
    }

    @Test func statusesCountTheHabitsOfTheList() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/", as: "owner", headers: Self.browser)
            let statuses = Self.section("statuses", of: page)
            let list = try await client.send(path: "/collections/habits/items", as: "owner")
            let words = list.features.compactMap { feature in
                (feature["properties"] as? [String: Any])?["status"] as? String
            }
            #expect(words.count == 2)
            for (word, own) in Dictionary(grouping: words, by: \.self) {
                #expect(statuses.contains("\(word)</span></dt><dd>\(own.count)</dd>"), "\(word): \(statuses)")
            }
        }
    }

    @Test func inboxHasItsNumbers() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/", as: "owner", headers: Self.browser)
            let inbox = Self.section("inbox", of: page)
            for words in ["1 follow request<", "1 claim on your items<", "1 message to answer<"] {
                #expect(inbox.contains(words), "\(words): \(inbox)")
            }
            let other = try await client.send(path: "/", as: "stranger", headers: Self.browser)
            #expect(Self.section("inbox", of: other).contains("Nothing waits for you."))
        }
    }

    @Test(arguments: Scene.users)
    func newestEventsOfFriendsAreThoseOfTheList(user: String) async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/", as: user, headers: Self.browser)
            let list = try await client.send(path: "/collections/events/items?scope=friends", as: user)
            let shown = Self.records(of: "events", in: Self.section("friends", of: page))
            #expect(shown == Array(list.ids.prefix(10)), "\(user)")
            #expect(shown.isEmpty == !["all", "latest"].contains(user), "\(user)")
        }
    }

    @Test func timesAreThoseOfTheReader() async throws {
        try await ServerFixture(Scene.home).run { client in
            for (zone, time) in [("UTC", "today 06:05"), ("Asia/Tokyo", "today 15:05")] {
                let change = try await client.send(.patch, path: "/user", as: "all", #"{"time_zone":"\#(zone)"}"#)
                #expect(change.status == 200, "\(change)")
                let page = try await client.send(path: "/", as: "all", headers: Self.browser)
                let friends = Self.section("friends", of: page)
                #expect(friends.contains(">\(time)</time>"), "\(zone): \(friends)")
                #expect(friends.contains(">yesterday</time>"), "\(zone): \(friends)")
            }
        }
    }

    @Test func hiddenEventsNeverAppear() async throws {
        try await ServerFixture.shared.run { client in
            for user in Scene.users where user != "stranger" {
                let page = try await client.send(path: "/", as: user, headers: Self.browser)
                #expect(!page.text.contains("x18"), "\(user)")
                #expect(!page.text.contains("theirs"), "\(user)")
            }
            for user in ["pending", "stranger"] {
                let page = try await client.send(path: "/", as: user, headers: Self.browser)
                #expect(!page.text.contains("Straße"), "\(user)")
                #expect(!page.text.contains("r19"), "\(user)")
            }
            // The follower with the share of the newest events does not see earlier ones.
            let latest = try await client.send(path: "/", as: "latest", headers: Self.browser)
            #expect(!latest.text.contains("r18"))
            #expect(latest.text.contains("r19"))
        }
    }

    @Test func personWithoutHabitsSeesSentence() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/", as: "pending", headers: Self.browser)
            #expect(Self.section("due", of: page).contains("You have no habits yet."), "\(page.text)")
            #expect(Self.section("statuses", of: page).isEmpty)
            #expect(Self.section("friends", of: page).contains("/collections/users/items"))
        }
    }

    @Test func hostileTextsAreEscaped() async throws {
        var friend = UserRecord(id: "friend")
        friend.name = .value("<script>n</script>")
        let records: [Record] =
            Scene.friends + [
                .user(friend),
                .follow("owner", "friend"),
                .habit("evil", of: "owner", title: #"<b>"&'</b>"#),
                .habit("worse", of: "friend", title: "<img src=x>"),
                .event("worse", "2026-11-19", id: #"e"><b>/1"#, comment: "</main>"),
            ]
        try await ServerFixture(records).run { client in
            let page = try await client.send(path: "/", as: "owner", headers: Self.browser)
            #expect(Self.section("friends", of: page).contains("&lt;script&gt;n"), "\(page.text)")
            #expect(Self.section("friends", of: page).contains("&lt;img src=x&gt;"), "\(page.text)")
            #expect(Self.section("due", of: page).contains("&lt;b&gt;"), "\(page.text)")
            for markup in ["<script", "<img", "<b>", "\"><b>"] {
                #expect(!page.text.contains(markup), "\(markup)")
            }
            let event = try await client.send(path: "/collections/events/items/e%22%3E%3Cb%3E%2F1", as: "owner")
            #expect(event.status == 200, "\(event)")
            #expect(page.text.contains(#"/collections/events/items/e%22%3E%3Cb%3E%2F1""#), "\(page.text)")
        }
    }

    // MARK: A visitor

    @Test func visitorSignsInOnTheHomePage() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/", headers: Self.browser)
            #expect(page.status == 200, "\(page)")
            let form = Self.section("sign-in", of: page)
            #expect(form.contains(#"<form class="sign-in" method="post" action="/sign-in">"#), "\(form)")
            #expect(form.contains(#"name="to" value="/""#), "\(form)")
            #expect(Self.section("public", of: page).isEmpty, "no collection is public")
            for secret in ["Straße", "r19", "owner"] { #expect(!page.text.contains(secret), "\(secret)") }
        }
    }

    @Test(.server(Scene.home) { $0.publicCollections = ["items", "posts"] })
    func visitorFindsPublicCollections() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/", headers: Self.browser)
            let lists = Self.section("public", of: page)
            for link in ["/collections/items/items", "/collections/posts/items", "/map"] {
                #expect(lists.contains("<a href=\"\(link)\">"), "\(link): \(lists)")
            }
            #expect(!lists.contains("/collections/events/items"), "\(lists)")
            #expect(!lists.contains("/collections/habits/items"), "\(lists)")
            #expect(lists.contains("Items that people give away."), "\(lists)")
        }
    }

    // MARK: The operator

    @Test func operatorSeesNumbersAndWays() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/", as: "operator", headers: Self.browser)
            #expect(page.status == 200, "\(page)")
            let numbers = Self.section("numbers", of: page)
            let counts = ["People": 5, "Habits": 4, "Events": 6, "Items": 2, "Posts": 2]
            for (name, count) in counts {
                #expect(numbers.contains("<dt>\(name)</dt><dd>\(count)</dd>"), "\(name): \(numbers)")
            }
            let ways = Self.section("ways", of: page)
            let links = ways.matches(of: /href="([^"]*)"/).map { match in String(match.1) }
            #expect(links.count > 8)
            for link in links {
                let found = try await client.send(path: link, as: "operator")
                #expect(found.status == 200, "\(link): \(found)")
            }
        }
    }

    // MARK: Every home page

    @Test(arguments: [nil, "owner", "operator"])
    func noCacheStoresTheHomePage(user: String?) async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/", as: user, headers: Self.browser)
            #expect(page.headers[.cacheControl] == "no-store")
            let vary = page.headers[.vary] ?? ""
            for name in ["Accept", "Authorization", "Cookie"] { #expect(vary.contains(name), "\(vary)") }
            #expect(page.headers[.link]?.contains("/?f=json>; rel=\"alternate\"; type=\"application/json\"") == true)
            let head = try await client.send(.head, path: "/", as: user, headers: Self.browser)
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(head.type == page.type)
        }
    }

    @Test(arguments: ["owner", "operator"])
    func homePageOfAccountNeedsNoScript(user: String) async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/", as: user, headers: Self.browser)
            #expect(!page.text.contains("<script"))
            #expect(page.headers[.contentSecurityPolicy]?.contains("script-src") == false)
        }
    }

    @Test func linksHaveThePathOfThePublicURL() async throws {
        try await ServerFixture(Scene.home) { $0.publicURL = "https://host.example/habits" }.run { client in
            for user in ["owner", "operator", nil] {
                let page = try await client.send(path: "/", as: user, headers: Self.browser)
                for match in page.text.matches(of: /(?:href|action)="(\/[^"]*)"/) {
                    let link = String(match.1)
                    #expect(link.hasPrefix("/habits/"), "\(link)")
                }
            }
        }
    }
}
