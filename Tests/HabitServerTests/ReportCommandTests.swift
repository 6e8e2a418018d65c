import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitReport
import HabitTestSupport
import Hummingbird
import NIOCore
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitPages
@testable import HabitServer

/// Tests of the command that runs a report with the parameters of its page.
@Suite(.engineIndependent) struct ReportCommandTests {
    /// Returns the command of the page at an address.
    private static func command(_ id: String, _ query: [String: String], user: String? = "o'neil") throws
        -> ReportCommand
    {
        let report = try ReportCatalog(folders: []).find(id)
        let text = query.map { name, value in "\(name)=\(value.urlEncoded)" }.joined(separator: "&")
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/reports/\(id)?\(text)")
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let known = report.parameters.map(\.optionName) + ReportForm.ownFields(of: report)
        let form = ReportForm(report, try RequestParameters(request, known: known))
        return ReportCommand(form: form, user: user)
    }

    /// Returns the words into which a POSIX shell splits a line.
    private static func words(_ line: String) async throws -> [String] {
        let folder = try TemporaryFolder()
        let result = try await Program.shell("for word in \(line); do printf '%s\\036' \"$word\"; done", in: folder)
        return result.output.split(separator: "\u{1E}", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    @Test(
        arguments: [
            "run", "it's \"5\" $HOME `id` \\ *", "two  spaces\nand lines", "-1", "--as", "~", "Straße", "a;b&c|d>e",
            "!",
        ])
    func shellReadsEachTextAsOneWord(text: String) async throws {
        let command = try Self.command("history", ["habit": text, "from": "today-6"])
        let words = try await Self.words(command.line)
        #expect(words == command.words)
        #expect(words.prefix(6) == ["habitat", "report", "run", "history", "--as", "o'neil"])
        let report = command.form.report
        let arguments = try report.arguments(from: Array(words.dropFirst(6)))
        #expect(arguments == ["habit": text, "from": "today-6"])
    }

    @Test func commandHasTheLatitudeFirst() throws {
        let shared = try Self.command("near", ["near": "-9.1393,38.7223", "within": "300m"], user: nil)
        #expect(shared.line == "habitat report run near --near=38.7223,-9.1393 --within=300m")
        let fields = try Self.command("near", ["near-latitude": "38.7223", "near-longitude": "-9.1393"], user: nil)
        #expect(fields.line == "habitat report run near --near=38.7223,-9.1393")
        let last = try Self.command("near", ["near": "last", "within": ""], user: "me")
        #expect(last.line == "habitat report run near --as me --near=last")
    }

    @Test func commandRuns() async throws {
        let folder = try TemporaryFolder()
        let records = """
            {"kind":"users","id":"o'neil"}
            {"kind":"habits","id":"h","user":"o'neil","title":"It's $HOME","days":"1111111","start":"2026-11-01"}
            {"kind":"events","id":"e","habit":"h","day":"2026-11-10"}
            """
        let file = try folder.write(records, to: "records.ndjson")
        let loaded = try await Program.habitat("ingest", file, "--store", folder.file("s.db"), in: folder)
        #expect(loaded.status == 0, "\(loaded)")
        let command = try Self.command("history", ["habit": "It's $HOME", "from": "2026-11-01", "to": "2026-11-30"])
        let words = try await Self.words(command.line)
        let options = ["--format", "csv", "--store", folder.file("s.db")]
        let result = try await Program.habitat(Array(words.dropFirst()) + options, in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("2026-11-10"), "\(result)")
    }
}
