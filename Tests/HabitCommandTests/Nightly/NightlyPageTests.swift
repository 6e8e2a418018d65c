import Foundation
import HabitTestSupport
import Testing

/// Tests of the page, the pages of the users, the summary and the list of nightly runs.
@Suite(.engineIndependent) struct NightlyPageTests {
    /// A store with three users and their habits, and nightly runs of it.
    private struct Fixture {
        let folder: TemporaryFolder

        /// Creates a store in which Ann does one of two habits on November 20 and both on November 19.
        ///
        /// The other users have the IDs `b/ö` and `quiet`. The latter stopped 14 days before November 20.
        init() async throws {
            folder = try TemporaryFolder()
            var lines = """
                {"kind":"users","id":"ann","name":"Ann <b>"}
                {"kind":"users","id":"b/ö"}
                {"kind":"users","id":"quiet"}
                {"kind":"habits","id":"read","user":"ann","title":"Read","days":"1111111","start":"2026-11-01"}
                {"kind":"habits","id":"run","user":"ann","title":"Run","days":"1111111","start":"2026-11-01"}
                {"kind":"habits","id":"swim","user":"b/ö","title":"Swim","days":"1111111","start":"2026-11-01"}
                {"kind":"habits","id":"rest","user":"quiet","title":"Rest","days":"fri","start":"2026-11-01"}
                {"kind":"events","habit":"rest","day":"2026-11-06"}

                """
            for day in 1...20 {
                let text = "2026-11-\(day < 10 ? "0" : "")\(day)"
                lines += "{\"kind\":\"events\",\"habit\":\"read\",\"day\":\"\(text)\"}\n"
                if day < 20 { lines += "{\"kind\":\"events\",\"habit\":\"run\",\"day\":\"\(text)\"}\n" }
                if day > 18 { lines += "{\"kind\":\"events\",\"habit\":\"swim\",\"day\":\"\(text)\"}\n" }
            }
            try folder.write(lines, to: "all.ndjson")
            let load = try await Program.habitat("ingest", "all.ndjson", "--now", "2026-11-21T12:00:00Z", in: folder)
            try #require(load.status == 0, "\(load)")
        }

        @discardableResult
        func nightly(_ arguments: String..., to nights: String = "nights") async throws -> ProgramResult {
            let result = try await Program.habitat(
                ["nightly", "--output", nights, "--now", "2026-11-21T12:00:00Z"] + arguments, in: folder)
            #expect(result.status == 0, "\(result)")
            return result
        }

        func read(_ file: String) throws -> String { try folder.read("nights/\(file)") }
    }

    // MARK: Headline

