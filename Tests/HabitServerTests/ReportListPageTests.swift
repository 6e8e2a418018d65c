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

/// Tests of the page with all reports.
@Suite(.engineIndependent, .serialized, .server(Scene.friends)) struct ReportListPageTests {
    static let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]

    private static func headings(_ page: ServerResponse) -> [String] {
        let heading = /<h2[^>]*>([^<]*)<\/h2>/
        return page.text.matches(of: heading).map { match in String(match.1) }
    }

    /// Returns the IDs of the reports to which the page links.
    private static func ids(_ page: ServerResponse) -> [String] {
        page.text.matches(of: /<h3><a href="\/reports\/([a-z-]+)">/).map { match in String(match.1) }
    }

    @Test func personSeesGroupsWithoutThoseOfTheOperator() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/reports", as: "owner", headers: Self.browser)
            #expect(page.status == 200, "\(page)")
            #expect(page.type == "text/html; charset=utf-8")
            #expect(Self.headings(page) == ["My day", "Habits", "Places", "Items and posts"])
            #expect(page.text.contains(#"<a href="/reports/todo">To do</a>"#))
            #expect(page.text.contains(#"class="picture""#))
            #expect(!page.text.contains(" style="))
        }
    }

    @Test func operatorSeesEveryReportOnce() async throws {
        let fixture = try ServerFixture.shared
        try await fixture.run { client in
            let page = try await client.send(path: "/reports?f=html", as: "operator")
            #expect(Self.headings(page).suffix(2) == ["Alerts", "Nights"])
            #expect(Self.ids(page).sorted() == fixture.server.services.catalog.ids)
        }
    }

    @Test func visitorHasToSignIn() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/reports", headers: Self.browser)
            #expect(page.status == 401, "\(page)")
            #expect(page.text.contains("/sign-in?to=%2Freports"))
        }
    }

    @Test func programGetsJSON() async throws {
        try await ServerFixture.shared.run { client in
            let plain = try await client.send(path: "/reports", as: "owner")
            let named = try await client.send(path: "/reports?f=json", as: "owner", headers: Self.browser)
            #expect(plain.type == "application/json", "\(plain)")
            #expect(plain.body == named.body)
        }
    }

    @Test func searchFindsWordsOfTitleAndDescription() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/reports?q=POSITION+near", as: "owner", headers: Self.browser)
            #expect(Set(Self.ids(page)).isSuperset(of: ["near", "items-near"]), "\(Self.ids(page))")
            #expect(!Self.ids(page).contains("todo"))
            #expect(page.text.contains(#"value="POSITION near""#))
            #expect(page.text.contains("Show all reports"))
            let json = try await client.send(path: "/reports?q=position+near", as: "owner")
            let found = json.json["reports"] as? [[String: Any]] ?? []
            #expect(found.count >= 2, "\(json)")
            #expect(!found.contains { report in report["id"] as? String == "todo" })
        }
    }

    @Test func searchedTextIsEscaped() async throws {
        try await ServerFixture.shared.run { client in
            let query = "<script>alert(1)</script>\"'".urlEncoded
            let page = try await client.send(path: "/reports?q=\(query)", as: "owner", headers: Self.browser)
            #expect(page.status == 200, "\(page)")
            #expect(page.text.contains("No report contains the words"))
            #expect(!page.text.contains("<script"))
            #expect(page.text.contains("value=\"&lt;script&gt;"))
        }
    }

    /// The operator runs the report, because only the operator of a store on PostgreSQL needs no login for analysts.
    @Test func customReportHasGroupAndPage() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            -- title: <i>Numbers</i>
            -- description: Only numbers. No more.
            -- group: items
            -- parameter: least integer default 1 - Smallest <b>number</b>.
            -- column: n integer - A number.
            -- key: n
            -- formats: csv
            WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 150)
            SELECT n
            FROM many
            WHERE n >= :least
            ORDER BY n
            """, to: "numbers.sql")
        try await ServerFixture(Scene.friends) { $0.reportFolders = [folder.path] }.run { client in
            let list = try await client.send(path: "/reports", as: "operator", headers: Self.browser)
            #expect(list.text.contains(#"<a href="/reports/numbers">&lt;i&gt;Numbers&lt;/i&gt;</a>"#))
            #expect(list.text.contains("<p>Only numbers.</p>"))
            let page = try await client.send(path: "/reports/numbers?least=11", as: "operator", headers: Self.browser)
            #expect(page.status == 200, "\(page)")
            #expect(page.text.contains("The first 100 of 140 rows"), "\(page)")
            #expect(page.text.contains(">CSV</a>"))
            #expect(!page.text.contains(">JSON</a>"))
            #expect(!page.text.contains("<b>"))
            // The author of the report has decided that it has no file page.
            let named = try await client.send(path: "/reports/numbers?f=html", as: "operator")
            #expect(named.slug == "format-not-available", "\(named)")
        }
    }
}
