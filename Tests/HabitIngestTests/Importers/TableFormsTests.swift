import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests of forms of tables that other programs write.
@Suite(.engineIndependent) struct TableFormsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func format(of path: String, options: ImportOptions = ImportOptions()) throws -> [String] {
        try ImportPlan(paths: [path], options: options).inputs.map(\.format)
    }

    // MARK: Positions

    /// The uppercase form of these letters has two characters.
    @Test(arguments: ["38.7ß", "38.7ŉ", "ß"]) func coordinateWithOtherLetterIsInvalid(text: String) throws {
        let values = TableValues(TableOptions(), delimiter: UInt8(ascii: ","))
        #expect {
            try values.position(latitude: text, longitude: "-9.1")
        } throws: { error in
            (error as? HabitError)?.code == .positionInvalid
        }
    }

    // MARK: The line sep=

    @Test(
        arguments: [
            ("sep=;", ";"),
            ("SEP=;", ";"),
            ("\"sep=;\"", ";"),
            ("sep=,", ","),
            ("sep=\t", "\t"),
            ("sep=|", "|"),
        ])
    func firstLineDeclaresDelimiter(line: String, delimiter: String) throws {
        for end in ["\n", "\r\n", "\r"] {
            let rows = [["habit", "day", "amount"], ["Run", "2026-05-01", "5"]].map { $0.joined(separator: delimiter) }
            let path = try folder.write(([line] + rows).joined(separator: end) + end, to: "events.csv")
            #expect(try format(of: path) == ["csv"])
            let input = try ImportInput(path: path, options: ImportOptions())
            var lines: [Int?] = []
            try CSVImporter().records(of: input) { entry in
                guard case .event(let event) = entry else { return }
                #expect(event.amount == .value(5))
                lines.append(event.source.line)
            }
            #expect(lines == [3])
            let reader = try openReader(
                ByteSource(bytes: Array(try folder.read("events.csv").utf8), name: "events"),
                ReaderOptions(kind: .events))
            var record = RawRecord()
            guard case .record = try reader.next(into: &record) else {
                Issue.record("the row is not read")
                return
            }
            #expect(record[.habit] == .text("Run"))
            #expect(record.line == 3)
        }
    }

    @Test func optionPrecedesDeclaredDelimiter() throws {
        var options = ImportOptions()
        options.format = "csv"
        options.table.delimiter = UInt8(ascii: ";")
        let path = try folder.write("sep=,\nhabit;day\nRun;2026-05-01\n", to: "events.csv")
        #expect(try format(of: path, options: options) == ["csv"])
    }

    @Test(arguments: ["sep=;;\n", "sep=\n", "sep\n", "sep=;", "separator;day\n"])
    func otherFirstLinesAreRows(line: String) {
        #expect(DelimiterLine(Array(line.utf8).span) == nil)
    }

    // MARK: OwnTracks

    @Test(arguments: ["transition", "waypoint", "location"])
    func documentOfOwnTracksMayBeginWithOtherMessage(type: String) throws {
        let location = #"{"_type":"location","lat":38.7,"lon":-9.14,"tst":1777630000}"#
        let text = #"{"count":2,"locations":[{"_type":"\#(type)","tst":1777629000,"lat":1,"lon":2},\#(location)]}"#
        #expect(try format(of: try folder.write(text, to: "ocat.json")) == ["owntracks"])
    }

    // MARK: Loop

    @Test(
        arguments: [
            "Date,Water,Read,\n2026-07-04,12000,YES_MANUAL,\n2026-07-03,3000,NO,\n",
            "Date,Read,\n2015-01-25,2,\n2015-01-24,0,\n2015-01-23,1,\n", "Date,Read,\n2015-01-25,-1,\n",
            "Date,Water,Read,\n2026-07-04,0.1234,0.9876,\n", "Date,Score\n2026-07-04,0.1234\n",
            "Date,Water,Run\n2026-07-04,12000,YES_MANUAL\n", "Date,Run\n2026-07-05,NO\n2026-07-04,YES_AUTO\n",
        ])
    func overviewOfLoopIsRefused(text: String) throws {
        let path = try folder.write(text, to: "Checkmarks.csv")
        for format in [nil, "loop-csv"] {
            var options = ImportOptions()
            options.format = format
            let error = try #require(
                throws: HabitError.self, performing: { try ImportPlan(paths: [path], options: options) })
            #expect(error.code == (format == nil ? .formatNotRecognised : .formatMismatch))
            #expect(error.message.contains("import the complete ZIP file"))
        }
        #expect(throws: HabitError.self) { try ImportPlan(paths: [folder.path], options: ImportOptions()) }
    }

    @Test(arguments: ["Date,Read\n2015-01-25,2\n", "Date,Read,\n2015-01-25,x,\n", "day,Read,\n2015-01-25,2,\n"])
    func otherMatricesAreRead(text: String) throws {
        #expect(try format(of: try folder.write(text, to: "matrix.csv")) == ["matrix"])
    }

    @Test func unreadableNumbersOfLoopAreReported() throws {
        try folder.write(
            "Position,Name,Type,NumRepetitions,Interval,Target Value\n001,Run,YES_NO,often,7,\n002,Water,NUMERICAL,1,1,\"1,5\"\nx,Read,YES_NO,1,1,\n",
            to: "Habits.csv")
        try folder.write("Date,Value\n2026-05-01,2\n2026-05-02,abc\n", to: "001 Run/Checkmarks.csv")
        let input = try ImportInput(path: folder.path, options: ImportOptions())
        var texts: [String] = []
        try LoopCSVImporter().records(of: input) { entry in
            switch entry {
            case .habit(let habit): texts.append(habit.title)
            case .event(let event): texts.append("\(event.time.localDate)")
            case .rejected(let entry): texts.append(entry.error.code.slug)
            case .unreadable(let value): texts.append("\(value.kind) \(value.example ?? "")")
            case .notice, .post, .skipped: break
            }
        }
        #expect(
            texts == [
                "Run", "frequency 'often'", "Water", "target '1,5'", "row-invalid", "2026-05-01", "outcome-invalid",
            ])
    }

    // MARK: Dates of JavaScript

    @Test func midnightInUTCIsDateOfItsColumn() throws {
        let rows = "Run,2026-05-04T00:00:00.000Z\n"
        for name in ["date", "day", "Date"] {
            let path = try folder.write("habit,\(name)\n\(rows)", to: "events.csv")
            var days: [String] = []
            try CSVImporter().records(of: try ImportInput(path: path, options: ImportOptions())) { entry in
                guard case .event(let event) = entry, case .date(let day) = event.time else { return }
                days.append("\(day)")
            }
            #expect(days == ["2026-05-04"])
        }
        let path = try folder.write("date,Run\n2026-05-04T00:00:00.000Z,x\n", to: "matrix.csv")
        #expect(try format(of: path) == ["matrix"])
        for text in [#"{"habit":"run","day":"2026-05-04T00:00:00.000Z"}"#, "habit,day\nrun,2026-05-04T00:00:00.000Z\n"]
        {
            let reader = try openReader(
                ByteSource(bytes: Array(text.utf8), name: "events"), ReaderOptions(kind: .events))
            var record = RawRecord()
            guard case .record = try reader.next(into: &record) else {
                Issue.record("the row is not read")
                return
            }
            #expect(try record.day(.day).value?.description == "2026-05-04")
        }
    }
}
