import Base
import Foundation
import HabitTestSupport
import Testing

@Suite(.engineIndependent) struct ErrorTests {
    /// The folders of all Swift modules, except those of the command line and of the build.
    private static let modules: [String] = {
        let folder = "\(Program.repository)/Sources"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().filter {
            !["CommandLineText", "habitat", "habitat-server", "embed-files"].contains($0) && !$0.hasPrefix("C")
        }
    }()

    @Test func everyModuleIsChecked() {
        #expect(Self.modules.contains("StoreEngine"), "\(Self.modules)")
        #expect(Self.modules.contains("Rendering"), "\(Self.modules)")
    }

    /// Only a front end names options, commands and environment variables; see ``Remedy``.
    @Test(arguments: modules)
    func textsOfModuleNameNoOptionOrCommand(module: String) throws {
        // A page shows the command line of its report.
        try Self.expectNoLine(of: module, except: ["ReportCommand.swift"]) { line, isText in
            // The header of a report file contains an example in command line form.
            isText && !line.contains("-- example: --") && Self.namesOption(line)
        }
    }

    private static func namesOption(_ line: some StringProtocol) -> Bool {
        // The regular expressions are slow, and most lines contain none of these texts.
        guard ["--", "-p", "habitat", "HABITAT"].contains(where: { line.contains($0) }) else { return false }
        let text = String(line)
        let longOption = /[ '"(=]--(\\\(|[a-z]{2,}(?![a-z]*:))/
        let shortOption = /[ '"(]-p[ '"]/
        let command = /\bhabitat(-server)? [a-z]/
        let variable = /\bHABITAT_(?!JSON)[A-Z_]+/
        return text.contains(longOption) || text.contains(shortOption)
            || text.contains(command) || text.contains(variable)
    }

    @Test(arguments: [
        #""--\(optionName) must be yes or no""#,
        #""pass --as or --to""#,
        #""pass -p \(name)=VALUE""#,
        #""see 'habitat init'""#,
        "run habitat-server serve to start",
    ])
    func namesOfOptionsAndCommandsAreRecognized(line: String) { #expect(Self.namesOption(line)) }

    /// An error carries its context in its properties, so that no code has to search or change its sentence.
    @Test(arguments: modules + ["CommandLineText", "habitat", "habitat-server"])
    func moduleEditsNoMessageOfError(module: String) throws {
        // PostgreSQL has messages of its own, and its SQLSTATE does not distinguish all cases.
        try Self.expectNoLine(of: module, except: ["PostGISEngine.swift"]) { line, _ in
            line.contains("essage")
                && line.contains(/(?i)error\.message(\.(contains|replacing|hasPrefix|hasSuffix|firstMatch)| \+?= )/)
        }
    }

    /// Checks all lines of code of a module.
    ///
    /// `isWrong` receives a line, and whether the line contains a string literal or is part of one.
    private static func expectNoLine(
        of module: String, except exempt: [String] = [], _ isWrong: (_ line: Substring, _ isText: Bool) -> Bool
    ) throws {
        let folder = "\(Program.repository)/Sources/\(module)"
        let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
            .filter { $0.hasSuffix(".swift") && !exempt.contains(($0 as NSString).lastPathComponent) }
        try #require(!files.isEmpty)
        for file in files {
            let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            var isInLiteral = false
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if line.isCommentLine { continue }
                let hasQuote = line.utf8.contains(UInt8(ascii: "\""))
                let isText = isInLiteral || hasQuote
                if hasQuote, !line.matches(of: /"""/).count.isMultiple(of: 2) { isInLiteral.toggle() }
                if isWrong(line, isText) {
                    Issue.record("\(module)/\(file):\(number + 1): \(line)")
                }
            }
        }
    }

    @Test func remediesOfOneErrorAreAlternatives() {
        let error = HabitError(.busy, "the store is busy", .advice("try again"), .give(.wait), .advice("stop the load"))
        #expect(error.plainText == "the store is busy: try again, or stop the load")
        #expect(error.text { _ in nil } == "the store is busy")
    }
}
