import Base
import HabitModel
import Testing

@testable import HabitReport

@Suite struct ReportHeaderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var text: String
        var line: Int
        var hint: String
        var testDescription: String { hint }

        /// Creates a case from the sample, with the line that begins with `start` replaced by `instead`.
        init(_ start: String, with instead: String, line: Int, _ hint: String) {
            text = ReportSample.replacing(start, with: instead)
            self.line = line
            self.hint = hint
        }

        init(text: String, line: Int, _ hint: String) {
            self.text = text
            self.line = line
            self.hint = hint
        }
    }

    static let lines: [Case] = [
        Case(
            "-- parameter: within", with: "-- paramter: within distance optional - Far.", line: 5,
            "did you mean 'parameter'?"
        ),
        Case("-- title", with: "-- Title: A", line: 1, "did you mean 'title'?"),
        Case("-- title", with: "-- colour: red", line: 1, "use one of title, description"),
        Case("-- title", with: "-- hello", line: 1, "'hello' is not in the form '-- key: value'"),
        Case("-- title", with: "--title: A", line: 1, "a space is missing"),
        Case("-- title", with: "--   goes on", line: 1, "no preceding value"),
        Case("-- title", with: "-- title:", line: 1, "write a line such as '-- title: Events"),
        Case("-- title", with: "-- title: a\u{7}", line: 1, "control character"),
        Case("-- key", with: "-- title: Again", line: 11, "duplicate 'title' (first on line 1)"),
        Case("-- title", with: "", line: 16, "no 'title'"),
        Case("-- key", with: "", line: 16, "'-- key: id' above the SELECT"),
        Case("-- formats", with: "", line: 16, "no 'formats'"),
        Case("-- key", with: "-- key: ids", line: 11, "did you mean 'id'?"),
        Case("-- key", with: "-- key: id id", line: 11, "'id' twice"),
        Case("-- key", with: "-- key:" + String(repeating: " id", count: 101), line: 11, "has 101 words"),
        Case("-- formats", with: "-- formats: text jsn", line: 13, "did you mean 'json'?"),
        Case("-- formats", with: "-- formats: text text", line: 13, "duplicate format 'text'"),
        Case("-- formats", with: "-- formats: text, pdf", line: 13, "unknown format 'text,'"),
        Case("-- geometry", with: "-- geometry: latitude longitude", line: 12, "the longitude must be first"),
        Case("-- geometry", with: "-- geometry: longitude", line: 12, "cannot have 1 columns"),
        Case("-- geometry", with: "-- geometry: id latitude", line: 12, "'id' has the type text"),
        Case("-- geometry", with: "-- geometry: x y", line: 12, "unknown column 'x'"),
        Case("-- column: id", with: "-- column: id txt - The id.", line: 7, "did you mean 'text'?"),
        Case("-- column: id", with: "-- column: id text", line: 7, "write '-- column: NAME TYPE [UNIT] - MEANING'"),
        Case("-- column: id", with: "-- column: id - The id.", line: 7, "a word is missing"),
        Case("-- column: id", with: "-- column: id text m - The id.", line: 7, "remove 'm'"),
        Case("-- column: dist", with: "-- column: distance_m number metres - Far.", line: 8, "write 'm'"),
        Case("-- column: dist", with: "-- column: distance_m number per day - Far.", line: 8, "has several words"),
        Case("-- column: dist", with: "-- column: Distance number - Far.", line: 8, "is not a valid column name"),
        Case("-- column: dist", with: "-- column: id number - Far.", line: 8, "declared twice"),
        Case("-- parameter: near", with: "-- parameter: near place required - Where.", line: 4, "unknown type 'place'"),
        Case("-- parameter: near", with: "-- parameter: near position - Where.", line: 4, "a word is missing"),
        Case("-- parameter: near", with: "-- parameter: near position must - Where.", line: 4, "unexpected 'must'"),
        Case(
            "-- parameter: near", with: "-- parameter: near position required Where.", line: 4, "the meaning is missing"
        ),
        Case("-- parameter: near", with: "-- parameter: near position required now - W.", line: 4, "unexpected 'now'"),
        Case(
            "-- parameter: near", with: "-- parameter: near-me position required - W.", line: 4,
            "is not a valid parameter name"),
        Case(
            "-- parameter: within", with: "-- parameter: within distance default - Far.", line: 5,
            "'default' has no value"),
        Case(
            "-- parameter: within", with: "-- parameter: within distance default 5 - Far.", line: 5,
            "'5' is not a distance"),
        Case(
            "-- parameter: within", with: "-- parameter: near_longitude text optional - X.", line: 5, ":near_longitude"),
        Case(text: ReportSample.header.joined(separator: "\n"), line: 15, "no SELECT"),
        Case(text: "", line: 1, "no 'title'"),
        Case(text: ReportSample.text.replacing("JOIN", with: "JO\0IN"), line: 18, "NUL"),
        Case(text: ReportSample.text + String(repeating: " ", count: 1 << 20), line: 1, "larger than 1 MiB"),
    ]

    @Test(arguments: lines) func headerProblemHasItsLine(sample: Case) {
        let error = failure { _ = try ReportSample.report(sample.text) }
        #expect(error?.code == .reportInvalid)
        #expect(error?.file == "near-me.sql")
        #expect(error?.line == sample.line)
        #expect(error?.message.contains(sample.hint) == true, "\(error?.message ?? "")")
    }

    @Test func otherEncodingsAreRefusedWithTheirLine() {
        let bytes = Array(ReportSample.text.replacing("JOIN", with: "é").unicodeScalars.map { UInt8($0.value & 0xff) })
        let error = failure { _ = try Report(id: "a", bytes: bytes, file: "a.sql") }
        #expect(error?.line == 18)
        #expect(error?.message.contains("UTF-8") == true)
    }

    @Test func allProblemsAreReported() {
        let text = ReportSample.text.replacing("-- key: id", with: "-- kez: id").replacing("text csv", with: "tex csv")
        let checked = ReportCheck.problems(
            inFile: Array(text.utf8), id: "a", file: "a.sql", reservedOptions: [])
        #expect(checked.report == nil)
        #expect(checked.problems.map(\.line) == [11, 13, 16])
    }

    @Test(arguments: ["manifest", "digests", "changes", "alerts", "digest-a"])
    func nightlyReportCannotHaveNameOfOtherFileOfRun(id: String) throws {
        let text = ReportSample.text.replacing("-- key: id", with: "-- nightly: csv\n-- key: id")
        let checked = ReportCheck.problems(
            inFile: Array(text.utf8), id: id, file: "\(id).sql", reservedOptions: [])
        #expect(
            checked.problems.contains { problem in
                problem.line == 11 && problem.message.contains("give the report file another name")
            })
        let plain = ReportCheck.problems(
            inFile: Array(ReportSample.text.utf8), id: id, file: "\(id).sql", reservedOptions: [])
        #expect(plain.report != nil, "only nightly reports write these files")
        #expect(plain.problems == [], "only nightly reports write these files")
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func mutatedFileNeverTrapsParser(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let spare = Array("-- :\n\r\t'\"();[]`,.?@$/*0az\u{0}\u{301}é\u{feff}".utf8) + [0xff, 0xc3]
        for _ in 0..<200 {
            var bytes = Array(ReportSample.text.utf8)
            for _ in 0..<Int.random(in: 1...12, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: bytes.indices, using: &random)
                let end = min(place + Int.random(in: 0...30, using: &random), bytes.count)
                switch Int.random(in: 0...3, using: &random) {
                case 0: bytes.removeSubrange(place..<end)
                case 1: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: bytes.indices, using: &random))
                case 2: bytes.insert(spare.randomElement(using: &random) ?? 0, at: place)
                default: bytes[place] = spare.randomElement(using: &random) ?? 0
                }
            }
            let found = ReportCheck.problems(inFile: bytes, id: "a", file: "a.sql", reservedOptions: ["near"])
            let lineCount = bytes.split(separator: 10, omittingEmptySubsequences: false).count
            #expect(found.1.allSatisfy { (1...lineCount).contains($0.line) }, "seed \(seed): \(found.1)")
            #expect(found.0 != nil || !found.1.isEmpty, "seed \(seed)")
            #expect((try? Report(id: "a", bytes: bytes, file: "a.sql")) == nil || found.0 != nil, "seed \(seed)")
        }
    }
}