    @Test func pageAndSummaryBeginWithFiguresAndChanges() async throws {
        let fixture = try await Fixture()
        try await fixture.nightly("--date", "2026-11-20")
        let page = try fixture.read("2026-11-20/index.html")
        #expect(page.contains("<div><dt>Done</dt><dd>2 of 4<small>50 %</small></dd></div>"), "\(page)")
        #expect(
            page.contains("<dt>Change</dt><dd>\u{2212}1<small>3 of 3, 100 % on <time>2026-11-19</time></small></dd>"))
        #expect(page.contains("<dt>Events</dt><dd>2<small>by 2 of 3 users</small></dd>"))
        #expect(page.contains("<dt>Quiet users</dt><dd>1<small>quiet</small></dd>"))
        #expect(page.contains("<li><b>20 days</b> ann: Read</li>\n<li><b>2 days</b> <bdi>b/ö: Swim</bdi></li>"))
        #expect(
            try fixture.read("2026-11-20/manifest.json").contains(
                "\"figures\" : {\n    \"done\" : 2,\n    \"due\" : 4\n  }"))
        let summary = try fixture.read("2026-11-20/summary.txt")
        #expect(summary.contains("Done: 2 of 4, 50 %, 1 fewer than on 2026-11-19 (3 of 3, 100 %).\n"), "\(summary)")
        #expect(summary.contains("Quiet users: 1.\n\nSince 2026-11-19\n"))
        for change in [
            "Events: 2, and 3 on the day before.", "1 habit has no streak any longer: ann: Run after 19 days.",
            "1 user is quiet now: quiet.",
        ] {
            #expect(page.contains("<li>\(change)</li>"), "\(change)")
            #expect(summary.contains("- \(change)\n"), "\(change)")
        }
        // On the day after, the user is not newly quiet.
        try await fixture.nightly("--date", "2026-11-19")
        #expect(try !fixture.read("2026-11-19/index.html").contains("quiet now"))
    }

    @Test func figuresOfDayBeforeDoNotDependOnArchive() async throws {
        let fixture = try await Fixture()
        try await fixture.nightly("--since", "2026-11-18", "--date", "2026-11-20")
        try await fixture.nightly("--date", "2026-11-20", to: "other")
        for file in ["index.html", "summary.txt", "manifest.json", "user-ann.html"] {
            let other = try fixture.folder.read("other/2026-11-20/\(file)")
            #expect(try fixture.read("2026-11-20/\(file)") == other, "\(file)")
        }
    }

    @Test func firstPossibleDateHasNoChanges() async throws {
        let fixture = try await Fixture()
        try await fixture.nightly("--date", "0001-01-01")
        #expect(try !fixture.read("0001-01-01/index.html").contains("Since"))
    }

    @Test func changesAreBounded() async throws {
        let fixture = try await Fixture()
        let habits = (0..<60).map { "h\($0),ann,Habit with number \($0),1111111,2026-11-01" }
        try fixture.folder.write(
            "id,user,title,days,start\n" + habits.joined(separator: "\n") + "\n", to: "habits.csv")
        let events = (0..<60).flatMap { habit in (1...19).map { "h\(habit),2026-11-\($0 < 10 ? "0" : "")\($0)" } }
        try fixture.folder.write("habit,day\n" + events.joined(separator: "\n") + "\n", to: "events.csv")
        #expect(
            try await Program.habitat(
                "ingest", "habits.csv", "events.csv", "--now", "2026-11-21T12:00:00Z", in: fixture.folder
            ).status == 0)
        try await fixture.nightly("--date", "2026-11-20")
        let page = try fixture.read("2026-11-20/index.html")
        let changes = try #require(page.firstMatch(of: /<section id="changes">[\s\S]*?<\/section>/)).output
        #expect(changes.contains("61 habits have no streak any longer: "))
        #expect(changes.contains(", and 58 more."))
        #expect(changes.utf8.count < 3000)
    }

    // MARK: Pages of users

    @Test func eachUserHasPageWithOwnHabitsOnly() async throws {
        let fixture = try await Fixture()
        try await fixture.nightly("--date", "2026-11-20")
        let ann = try fixture.read("2026-11-20/user-ann.html")
        #expect(ann.contains("<h1>Ann &lt;b&gt; (ann) on Friday, <time>2026-11-20</time></h1>"))
        #expect(ann.contains("<div><dt>Done</dt><dd>1 of 2<small>50 %</small></dd></div>"))
        #expect(ann.contains("aria-label=\"Read: 20 done\""))
        #expect(!ann.contains("ann: "))
        #expect(ann.contains("<a href=\"../index.html?page=user-ann.html#before-2026-11-20\">"))
        #expect(ann.contains("<a href=\"../index.html?page=user-ann.html#after-2026-11-20\">"))
        #expect(ann.contains("1 missed"))
        #expect(!ann.contains("<th scope=\"col\">user</th>"))
        #expect(ann.contains("<section id=\"habits\">"))
        #expect(ann.contains("<section id=\"score\">"))
        #expect(!ann.contains("Swim"))
        #expect(!ann.contains("Rest"))
        #expect(ann.contains("<a href=\"index.html\">"))
        let other = try fixture.read("2026-11-20/user-b%2F%C3%B6.html")
        #expect(other.contains("Swim"))
        #expect(!other.contains("ann:"))
        // The address of a file represents each percent sign by %25.
        let page = try fixture.read("2026-11-20/index.html")
        #expect(page.contains("<a href=\"user-b%252F%25C3%25B6.html\"><bdi>b/ö</bdi></a>"))
        let links = page.matches(of: /href="(user-[^"]*)"/).map { String($0.1).replacing("%25", with: "%") }
        #expect(Set(links).count == 3)
        for link in links {
            #expect(FileManager.default.fileExists(atPath: fixture.folder.file("nights/2026-11-20/\(link)")), "\(link)")
        }
    }

    @Test func pageOfManyUsersIsBounded() async throws {
        let folder = try TemporaryFolder()
        func run(_ users: Int) async throws -> (page: String, names: [String]) {
            let name = "store\(users)"
            var lines = ""
            for user in 0..<users {
                lines += """
                    {"kind":"users","id":"u\(user)"}
                    {"kind":"habits","id":"h\(user)","user":"u\(user)","title":"Habit","days":"1111111","start":"2026-09-01"}
                    {"kind":"events","habit":"h\(user)","day":"2026-11-20","longitude":\(Double(user) / 100),"latitude":50}

                    """
            }
            try folder.write(lines, to: "\(name).ndjson")
            let load = try await Program.habitat(
                "ingest", "\(name).ndjson", "--store", "\(name).db", "--now", "2026-11-21T12:00:00Z", in: folder)
            #expect(load.status == 0, "\(load)")
            let night = try await Program.habitat(
                "nightly", "--store", "\(name).db", "--output", name, "--date", "2026-11-20", "--now",
                "2026-11-21T12:00:00Z", in: folder)
            #expect(night.status == 0, "\(night)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("\(name)/2026-11-20"))
            return (try folder.read("\(name)/2026-11-20/index.html"), names)
        }
        let large = try await run(400)
        let page = large.page
        #expect(large.names.filter { $0.hasPrefix("user-") }.count == 400)
        #expect(page.utf8.count < 250_000, "\(page.utf8.count)")
        #expect(page.components(separatedBy: "<tr><td").count < 3 * 101 + 1)
        #expect(page.contains("The first 100 of 400 rows: all are in nightly-summary.csv"))
        #expect(page.contains("Number of rows by completion rate"))
        #expect(page.contains("<a href=\"users.html\">All users</a>"))
        // A section without charts and rows would be empty.
        #expect(!page.contains("Score over time"))
        #expect(!page.contains("<section id=\"calendar\">"))
        let list = try folder.read("store400/2026-11-20/users.html")
        #expect(list.components(separatedBy: "<td><a href=\"user-u").count == 401)
        let summary = try folder.read("store400/2026-11-20/summary.txt")
        #expect(summary.contains("user-ID.html: the pages of the users (400)"))
        // With few habits, the page itself has the calendars.
        let small = try await run(12)
        #expect(small.page.contains("aria-label=\"u11: Habit: 1 done"))
        #expect(small.names.contains("users.html"))
        // The labels of the bars are links too.
        #expect(small.page.contains("<span><a href=\"user-u11.html\">u11</a></span>"))
    }

    @Test func summaryListsUpTo500RowsAndNamesFile() async throws {
        let folder = try TemporaryFolder()
        let lines = (0..<502).map {
            """
            {"kind":"users","id":"u\($0)"}
            {"kind":"habits","id":"h\($0)","user":"u\($0)","title":"Habit","days":"sun","start":"2026-09-01"}

            """
        }
        try folder.write(lines.joined(), to: "all.ndjson")
        #expect(try await Program.habitat("ingest", "all.ndjson", in: folder).status == 0)
        let night = try await Program.habitat(
            "nightly", "--output", "nights", "--date", "2026-11-20", "--now", "2026-11-21T12:00:00Z", in: folder)
        #expect(night.status == 0, "\(night)")
        let summary = try folder.read("nights/2026-11-20/summary.txt")
        #expect(summary.contains("\n… and 2 more rows in nightly-summary.csv\n"))
    }

    // MARK: Summary

    @Test func summaryFitsMailWithAllColumns() async throws {
        let fixture = try await Fixture()
        let id = String(repeating: "long-id-", count: 7)
        try fixture.folder.write(
            """
            {"kind":"users","id":"\(id)"}
            {"kind":"habits","id":"\(id)-habit","user":"\(id)","title":"とても長い題名とても 長い題名","days":"1111111","start":"2026-11-01"}
            {"kind":"events","id":"\(id)-event","habit":"\(id)-habit","day":"2026-11-20"}

            """, to: "long.ndjson")
        #expect(
            try await Program.habitat("ingest", "long.ndjson", "--now", "2026-11-21T12:00:00Z", in: fixture.folder)
                .status
                == 0)
        try await fixture.nightly("--date", "2026-11-20")
        let summary = try fixture.read("2026-11-20/summary.txt")
        #expect(summary.contains("とても長い"))
        #expect(summary.contains("long-id-"))
        for line in summary.split(separator: "\n") {
            // The wide characters of the title have two columns.
            let widths = line.unicodeScalars.map { (0x3000...0x9FFF).contains($0.value) ? 2 : 1 }
            #expect(widths.reduce(0, +) <= 78, "\(line)")
        }
        for name in ["user", "due", "done", "rate", "streak", "title", "events", "skipped", "unplanned"] {
            #expect(summary.contains(name), "\(name)")
        }
        #expect(!summary.replacing("… and", with: "").contains("…"), "nothing is truncated or omitted")
    }

    // MARK: List of runs

    @Test func listHasRunsWithFiguresAndAnchorsForLinks() async throws {
        let fixture = try await Fixture()
        try await fixture.nightly("--date", "2026-11-17")
        try await fixture.nightly("--date", "2026-11-20")
        let list = try fixture.read("index.html")
        #expect(list.contains("<a href=\"2026-11-20/index.html\">2026-11-20</a></td><td>Friday</td>"))
        #expect(list.contains("<td class=\"n\">2 of 4</td><td class=\"n\">50 %</td>"))
        let first = try #require(list.range(of: "<tr id=\"2026-11-20\">"))
        let second = try #require(list.range(of: "<tr id=\"2026-11-17\">"))
        #expect(first.lowerBound < second.lowerBound, "newest first")
        // The links of a page lead to the runs next to it, also over a gap.
        let page = try fixture.read("2026-11-17/index.html")
        #expect(page.contains("href=\"../index.html#after-2026-11-17\""))
        #expect(page.contains("#before-2026-11-17\""))
        #expect(list[first.lowerBound..<second.lowerBound].contains("id=\"after-2026-11-17\""))
        #expect(list[second.lowerBound...].contains("id=\"before-2026-11-20\""))
        #expect(!list.contains("after-2026-11-20"))
        #expect(!list.contains("before-2026-11-17"))
        // The list follows every change of the archive.
        try await fixture.nightly("--date", "2026-11-18")
        #expect(try fixture.read("index.html").contains("2026-11-18"))
        try await fixture.nightly("--date", "2026-11-20", "--keep", "1")
        let last = try fixture.read("index.html")
        #expect(!last.contains("2026-11-18"))
        #expect(last.contains("<p class=\"count\">1 date</p>"))
    }

    @Test func listMarksPreliminaryRuns() async throws {
        let fixture = try await Fixture()
        let result = try await Program.habitat("user", "edit", "ann", "--time-zone", "Etc/GMT+12", in: fixture.folder)
        #expect(result.status == 0, "\(result)")
        let night = try await Program.habitat(
            "nightly", "--output", "nights", "--date", "2026-11-20", "--now", "2026-11-21T05:00:00Z", in: fixture.folder
        )
        #expect(night.status == 0)
        #expect(try fixture.read("index.html").contains("<small>preliminary for 1 user</small></td>"))
        try await fixture.nightly("--since", "2026-11-20")
        #expect(try !fixture.read("index.html").contains("preliminary"))
    }

    @Test func unchangedListIsNotWrittenAgain() async throws {
        let fixture = try await Fixture()
        func inode() throws -> UInt64? {
            let path = fixture.folder.file("nights/index.html")
            return try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
        }
        try await fixture.nightly("--since", "2026-11-19")
        let before = try inode()
        try await fixture.nightly("--since", "2026-11-19")
        #expect(try inode() == before)
        // A list that was damaged or removed is written again.
        try FileManager.default.removeItem(atPath: fixture.folder.file("nights/index.html"))
        try await fixture.nightly("--since", "2026-11-19")
        #expect(try fixture.read("index.html").contains("2026-11-19"))
    }

    @Test func fileThatIsNotListIsKept() async throws {
        let fixture = try await Fixture()
        try fixture.folder.write("<h1>Mine</h1>", to: "nights/index.html")
        let result = try await Program.habitat(
            "nightly", "--output", "nights", "--date", "2026-11-20", "--now", "2026-11-21T12:00:00Z", in: fixture.folder
        )
        #expect(result.status == 73, "\(result)")
        #expect(result.errors.hasPrefix("error[output-exists]"), "\(result)")
        #expect(try fixture.read("index.html") == "<h1>Mine</h1>")
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.file("nights/2026-11-20")))
    }

    // The error of the report is one of SQLite.
    @Test(.fileStoreOnly) func listContainsDaysBeforeFailedDay() async throws {
        let fixture = try await Fixture()
        try fixture.folder.write(
            """
            -- title: Bad
            -- description: Fails from November 20 on.
            -- parameter: date date default yesterday - The report day.
            -- column: id text - An ID.
            -- key: id
            -- formats: csv
            -- nightly: csv
            SELECT CASE WHEN :date >= '2026-11-20' THEN json('{') ELSE 'a' END AS id
            FROM users
            ORDER BY id
            """, to: "mine/bad.sql")
        let result = try await Program.habitat(
            "nightly", "--output", "nights", "--since", "2026-11-19", "--reports", "mine", "--now",
            "2026-11-21T12:00:00Z", in: fixture.folder)
        #expect(result.status != 0)
        let list = try fixture.read("index.html")
        #expect(list.contains("2026-11-19"), "\(result)")
        #expect(!list.contains("<tr id=\"2026-11-20\">"), "\(result)")
    }

    // MARK: Columns

    @Test func pageHasPercentagesAndColoredStatus() async throws {
        let fixture = try await Fixture()
        try await fixture.nightly("--date", "2026-11-20")
        for file in ["index.html", "user-ann.html"] {
            let page = try fixture.read("2026-11-20/\(file)")
            #expect(
                page.contains("<span class=\"status\"><i class=\"dot on-track\"></i>On track</span>"),
                "\(file)")
            #expect(page.contains("<td class=\"n\">95 %</td>"), "\(file)")
            #expect(!page.contains("0.95"))
            #expect(page.contains("<th scope=\"col\" class=\"n\">completion rate</th>"))
        }
        // The files for programs contain the number.
        #expect(try fixture.read("2026-11-20/habits.csv").contains(",0.95"))
    }
}
