import Foundation
import HabitTestSupport
import Testing

/// Tests of the options for tables of other programs, in `import` and in `ingest`.
@Suite struct ForeignTableTests {
    private func store() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("id,time_zone\nana,Europe/Lisbon\nbob,Europe/Lisbon\n", to: "base/users.csv")
        try folder.write("id,user,title,days\nrun,ana,Laufen,1111111\nswim,bob,Laufen,1111111\n", to: "base/habits.csv")
        try #require(try Program.habitat("ingest", "base", in: folder).status == 0)
        return folder
    }

    private func events(in folder: TemporaryFolder) throws -> [String] {
        let run = try Program.habitat(
            "query", "SELECT habit, day, at, outcome, amount, comment FROM events ORDER BY day, habit", "--format",
            "csv", in: folder)
        return Array(run.lines.dropFirst())
    }

    private static let german = """
        Datum;Uhrzeit;Gewohnheit;Nutzer;Erledigt;Menge;Notiz
        01.04.2026;07:15;run;ana;ja;5,2;müde
        02.04.2026;;laufen;ana;ja;1.005,5;
        03.04.2026;;run;ana;nein;;
        04.04.2026;;run;ana;übersprungen;;krank
        """

    private static let options = [
        "--delimiter", ";", "--date-format", "dd.MM.yyyy", "--time-zone", "Europe/Berlin", "--map", "day=Datum",
        "--map", "time=Uhrzeit", "--map", "habit=Gewohnheit", "--map", "outcome=Erledigt", "--map", "amount=Menge",
        "--map", "comment=Notiz", "--value", "ja=done", "--value", "nein=none", "--value", "übersprungen=skipped",
    ]

    private static let expected = [
        "run,2026-04-01,2026-04-01T07:15:00+02:00,done,5.2,müde", "run,2026-04-02,,done,1005.5,",
        "run,2026-04-04,,skipped,,krank",
    ]

    @Test(arguments: ["utf8", "latin1", "utf16"]) func bothCommandsReadTableOfSpreadsheet(encoding: String) throws {
        let data: Data? =
            switch encoding {
            case "latin1": Self.german.data(using: .isoLatin1)
            case "utf16": Data([0xFF, 0xFE]) + (Self.german.data(using: .utf16LittleEndian) ?? Data())
            default: Data([0xEF, 0xBB, 0xBF]) + Data(Self.german.utf8)
            }
        for command in [["import", "events.csv", "--user", "ana"], ["ingest", "events.csv", "--map", "user=Nutzer"]] {
            let folder = try store()
            try folder.write(try #require(data), to: "events.csv")
            let run = try Program.habitat(command + Self.options + ["--encoding", encoding], in: folder)
            #expect(run.status == 0, "\(run)")
            #expect(try events(in: folder) == Self.expected)
        }
    }

    @Test func bothCommandsCreateHabits() throws {
        let text = "date,activity,user\n2026-04-01,Chess,ana\n2026-04-02,chess,ana\n"
        for command in [
            ["import", "events.csv", "--user", "ana"],
            ["ingest", "events.csv", "--map", "habit=activity", "--map", "day=date"],
        ] {
            let folder = try store()
            try folder.write(text, to: "events.csv")
            #expect(try Program.habitat(command, in: folder).status == 65)
            #expect(try events(in: folder).isEmpty)
            let run = try Program.habitat(command + ["--create-habits"], in: folder)
            #expect(run.status == 0, "\(run)")
            #expect(try events(in: folder).count == 2)
            #expect(try Program.habitat(command + ["--create-habits"], in: folder).status == 0)
            #expect(try events(in: folder).count == 2)
        }
    }

    @Test(
        arguments: [
            ["--delimiter", "ab"], ["--delimiter", "x"], ["--decimal", ";"], ["--date-format", "dd.MM"],
            ["--encoding", "ebcdic"], ["--map", "day"], ["--map", "colour=Farbe"], ["--map", "email=habit"],
            ["--value", "ja=perhaps"], ["--kind", "users"],
        ])
    func invalidOptionIsUsageError(options: [String]) throws {
        let folder = try store()
        try folder.write("day,habit\n2026-04-01,run\n", to: "events.csv")
        let run = try Program.habitat(["import", "events.csv", "--user", "ana"] + options, in: folder)
        #expect(run.status == 64, "\(run)")
    }

    @Test func mappedColumnMustExist() throws {
        let folder = try store()
        try folder.write("day,habit,x\n2026-04-01,run,1\n", to: "events.csv")
        let run = try Program.habitat(
            "import", "events.csv", "--user", "ana", "--map", "comment=Notiz", in: folder)
        #expect(run.status == 65 && run.errors.contains("no column 'Notiz'"), "\(run)")
    }

    @Test(
        arguments: [
            ("2026-04-01,Run,maybe,", "outcome-invalid"), ("2026-02-30,Laufen,1,", "day-invalid"),
            ("2026-04-01,Chess,1,", "unknown-reference"), ("2026-04-01,Laufen,1,-5", "field-invalid"),
            (",Laufen,1,", "field-missing"), ("2026-04-01,,1,", "field-missing"),
        ])
    func damagedRowIsRejected(row: String, slug: String) throws {
        let folder = try store()
        try folder.write("day,habit,status,amount\n\(row)\n", to: "events.csv")
        let run = try Program.habitat("import", "events.csv", "--user", "ana", "--format", "csv", in: folder)
        #expect(run.status == 65 && ImportCounts(run).reasons("rejected") == [slug: 1], "\(run)")
    }
}
