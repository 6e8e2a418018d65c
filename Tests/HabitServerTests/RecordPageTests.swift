import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitPages
@testable import HabitServer

extension Scene {
    /// The records of ``friends`` with messages and a claim.
    ///
    /// The owner lives in Tokyo, and `all` is named Ana.
    fileprivate static func named() -> [Record] {
        var ana = UserRecord(id: "all")
        ana.name = .value("Ana <3")
        let at = OffsetInstant("2026-11-20T08:00:00Z").map { FieldInput.value($0) } ?? .absent
        var claim = ClaimRecord(item: "lamp", user: "all")
        claim.state = .value(.claimed)
        claim.claimedAt = at
        let sent = OffsetInstant("2026-11-12T10:00:00Z").map { FieldInput.value($0) } ?? .absent
        let messages = [("m1", "all", "owner"), ("m2", "owner", "all")].map { id, sender, recipient in
            var message = MessageRecord(item: "lamp", sender: sender, recipient: recipient, text: "hello")
            message.id = id
            message.sentAt = sent
            return Record.message(message)
        }
        let people: [Record] = [.user("owner", zone: "Asia/Tokyo"), .user(ana)]
        let others = friends.filter { record in
            guard case .user(let user) = record else { return true }
            return !["owner", "all"].contains(user.id)
        }
        return people + others + [.claim(claim)] + messages
    }
}

