import Foundation
import HabitTestSupport
import Testing

/// Tests of the options for tables of other programs, in `import` and in `ingest`.
@Suite(.engineIndependent) struct ForeignTableTests {
    private static let store = StoreTemplate([
        "users.csv": "id,time_zone\nana,Europe/Lisbon\nbob,Europe/Lisbon\n",
        "habits.csv": "id,user,title,days\nrun,ana,Laufen,1111111\nswim,bob,Laufen,1111111\n",
    ])

    private func events(in folder: TemporaryFolder) throws -> [String] {
        try folder.rows("SELECT habit, day, at, outcome, amount, comment FROM events ORDER BY day, habit")
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

    @Test(arguments: ["utf8", "latin1", "utf16"]) func bothCommandsReadTableOfSpreadsheet(encoding: String) async throws
    {
        let data: Data? =
            switch encoding {
            case "latin1": Self.german.data(using: .isoLatin1)
            case "utf16": Data([0xFF, 0xFE]) + (Self.german.data(using: .utf16LittleEndian) ?? Data())
            default: Data([0xEF, 0xBB, 0xBF]) + Data(Self.german.utf8)
            }
        for command in [["import", "events.csv", "--user", "ana"], ["ingest", "events.csv", "--map", "user=Nutzer"]] {
            let folder = try await Self.store.copy()
            try folder.write(try #require(data), to: "events.csv")
            let run = try await Program.habitat(command + Self.options + ["--encoding", encoding], in: folder)
            #expect(run.status == 0, "\(run)")
            #expect(try events(in: folder) == Self.expected)
        }
    }

    /// A load stores a space instead of each control character of a text with one line, and counts the texts.
    @Test func loadsReplaceBreaksInTextsOfOneLine() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            #"""
            {"kind":"users","id":"ana","name":"A\u0001na\r\nx,a@evil.example"}
            {"kind":"users","id":"bob","name":"Bob"}
            {"kind":"habits","id":"h","user":"ana","title":"Run\u2028far","days":"mon","reason":"a\u0085b","unit":"k\tm"}
            {"kind":"items","id":"i","user":"ana","name":"La\u001bmp","description":"two\nlines"}
            """#, to: "all.ndjson")
        let load = try await Program.habitat("ingest", "all.ndjson", in: folder)
        let notice =
            "Replaced control characters and line breaks by spaces in 5 texts, because a name, title, reason or unit is one line."
        #expect(load.status == 0, "\(load)")
        #expect(load.errors.contains(notice), "\(load)")
        let again = try await Program.habitat("ingest", "all.ndjson", "--format", "csv", in: folder)
        #expect(again.output.contains("\nhabits,0,0,1,0\n"), "\(again)")
        let texts =
            "SELECT user.name AS a, title, reason, unit, items.name AS b, description FROM users AS user, habits, items WHERE user.name <> 'Bob'"
        let rows = parseCSV(try folder.query([texts], .csv)[0])
        #expect(
            rows.dropFirst() == [["A na x,a@evil.example", "Run far", "a b", "k m", "La mp", "two\nlines"]], "\(rows)")

        try folder.write("date,habit\n2026-04-01,\"Che\nss\"\n2026-04-02,Che ss\n", to: "events.csv")
        let run = try await Program.habitat(
            "import", "events.csv", "--user", "ana", "--map", "day=date", "--create-habits", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.contains("by spaces in 1 text,"), "\(run)")
        #expect(try events(in: folder).count == 2)

        try folder.write(
            "id,email\nzoe,\"z@example.org,y@example.org\"\nyve,-yve@example.org\nxia,xia@example.org\n",
            to: "users.csv")
        let refused = try await Program.habitat("ingest", "users.csv", in: folder)
        #expect(refused.status == 65, "\(refused)")
        #expect(refused.errors.contains("2 rows were rejected"), "\(refused)")
        #expect(refused.errors.contains("email: the email is not an email address"), "\(refused)")
    }

    @Test func bothCommandsCreateHabits() async throws {
        let text = "date,activity,user\n2026-04-01,Chess,ana\n2026-04-02,chess,ana\n"
        for command in [
            ["import", "events.csv", "--user", "ana"],
            ["ingest", "events.csv", "--map", "habit=activity", "--map", "day=date"],
        ] {
            let folder = try await Self.store.copy()
            try folder.write(text, to: "events.csv")
            #expect(try await Program.habitat(command, in: folder).status == 65)
            #expect(try events(in: folder).isEmpty)
            let run = try await Program.habitat(command + ["--create-habits"], in: folder)
            #expect(run.status == 0, "\(run)")
            #expect(try events(in: folder).count == 2)
            #expect(try await Program.habitat(command + ["--create-habits"], in: folder).status == 0)
            #expect(try events(in: folder).count == 2)
        }
    }

    @Test(
        arguments: [
            ["--delimiter", "ab"], ["--delimiter", "x"], ["--decimal", ";"], ["--date-format", "dd.MM"],
            ["--encoding", "ebcdic"], ["--map", "day"], ["--map", "colour=Farbe"], ["--map", "email=habit"],
            ["--value", "ja=perhaps"], ["--kind", "users"],
        ])
    func invalidOptionIsUsageError(options: [String]) async throws {
        let folder = try await Self.store.copy()
        try folder.write("day,habit\n2026-04-01,run\n", to: "events.csv")
        let run = try await Program.habitat(["import", "events.csv", "--user", "ana"] + options, in: folder)
        #expect(run.status == 64, "\(run)")
    }

    /// The commands that read a table of events of one user.
    private static let commands = [["import", "events.csv", "--user", "ana"], ["ingest", "events.csv"]]

    @Test(arguments: commands) func mappedColumnMustExist(command: [String]) async throws {
        let folder = try await Self.store.copy()
        try folder.write("day,habit,x\n2026-04-01,run,1\n", to: "events.csv")
        let run = try await Program.habitat(command + ["--map", "comment=Notiz"], in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("no column 'Notiz' (columns: day, habit, x)"), "\(run)")
    }

    /// A separator that may separate decimals or thousands never becomes a number silently.
    @Test(arguments: commands) func ambiguousAmountIsRejected(command: [String]) async throws {
        let rows = ["5,2", "5.2", "5.125", "12.50", "1.500", "1.005,5", "1.234.567,5", "0.125", "1 500"]
        let table = rows.enumerated().map { "2026-04-0\($0.offset + 1);run;\($0.element)\n" }.joined()
        let cases: [([String], [String])] = [
            ([], ["5.2", "5.2", "12.5", "1005.5", "1234567.5", "0.125", "1500"]),
            (["--decimal", ","], ["5.2", "5125", "1500", "1005.5", "1234567.5", "1500"]),
            (["--decimal", "."], ["5.2", "5.125", "12.5", "1.5", "0.125", "1500"]),
        ]
        for (decimal, expected) in cases {
            let folder = try await Self.store.copy()
            try folder.write("day;habit;amount\n" + table, to: "events.csv")
            let run = try await Program.habitat(command + ["--delimiter", ";"] + decimal, in: folder)
            #expect(run.status == 65, "\(run)")
            #expect(run.errors.contains("--decimal . or --decimal ,") == decimal.isEmpty, "\(run)")
            let amounts = try events(in: folder).map {
                $0.split(separator: ",", omittingEmptySubsequences: false)[4]
            }
            #expect(amounts.map(String.init) == expected)
        }
    }

    @Test(arguments: commands) func commaInTableWithCommasIsNotGuessed(command: [String]) async throws {
        let folder = try await Self.store.copy()
        let amounts = ["\"1,500\"", "\"5,2\"", "\"1,005.5\"", "5.2"]
        let table = amounts.enumerated().map { "2026-04-0\($0.offset + 1),run,\($0.element)\n" }.joined()
        try folder.write("day,habit,amount\n" + table, to: "events.csv")
        let run = try await Program.habitat(command + ["--delimiter", ","], in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("'1,500' may separate decimals or thousands"), "\(run)")
        #expect(try events(in: folder).map { String($0.split(separator: ",")[3]) } == ["1005.5", "5.2"])
    }

    @Test(arguments: commands, ["status", "done", "value"])
    func aliasOfOutcomeHasWordsOfTable(command: [String], name: String) async throws {
        let folder = try await Self.store.copy()
        try folder.write(
            "day,habit,\(name)\n2026-04-01,run,x\n2026-04-02,run,s\n2026-04-03,run,-\n2026-04-04,run,\n2026-04-05,run,ill\n",
            to: "events.csv")
        let run = try await Program.habitat(command + ["--delimiter", ","], in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("(outcome-invalid)"), "\(run)")
        #expect(run.errors.contains("--value WORD=done"), "\(run)")
        #expect(try events(in: folder) == ["run,2026-04-01,,done,,", "run,2026-04-02,,skipped,,"])
    }

    @Test(arguments: commands) func localTimeIsInTimeZoneOfUser(command: [String]) async throws {
        let folder = try await Self.store.copy()
        try folder.write("Datum,Uhrzeit,habit\n2026-04-01,7:15,run\n2026-04-02,,run\n", to: "events.csv")
        let run = try await Program.habitat(command + ["--map", "day=Datum", "--map", "time=Uhrzeit"], in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(
            try events(in: folder) == [
                "run,2026-04-01,2026-04-01T07:15:00+01:00,done,,", "run,2026-04-02,,done,,",
            ])
    }

    @Test(arguments: commands) func dayOfRowDecidesDayOfInstant(command: [String]) async throws {
        let folder = try await Self.store.copy()
        try folder.write(
            """
            habit,day,at
            run,2026-06-01,2026-06-02T00:30:00+01:00
            run,2026-06-04,
            run,,2026-06-06T00:30:00+01:00
            run,2026-06-10,2026-06-12T00:30:00+01:00

            """, to: "events.csv")
        let run = try await Program.habitat(command + ["--delimiter", ","], in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("(day-mismatch)"), "\(run)")
        #expect(
            try events(in: folder) == [
                "run,2026-06-01,2026-06-02T00:30:00+01:00,done,,", "run,2026-06-04,,done,,",
                "run,2026-06-06,2026-06-06T00:30:00+01:00,done,,",
            ])
    }

    @Test(arguments: commands) func dateErrorNamesOnlyUsefulRemedies(command: [String]) async throws {
        let folder = try await Self.store.copy()
        try folder.write("day,habit\n31.04.2026,run\n", to: "events.csv")
        let plain = try await Program.habitat(command + ["--delimiter", ","], in: folder)
        #expect(plain.status == 65, "\(plain)")
        #expect(plain.errors.contains("--date-format"), "\(plain)")
        let run = try await Program.habitat(command + ["--date-format", "dd.MM.yyyy"], in: folder)
        #expect(run.errors.contains("'31.04.2026' (dd.MM.yyyy) does not exist: correct it"), "\(run)")
        #expect(!run.errors.contains("--date-format"), "\(run)")
        try folder.write("day,habit\n2026-02-30,run\n", to: "events.csv")
        let missing = try await Program.habitat(command + ["--delimiter", ","], in: folder)
        #expect(missing.errors.contains("'2026-02-30' does not exist: correct it"), "\(missing)")
    }

    @Test func newHabitRequiresColumnUser() async throws {
        let folder = try await Self.store.copy()
        try folder.write("day,habit\n2026-04-01,Chess\n", to: "events.csv")
        let run = try await Program.habitat("ingest", "events.csv", "--create-habits", in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("requires a user: add the column 'user'"), "\(run)")
    }

    @Test func headerErrorNamesOptionsOfTables() async throws {
        let folder = try await Self.store.copy()
        for (header, option) in [
            ("Datum;Gewohnheit", "--delimiter ';'"), ("Datum,Gewohnheit", "--map field=Column"),
            ("Datum,habit", "--map field=Column"),
        ] {
            try folder.write(header + "\n01.04.2026,run\n", to: "events.csv")
            let run = try await Program.habitat("ingest", "events.csv", in: folder)
            #expect(run.errors.contains(option), "\(header): \(run)")
        }
    }

    @Test func captionAliasIsReadAndUnknownColumnIsReported() async throws {
        let folder = try await Self.store.copy()
        try folder.write("time,name,weather\n2026-04-01T10:00:00Z,Park,sunny\n", to: "places.csv")
        let run = try await Program.habitat("import", "places.csv", "--user", "ana", "--kind", "posts", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.contains("Ignored unknown columns in 'places.csv': weather"), "\(run)")
        #expect(try folder.rows("SELECT caption FROM posts") == ["Park"])
    }

    @Test func byteOrderMarkSelectsUTF16() async throws {
        let folder = try await Self.store.copy()
        let text = "day,habit\n2026-04-01,run\n".data(using: .utf16LittleEndian) ?? Data()
        try folder.write(Data([0xFF, 0xFE]) + text, to: "events.csv")
        let run = try await Program.habitat("import", "events.csv", "--user", "ana", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(try events(in: folder) == ["run,2026-04-01,,done,,"])
        #expect(try await Program.habitat("ingest", "events.csv", in: folder).errors.contains("--encoding utf16"))
    }

    @Test(
        arguments: [
            ("2026-04-01,Run,maybe,", "outcome-invalid"), ("2026-02-30,Laufen,1,", "day-invalid"),
            ("2026-04-01,Chess,1,", "unknown-reference"), ("2026-04-01,Laufen,1,-5", "field-invalid"),
            (",Laufen,1,", "field-missing"), ("2026-04-01,,1,", "field-missing"),
        ])
    func damagedRowIsRejected(row: String, slug: String) async throws {
        let folder = try await Self.store.copy()
        try folder.write("day,habit,status,amount\n\(row)\n", to: "events.csv")
        let run = try await Program.habitat("import", "events.csv", "--user", "ana", "--format", "csv", in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(ImportCounts(run).reasons("rejected") == [slug: 1], "\(run)")
    }
}
