import Foundation
import HabitTestSupport
import Testing

/// Tests of `nightly --per-user` and `nightly --every`.
@Suite struct NightlyDigestTests {
    private static let now = "2026-12-02T12:00:00Z"

    /// A store in which `fay` follows `a/b`, and nobody follows `sam`.
    private static func store() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(
            "id,name,email\na/b,Ann,ann@example.org\nfay,,\nsam,Sam,sam@example.org\nidle,,idle@example.org\n",
            to: "users.csv")
        try folder.write(
            "id,user,title,days,reason,start\nread,a/b,Read,1111111,secret of Ann,2026-09-01\nrun,fay,Run,1111111,,2026-09-01\nsew,sam,Sew,1111111,,2026-09-01\n",
            to: "habits.csv")
        try folder.write("follower,followee,status,share\nfay,a/b,accepted,all\n", to: "follows.csv")
        try folder.write(
            "habit,day,comment\nread,2026-11-29,of Ann\nread,2026-11-27,earlier\nsew,2026-11-29,of Sam\n",
            to: "events.csv")
        let load = try Program.habitat(
            "ingest", "users.csv", "habits.csv", "follows.csv", "events.csv", "--now", now, in: folder)
        #expect(load.status == 0, "\(load)")
        return folder
    }

    private static func nightly(_ arguments: String..., in folder: TemporaryFolder) throws -> ProgramResult {
        try Program.habitat(["nightly", "--output", "nights", "--now", now] + arguments, in: folder)
    }

    @Test func digestContainsOnlyWhatItsUserCanSee() throws {
        let folder = try Self.store()
        let result = try Self.nightly("--date", "2026-11-29", "--per-user", in: folder)
        #expect(result.status == 0, "\(result)")
        let list = parseCSV(try folder.read("nights/2026-11-29/digests.csv"))
        #expect(
            list == [
                ["user", "name", "email", "text", "html"],
                ["a/b", "Ann", "ann@example.org", "digest-a%2Fb.txt", "digest-a%2Fb.html"],
                ["fay", nil, nil, "digest-fay.txt", "digest-fay.html"],
                ["sam", "Sam", "sam@example.org", "digest-sam.txt", "digest-sam.html"],
            ])
        let visible: [(file: String, shown: [String], hidden: [String])] = [
            ("digest-a%2Fb", ["of Ann", "Read"], ["of Sam", "Sew", "Run"]),
            ("digest-fay", ["of Ann", "Run"], ["of Sam", "Sew", "secret of Ann"]),
            ("digest-sam", ["of Sam", "Sew"], ["of Ann", "Read", "Run"]),
        ]
        for digest in visible {
            let page = try folder.read("nights/2026-11-29/\(digest.file).html")
            for text in digest.shown { #expect(page.contains(text), "\(digest.file): \(text)") }
            let summary = try folder.read("nights/2026-11-29/\(digest.file).txt")
            #expect(summary.hasPrefix("Habits on Sunday, 2026-11-29\nFor "), "\(summary)")
            #expect(summary.split(separator: "\n").allSatisfy { $0.count <= 78 }, "\(summary)")
            for text in digest.hidden {
                #expect(!page.contains(text) && !summary.contains(text), "\(digest.file): \(text)")
            }
        }
        #expect(try folder.read("nights/2026-11-29/summary.txt").contains("- digests.csv: 3 rows\n"))
        let plain = try Program.habitat(
            ["nightly", "--output", "plain", "--date", "2026-11-29", "--now", Self.now], in: folder)
        #expect(plain.status == 0, "\(plain)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("plain/2026-11-29/digests.csv")))
    }

    @Test func weekEndsOnSundayAndMonthOnLastDay() throws {
        let folder = try Self.store()
        let week = try Self.nightly("--every", "week", "--since", "2026-11-12", in: folder)
        #expect(week.status == 0, "\(week)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("nights")).sorted()
        #expect(
            names.filter { !$0.hasPrefix(".") && $0 != "index.html" } == [
                "2026-11-15", "2026-11-22", "2026-11-29", "latest",
            ])
        #expect(try folder.read("nights/latest/summary.txt").hasPrefix("Habits from 2026-11-23 to 2026-11-29\n"))
        let rows = parseCSV(try folder.read("nights/2026-11-29/period-summary.csv"))
        #expect(rows.contains(["a/b", "Ann", "7", "2", "0.285714", "0", "1"]), "\(rows)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("nights/2026-11-29/day-events.csv")))

        let mixed = try Self.nightly("--date", "2026-11-30", in: folder)
        #expect(mixed.status == 73 && mixed.errors.contains("contains the reports of each week"), "\(mixed)")
        let month = try Program.habitat(
            ["nightly", "--output", "months", "--every", "month", "--now", Self.now], in: folder)
        #expect(month.status == 0, "\(month)")
        #expect(try folder.read("months/2026-11-30/summary.txt").hasPrefix("Habits from 2026-11-01 to 2026-11-30\n"))
    }

    @Test func changedOptionsRepeatNights() throws {
        let folder = try Self.store()
        #expect(try Self.nightly("--since", "2026-11-29", "--date", "2026-11-29", in: folder).status == 0)
        let digests = try Self.nightly("--since", "2026-11-29", "--date", "2026-11-29", "--per-user", in: folder)
        #expect(digests.status == 0 && digests.errors.contains("changed: options"), "\(digests)")
    }
}