/// Tests of lists and single records as pages for people.
@Suite(.engineIndependent, .serialized, .server(Scene.named())) struct RecordPageTests {
    /// Returns the headings of the table of a page.
    private static func headings(_ page: ServerResponse) -> [String] {
        let heading = /<th scope="col"[^>]*>([^<]*)<\/th>/
        return page.text.matches(of: heading).map { match in String(match.1) }
    }

    /// Returns the rows of the table of a page.
    private static func rows(_ page: ServerResponse) -> [String] {
        let row = /<tr><th scope="row">.*?<\/tr>/
        return page.text.matches(of: row).map { match in String(match.0) }
    }

    private static func list(_ collection: String, _ query: String = "") -> String {
        "/collections/\(collection)/items?f=html\(query)"
    }

    // MARK: Lists

    @Test(arguments: [
        ("events", "title", "user"), ("items", "name", "user"), ("posts", "caption", "user"),
        ("habits", "title", "user"), ("following", "title", "user"), ("users", "name", "following"),
        ("messages", "text", "item"), ("claims", "name", "user"),
    ])
    func titleIsFirstAndIDIsLast(collection: String, first: String, second: String) async throws {
        try await ServerFixture.shared.run { client in
            let user = collection == "following" ? "all" : "owner"
            let page = try await client.send(path: Self.list(collection), as: user)
            let headings = Self.headings(page)
            #expect(headings.first == first, "\(headings)")
            #expect(headings.dropFirst().first == second, "\(headings)")
            #expect(headings.last == "ID", "\(headings)")
            let rows = Self.rows(page)
            #expect(!rows.isEmpty, "\(page)")
            for row in rows {
                let link = try #require(row.firstMatch(of: /<th scope="row"><a href="([^"]*)">/)?.1, "\(row)")
                #expect(link.hasPrefix("/collections/\(collection)/items/"), "\(link)")
                #expect(try await client.send(path: String(link), as: user).status == 200, "\(link)")
            }
        }
    }

    /// The column `follower` contains the ID of a user in a follow, and a status in a user.
    @Test func followerOfUserIsStatus() async throws {
        try await ServerFixture.shared.run { client in
            let users = try await client.send(path: Self.list("users"), as: "owner")
            #expect(users.text.contains("<td>pending</td>"), "\(users)")
            #expect(!users.text.contains("/collections/users/items/accepted"))
            let follows = try await client.send(path: Self.list("follows"), as: "owner")
            #expect(follows.text.contains(#"<a href="/collections/users/items/pending">pending</a>"#), "\(follows)")
        }
    }

    @Test func followsWithoutTitleHaveIDFirst() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: Self.list("follows"), as: "owner")
            let headings = Self.headings(page)
            #expect(headings.first == "ID", "\(headings)")
            #expect(headings.filter { heading in heading == "ID" }.count == 1)
        }
    }

    @Test func redundantColumnsAreHidden() async throws {
        try await ServerFixture.shared.run { client in
            let events = Self.headings(try await client.send(path: Self.list("events"), as: "owner"))
            let hidden = ["color", "habit", "has photo", "longitude", "latitude"]
            for name in hidden { #expect(!events.contains(name), "\(events)") }
            #expect(events.contains("status"))
            #expect(!events.contains("amount"), "no event has an amount")
            let selected = try await client.send(
                path: Self.list("events", "&properties=title,amount,color"), as: "owner")
            #expect(Self.headings(selected) == ["title", "amount", "color"], "the request selects the columns")
        }
    }

    @Test func statusHasSymbol() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: Self.list("habits"), as: "owner")
            let status = /<span class="status"><i class="dot [a-z-]+"><\/i>[A-Z][a-z ]+<\/span>/
            #expect(page.text.contains(status))
            let habits = try await client.send(path: "/collections/habits/items", as: "owner").features
            for habit in habits {
                let properties = habit["properties"] as? [String: Any]
                guard let rate = properties?["completion_rate"] as? Double else { continue }
                let percent = Int((rate * 100).rounded())
                #expect(page.text.contains(">\(percent)\u{202F}%<"), "\(page)")
            }
        }
    }

    @Test func namesReplaceIDsOfUsersAndItems() async throws {
        try await ServerFixture.shared.run { client in
            let messages = try await client.send(path: Self.list("messages"), as: "owner")
            #expect(messages.text.contains(#"<a href="/collections/users/items/all">Ana &lt;3</a>"#), "\(messages)")
            #expect(messages.text.contains(#"<a href="/collections/items/items/lamp">Lamp</a>"#), "\(messages)")
            let event = try await client.send(path: "/collections/events/items/r17?f=html", as: "all")
            #expect(event.text.contains(#"<a href="/collections/habits/items/run">Run</a>"#), "\(event)")
        }
    }

    @Test func pageWithoutTokenHasNoNames() async throws {
        let fixture = try await ServerFixture(Scene.named()) { options in
            options.publicCollections = ["items", "events"]
        }
        try await fixture.run { client in
            for path in [Self.list("items", "&state=all"), Self.list("events"), "/collections/items/items/lamp?f=html"]
            {
                let page = try await client.send(path: path)
                #expect(page.status == 200, "\(page)")
                #expect(!page.text.contains("Ana"), "\(page)")
                #expect(!page.text.contains("/collections/users/"), "\(page)")
                #expect(!page.text.contains("/collections/habits/"), "\(page)")
                #expect(!page.text.contains("Bearer"), "public data needs no token")
            }
        }
    }

    @Test func timesAreInZoneOfReader() async throws {
        try await ServerFixture.shared.run { client in
            let tokyo = try await client.send(path: Self.list("messages"), as: "owner")
            #expect(
                tokyo.text.contains(#"<time datetime="2026-11-12T19:00:00+09:00">2026-11-12 19:00</time>"#), "\(tokyo)")
            #expect(tokyo.text.contains("Times are in the time zone Asia/Tokyo."))
            let utc = try await client.send(path: Self.list("messages"), as: "all")
            #expect(utc.text.contains(#"<time datetime="2026-11-12T10:00:00+00:00">2026-11-12 10:00</time>"#), "\(utc)")
            let claims = try await client.send(path: Self.list("claims"), as: "owner")
            #expect(
                claims.text.contains(#"<time datetime="2026-11-20T17:00:00+09:00">today 17:00</time>"#), "\(claims)")
            // The column "day" already has the date of the time.
            let events = try await client.send(path: Self.list("events"), as: "owner")
            #expect(events.text.contains(#"<time datetime="2026-11-17T16:00:00+09:00">16:00</time>"#), "\(events)")
            #expect(events.text.contains(#"<time datetime="2026-11-17">Tuesday</time>"#))
        }
    }

    @Test func filtersAreNamedAndRemoved() async throws {
        try await ServerFixture.shared.run { client in
            let query = "&habit=run&habit=read&comment-contains=rain&near=10,50&within=5km&sortby=%2Bdistance&limit=1"
            let page = try await client.send(path: Self.list("events", query), as: "owner")
            let filter = /<li><span>([^<]*)<\/span> <a href="([^"]*)" aria-label="([^"]*)">/
            let removals = page.text.matches(of: filter)
            let names = removals.map { match in String(match.1) }
            #expect(
                names == ["comment contains: rain", "habit: run", "habit: read", "near: 10,50", "within: 5km"])
            for removal in removals {
                let target = String(removal.2).replacing("&amp;", with: "&")
                let rest = try await client.send(path: target, as: "owner")
                #expect(rest.status == 200, "\(target): \(rest)")
                #expect(!rest.text.contains("<span>\(removal.1)</span>"), "\(target)")
                #expect(target.contains("limit=1"), "\(target)")
                #expect(removal.3 == "Remove the filter \(removal.1)")
            }
            let near = removals.first { match in match.1.hasPrefix("near") }
            #expect(near?.2.contains("sortby") == false, "the sort order requires the position")
            #expect(near?.2.contains("within") == false)
            let plain = try await client.send(path: Self.list("events", "&limit=2&properties=title"), as: "owner")
            #expect(!plain.text.contains("class=\"chips\""), "the form of a page is not a filter")
        }
    }

    @Test func emptyListStatesWhatToDo() async throws {
        try await ServerFixture.shared.run { client in
            let filtered = try await client.send(path: Self.list("events", "&comment-contains=zzz"), as: "owner")
            #expect(filtered.text.contains("No features match the filters."), "\(filtered)")
            let link = /<a href="([^"]*)">Remove all filters<\/a>/
            let all = try #require(filtered.text.firstMatch(of: link)?.1)
            #expect(try await client.send(path: String(all), as: "owner").text.contains("<table>"))
            for collection in ["events", "habits", "following", "messages", "claims", "follows"] {
                let page = try await client.send(path: Self.list(collection), as: "stranger")
                let isEmpty = !page.text.contains("<table>")
                let link = page.text.firstMatch(of: /<p class="empty">[^<]+<a href="([^"]*)">/)?.1
                #expect((link != nil) == isEmpty, "\(collection): \(page)")
                guard let link else { continue }
                #expect(try await client.send(path: String(link), as: "stranger").status == 200, "\(link)")
            }
        }
    }

    // MARK: Maps and photos

    @Test func mapIsDrawingWithoutScript() async throws {
        try await ServerFixture.shared.run { client in
            for path in [Self.list("events"), "/collections/events/items/r17?f=html", Self.list("posts")] {
                let page = try await client.send(path: path, as: "owner")
                #expect(page.text.contains(#"<figure class="chart map">"#), "\(page)")
                #expect(page.text.contains(/<link rel="stylesheet" href="[^"]*charts[^"]*">/), "\(page)")
                #expect(!page.text.contains("leaflet"))
                #expect(!page.text.contains("<script"))
                #expect(!page.text.contains(" style="), "the policy blocks the attribute")
            }
            let nowhere = try await client.send(path: "/collections/events/items/r19?f=html", as: "owner")
            #expect(!nowhere.text.contains("class=\"chart map\""), "the event has no position")
        }
    }

    @Test func thumbnailHasSize() async throws {
        let photo = try Data(contentsOf: URL(fileURLWithPath: Program.repository + "/sample-data/photos/lamp.png"))
        try await ServerFixture(Scene.friends).run { client in
            let path = "/collections/items/items/lamp"
            _ = try await client.send(.put, path: path + "/photo", as: "owner", bytes: Array(photo))
            let list = try await client.send(path: Self.list("items"), as: "owner")
            #expect(Self.headings(list).prefix(2) == ["name", "photo"])
            #expect(
                list.text.contains(
                    /<img src="[^"]*" class="thumb" loading="lazy" width="64" height="64" alt="Photo of Lamp">/))
            let item = try await client.send(path: path + "?f=html", as: "owner")
            #expect(item.text.contains(/<img src="[^"]*" class="photo" alt="Photo of Lamp">/), "\(item)")
        }
    }

    // MARK: Single records

    @Test func habitHasFiguresAndNames() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/collections/habits/items/run?f=html", as: "owner")
            #expect(page.text.contains("<h1>Run</h1>"), "\(page)")
            let tiles = /<dl class="tiles">[\s\S]*?<\/dl>/
            let figures = try #require(page.text.firstMatch(of: tiles)?.0)
            #expect(figures.contains("<dt>streak</dt>"), "\(figures)")
            #expect(figures.contains("class=\"dot "), "\(figures)")
            #expect(page.text.contains("<dt>user</dt><dd><a href=\"/collections/users/items/owner\">"), "\(page)")
            #expect(!page.text.contains("<dt>title</dt>"), "the heading is the title")
            #expect(!page.text.contains("<dt>end</dt>"), "the habit has no end")
        }
    }

    @Test func eventHasPositionAndDate() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/collections/events/items/r17?f=html", as: "owner")
            #expect(page.text.contains("<dt>position</dt><dd>50.00000° N, 10.00000° E</dd>"), "\(page)")
            #expect(page.text.contains(#"<time datetime="2026-11-17">Tuesday, 2026-11-17</time>"#), "\(page)")
            #expect(page.text.contains(#"<a href="/collections/events/items">Habit events</a>"#))
        }
    }

    // MARK: Inbox

    @Test func inboxNamesWhatWaits() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/inbox?f=html", as: "owner")
            let ana = #"<a href="/collections/users/items/all">Ana &lt;3</a>"#
            let lamp = #"<a href="/collections/items/items/lamp">Lamp</a>"#
            #expect(page.text.contains("\(ana) has claimed \(lamp)."), "\(page)")
            #expect(page.text.contains("wants to follow you."), "\(page)")
            let targets = page.text.matches(of: /<a class="button" href="([^"]*)">/)
            #expect(!targets.isEmpty)
            for target in targets {
                let path = String(target.1).replacing("&amp;", with: "&")
                #expect(try await client.send(path: path, as: "owner").status == 200, "\(path)")
            }
            let empty = try await client.send(path: "/inbox?f=html", as: "stranger")
            #expect(empty.text.contains("Nothing waits for you."), "\(empty)")
        }
    }

    // MARK: Tags

    @Test func tagDependsOnDayAndOnNames() async throws {
        let clock = TestClock()
        let fixture = try await ServerFixture(Scene.named()) { options in options.clock = { clock.now } }
        try await fixture.run { client in
            for path in [Self.list("messages"), "/collections/messages/items/m1?f=html", "/inbox?f=html"] {
                clock.set("2026-11-20T12:00:00Z")
                let first = try await client.send(path: path, as: "owner")
                let again = try await client.send(path: path, as: "owner", headers: [.ifNoneMatch: first.tag])
                #expect(again.status == 304, "\(path): \(again)")
                clock.set("2026-11-21T12:00:00Z")
                let next = try await client.send(path: path, as: "owner", headers: [.ifNoneMatch: first.tag])
                #expect(next.status == 200, "\(path): 'today' is another day")
            }
            let before = try await client.send(path: Self.list("messages"), as: "owner")
            let renamed = try await client.send(.patch, path: "/user", as: "all", #"{"name":"Bea"}"#)
            #expect(renamed.status < 300, "\(renamed)")
            let after = try await client.send(
                path: Self.list("messages"), as: "owner", headers: [.ifNoneMatch: before.tag])
            #expect(after.text.contains("Bea"), "\(after)")
        }
    }
}

