import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitReport
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitPages
@testable import HabitServer

/// Tests of the page of one report.
@Suite(.engineIndependent, .serialized, .server(Scene.friends)) struct ReportPageTests {
    private static let browser = ReportListPageTests.browser

    private static func page(_ path: String, as user: String = "owner", _ client: ServerClient) async throws
        -> ServerResponse
    {
        try await client.send(path: path, as: user, headers: browser)
    }

    /// Returns the element of a page whose `name` attribute has a value.
    private static func field(_ name: String, in page: ServerResponse) -> String? {
        let tag = /<(?:input|select|textarea) [^>]*>/
        let tags = page.text.matches(of: tag).map { match in String(match.0) }
        return tags.first { tag in tag.contains(" name=\"\(name)\"") }
    }

    // MARK: The form

    @Test func fieldsHaveTheKindsOfTheParameters() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await Self.page("/reports/completion", client)
            #expect(page.status == 200, "\(page)")
            #expect(Self.field("from", in: page)?.contains(#"type="date""#) == true)
            #expect(Self.field("by", in: page)?.hasPrefix("<select") == true)
            #expect(Self.field("user", in: page)?.hasPrefix("<select") == true)
            #expect(Self.field("habit", in: page)?.hasPrefix("<select") == true)
            #expect(page.text.contains(#"<label for="parameter-from">From</label>"#))
            #expect(page.text.contains("Empty means today-27 (2026-10-24)."))
            let streaks = try await Self.page("/reports/streaks", client)
            #expect(Self.field("minimum", in: streaks)?.contains(#"type="number""#) == true)
            let near = try await Self.page("/reports/near", client)
            #expect(Self.field("near-latitude", in: near)?.contains(#"type="text""#) == true)
            #expect(Self.field("near-longitude", in: near) != nil)
            #expect(Self.field("near", in: near)?.contains(#"type="checkbox""#) == true)
        }
    }

    @Test func listsContainOnlyVisibleRecords() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await Self.page("/reports/completion", as: "all", client)
            #expect(page.text.contains(#"<option value="run" dir="auto">Run</option>"#), "\(page)")
            #expect(page.text.contains(#"<option value="mine""#))
            #expect(page.text.contains(#"<option value="owner""#))
            #expect(!page.text.contains(#"<option value="other""#))
            #expect(!page.text.contains(#"<option value="stranger""#))
            let stranger = try await Self.page("/reports/completion", as: "stranger", client)
            #expect(stranger.text.contains(#"<option value="other""#))
            #expect(!stranger.text.contains(#"<option value="run""#))
            let all = try await Self.page("/reports/completion", as: "operator", client)
            // Two habits have the same title, so that the list also has their IDs.
            #expect(all.text.contains(#"<option value="run" dir="auto">Run (run)</option>"#))
            #expect(all.text.contains(#"<option value="stranger""#))
        }
    }

    @Test func longListIsATextField() async throws {
        let habits = (1...201).map { number in Record.habit("h\(number)", of: "owner", title: "Habit \(number)") }
        try await ServerFixture(Scene.friends + habits).run { client in
            let page = try await Self.page("/reports/completion?habit=h7", client)
            #expect(page.status == 200, "\(page)")
            #expect(Self.field("habit", in: page)?.contains(#"type="text""#) == true)
            #expect(Self.field("habit", in: page)?.contains(#"value="h7""#) == true)
            #expect(Self.field("user", in: page)?.hasPrefix("<select") == true)
        }
    }

    @Test func emptyFieldsCountAsAbsent() async throws {
        try await ServerFixture.shared.run { client in
            let bare = try await Self.page("/reports/history", client)
            let sent = try await Self.page("/reports/history?from=&to=&user=&habit=", client)
            #expect(sent.status == 200, "\(sent)")
            #expect(sent.text == bare.text)
            // The rule is one of forms: programs get the error as before.
            let program = try await client.send(path: "/reports/history?from=", as: "owner")
            #expect(program.status == 400 || program.status == 422, "\(program)")
        }
    }

    @Test func valuesOfAddressAreInTheFields() async throws {
        try await ServerFixture.shared.run { client in
            let path = "/reports/completion?from=today-5&to=2026-11-19&by=day&habit=run"
            let page = try await Self.page(path, client)
            #expect(page.status == 200, "\(page)")
            #expect(Self.field("from", in: page)?.contains(#"value="2026-11-15""#) == true)
            #expect(Self.field("to", in: page)?.contains(#"value="2026-11-19""#) == true)
            #expect(page.text.contains(#"<option value="day" dir="auto" selected>"#))
            #expect(page.text.contains(#"<option value="run" dir="auto" selected>"#))
            let csv = "/reports/completion?from=today-5&amp;to=2026-11-19&amp;by=day&amp;habit=run&amp;f=csv"
            #expect(page.text.contains("href=\"\(csv)\""))
        }
    }

    // MARK: Positions

    @Test func twoFieldsMakeAPosition() async throws {
        try await ServerFixture.shared.run { client in
            let path = "/reports/near?near-latitude=50&near-longitude=10&within=500m"
            let page = try await Self.page(path, client)
            #expect(page.status == 200, "\(page)")
            #expect(page.text.contains("r17"))
            #expect(!page.text.contains("r18"))
            #expect(page.text.contains("near=10%2C50&amp;within=500m&amp;f=geojson"))
            let shared = try await Self.page("/reports/near?near=10,50&within=500m", client)
            #expect(Self.field("near-longitude", in: shared)?.contains(#"value="10""#) == true)
            #expect(Self.field("near-latitude", in: shared)?.contains(#"value="50""#) == true)
        }
    }

    @Test func fieldsOfPositionAreOnlyForPages() async throws {
        try await ServerFixture.shared.run { client in
            let refused = try await client.send(path: "/reports/near?near-latitude=50&near-longitude=10", as: "owner")
            #expect(refused.status == 400, "\(refused)")
            #expect(refused.field == "near-latitude", "\(refused)")
        }
    }

    // MARK: Problems

    @Test(arguments: ["near", "items-near"]) func missingPositionIsAskedFor(id: String) async throws {
        try await ServerFixture.shared.run { client in
            for query in ["", "?near=&near-latitude=&near-longitude=&within="] {
                let page = try await Self.page("/reports/\(id)\(query)", client)
                #expect(page.status == 200, "\(page)")
                #expect(page.text.contains("The report needs one more value"))
                #expect(page.text.contains(##"href="#parameter-near-latitude""##))
                #expect(!page.text.contains("aria-invalid"))
                #expect(!page.text.contains("<table"))
            }
            let program = try await client.send(path: "/reports/\(id)", as: "owner")
            #expect(program.status == 400, "\(program)")
        }
    }

    @Test(
        arguments: [
            ("/reports/completion?from=%3Cb%3E", "from"), ("/reports/completion?habit=nothing", "habit"),
            ("/reports/completion?by=year", "by"), ("/reports/streaks?minimum=many", "minimum"),
        ])
    func refusedValueIsAtItsField(path: String, name: String) async throws {
        try await ServerFixture.shared.run { client in
            let program = try await client.send(path: path, as: "owner")
            let page = try await Self.page(path, client)
            #expect(page.status == program.status, "\(page)")
            #expect(page.status >= 400, "\(page)")
            #expect(page.type == "text/html; charset=utf-8", "\(page)")
            let field = try #require(Self.field(name, in: page))
            #expect(field.contains(#"aria-invalid="true""#), "\(field)")
            #expect(field.contains("parameter-\(name)-problem\""), "\(field)")
            #expect(page.text.contains("<p class=\"problem\" id=\"parameter-\(name)-problem\">"))
            #expect(page.text.contains(#"role="alert""#))
            #expect(!page.text.contains("<b>"))
            #expect(!page.text.contains("<table"))
        }
    }

    @Test func refusedPositionIsAtBothFields() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await Self.page("/reports/near?near-latitude=500&near-longitude=", client)
            #expect(page.status == 400, "\(page)")
            #expect(page.text.contains("Write the latitude from -90 to 90"))
            #expect(Self.field("near-latitude", in: page)?.contains(#"value="500""#) == true)
            #expect(page.text.matches(of: /aria-invalid="true"/).count == 2)
        }
    }

    @Test func positionOfNewestEventNeedsOne() async throws {
        try await ServerFixture.shared.run { client in
            let refused = try await Self.page("/reports/near?near=last", as: "all", client)
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.text.contains("parameter-near-problem"))
            let found = try await Self.page("/reports/near?near=last", client)
            #expect(found.status == 200, "\(found)")
            #expect(Self.field("near", in: found)?.contains(" checked") == true)
        }
    }

    @Test func operatorIsAskedForAUser() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await Self.page("/reports/friends-latest", as: "operator", client)
            #expect(page.status == 200, "\(page)")
            #expect(page.text.contains("The report needs one more value"))
            let near = try await Self.page("/reports/near", as: "operator", client)
            #expect(!near.text.contains(#"value="last""#))
        }
    }

    @Test func problemOfAnotherParameterIsAPageOfAProblem() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await Self.page("/reports/todo?limit=x", client)
            #expect(page.status == 400, "\(page)")
            #expect(!page.text.contains("report-form"))
        }
    }

    // MARK: The result

    @Test(arguments: ["completion", "habits", "rhythm", "score", "calendar", "posts", "todo"])
    func pageHasPolicyWithoutInlineSheetsAndScripts(id: String) async throws {
        try await ServerFixture.shared.run { client in
            let page = try await Self.page("/reports/\(id)", client)
            #expect(page.status == 200, "\(page)")
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("style-src 'self';"), "\(policy)")
            #expect(!policy.contains("script-src"))
            for name in ["report-page.css", "charts.css"] {
                let sheet = WebFiles.all.path(of: name)
                #expect(page.text.contains(#"<link rel="stylesheet" href="/\#(sheet)">"#), "\(name)")
            }
            #expect(!page.text.contains("<style"))
            #expect(!page.text.contains("<script"))
            #expect(page.text.matches(of: /<h1>/).count == 1)
            #expect(page.text.contains(">All rows as</h3>"))
            #expect(page.text.contains("habitat report run \(id) --as owner</code>"))
        }
    }

    @Test func pageIsNotSentAgain() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await Self.page("/reports/todo", client)
            let json = try await client.send(path: "/reports/todo", as: "owner")
            #expect(page.tag != json.tag)
            var headers = Self.browser
            headers[.ifNoneMatch] = page.tag
            let again = try await client.send(path: "/reports/todo", as: "owner", headers: headers)
            #expect(again.status == 304, "\(again)")
        }
    }

    @Test func presetsSetThePeriod() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await Self.page("/reports/completion?from=today-90&by=day", client)
            #expect(page.text.contains(#"href="/reports/completion?from=today-27&amp;by=day">4 weeks</a>"#))
            #expect(page.text.contains(#"by=day" aria-current="true">Quarter</a>"#))
            let weeks = try await Self.page("/reports/score", client)
            #expect(weeks.text.contains(#"href="/reports/score?weeks=52">Year</a>"#))
            let none = try await Self.page("/reports/todo", client)
            #expect(!none.text.contains("report-presets"))
        }
    }

    @Test func pageWorksBelowPath() async throws {
        let fixture = try await ServerFixture(Scene.friends) { $0.publicURL = "https://host.example/habits/" }
        try await fixture.run { client in
            let page = try await Self.page("/reports/completion", client)
            #expect(page.text.contains(#"action="/habits/reports/completion""#))
            #expect(page.text.contains(#"href="/habits/reports/completion?f=csv""#))
            let list = try await Self.page("/reports", client)
            #expect(list.text.contains(#"action="/habits/reports""#))
            #expect(list.text.contains(#"href="/habits/reports/todo""#))
        }
    }
}