/// Tests of the words for days and times.
@Suite(.engineIndependent) struct LocalTimesTests {
    private static func times(_ zone: String) throws -> LocalTimes {
        LocalTimes(
            zone: try #require(TimeZoneRules(zone)),
            today: try #require(Day("2026-11-20")))
    }

    @Test(arguments: [
        ("2026-11-20", "today"), ("2026-11-19", "yesterday"), ("2026-11-21", "tomorrow"), ("2026-11-18", "Wednesday"),
        ("2026-11-14", "Saturday"), ("2026-11-13", "2026-11-13"), ("2026-11-22", "2026-11-22"),
        ("2025-11-20", "2025-11-20"),
    ])
    func dayWithinWeekHasWord(date: String, text: String) throws {
        let day = try #require(Day(date))
        let html = try Self.times("UTC").html(day)
        #expect(html.text == "<time datetime=\"\(date)\">\(text)</time>")
    }

    @Test(arguments: [
        ("UTC", "2026-11-19T23:30:00+00:00", "yesterday 23:30"),
        ("Asia/Kolkata", "2026-11-20T05:00:00+05:30", "today 05:00"),
        ("America/New_York", "2026-11-19T18:30:00-05:00", "yesterday 18:30"),
    ])
    func instantIsLocal(zone: String, written: String, text: String) throws {
        let instant = try #require(OffsetInstant("2026-11-19T23:30:00Z")).instant
        let html = try Self.times(zone).html(instant)
        #expect(html.text == "<time datetime=\"\(written)\">\(text)</time>")
    }
}
