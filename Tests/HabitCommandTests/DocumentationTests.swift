import Foundation
import HabitTestSupport
import Testing

/// Tests that the commands, options and links of README.md and the pages in docs/ are correct.
@Suite(.engineIndependent) struct DocumentationTests {
    /// README.md and all pages in docs/ and its folders, as paths relative to the repository.
    static let pages: [String] = {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: Program.repository + "/docs")) ?? []
        return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
    }()

    /// The pages whose links are checked.
    static let linkedPages = pages + ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "sample-data/README.md"]

    static func text(of page: String) throws -> String {
        try String(contentsOfFile: Program.repository + "/" + page, encoding: .utf8)
    }

    // MARK: Recipes

    /// A shell splits rows at line breaks and commas, so a recipe with the texts of users needs a program that reads CSV.
    @Test(arguments: linkedPages) func recipesReadNoRowsInShell(page: String) throws {
        let text = try Self.text(of: page)
        let blocks = text.matches(of: /```(?:sh|console)\n([\s\S]*?)```/)
        let rowsInShell = /\bIFS=|\bread -r|\bxargs\b|\beval\b|\$\([^)]*\.csv|`[^`]*\.csv/
        for block in blocks.map({ String($0.1) }) {
            let found = block.firstMatch(of: rowsInShell)
            #expect(found == nil, "\(page): \(block)")
        }
    }

    // MARK: Commands

    /// Commands whose output depends on the engine, or that need a file.
    private static var engineCommand: Regex<Substring> {
        /habitat (?:backup|doctor|restore|stats)\b| --explain|ogrinfo -ro -so habitat/
    }

    /// The server that the curl commands of a page call.
    final class Server {
        /// The server's URL in the documentation.
        static let documented = "http://127.0.0.1:8080"

        let url: String
        private let process: RunningProgram

        init(in folder: TemporaryFolder) async throws {
            let scratch = try TemporaryFolder()
            process = try Program.start(
                Program.habitat, ["serve", "--port", "0", "--today", "2026-11-20"], in: folder.path, scratch: scratch)
            var url: String?
            try await waitUntil("the server listens", every: .milliseconds(50)) {
                let output = try scratch.read("stdout")
                let listens = output.firstMatch(of: /listens on (http:\/\/127\.0\.0\.1:\d+)/)
                url = listens.map { String($0.1) }
                return url != nil
            }
            self.url = try #require(url)
        }

        deinit { process.terminate() }
    }

    /// The program of a person who has a configuration in the folder, on a fixed day.
    private static let personalProgram = """
        #!/bin/sh
        unset HABITAT_CONFIG
        HOME=$PWD/home exec \(Program.habitat) --now 2026-11-27T18:00:00Z "$@"
        """

    /// Makes a command of a page run the program of a person who has a configuration, or the program without one.
    ///
    /// A page begins without a configuration. `habitat init` creates one, and an empty `HABITAT_CONFIG` selects none.
    private static func selectProgram(for command: String, in folder: TemporaryFolder) throws {
        let program = folder.file("habitat")
        if command.hasPrefix("habitat init") {
            try FileManager.default.removeItem(atPath: program)
            try folder.write(personalProgram, to: "habitat")
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        } else if command == "export HABITAT_CONFIG=" {
            try FileManager.default.removeItem(atPath: program)
            try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: Program.habitat)
        }
    }

    /// Returns a folder for the commands of a page.
    ///
    /// It has a store with the sample data, unless the page loads the data.
    private static func folder(for text: String) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let links = [
            ("sample-data", SampleData.path), ("habitat", Program.habitat), ("duckdb", ParquetText.duckdb),
        ]
        for (name, target) in links {
            try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target)
        }
        if !text.contains("$ habitat ingest sample-data\n") {
            try await SampleData.copy(to: folder.file("habitat.db"))
        }
        return folder
    }

    /// Returns the output of a command, which may print an expected error.
    private static func run(_ command: String, in folder: TemporaryFolder, server: Server?) async throws -> String {
        let url = server?.url ?? Server.documented
        let result = try await Program.shell(
            "exec 2>&1; " + command.replacing(Server.documented, with: url), in: folder)
        #expect(result.status == 0 || result.output.hasPrefix("error["), "\(command): \(result.output)")
        return result.output.replacing(url, with: Server.documented)
    }

    /// Returns the page with the current output of each command in its `console` blocks.
    private static func rewritten(_ page: String) async throws -> String {
        guard page.contains("\n$ ") else { return page }
        let folder = try await folder(for: page)
        let server = page.contains("\n$ curl ") ? try await Server(in: folder) : nil
        var lines: [String] = []
        var isInBlock = false
        var keepsOutput = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("```") {
                if isInBlock, lines.last?.isEmpty == true { lines.removeLast() }
                isInBlock = line == "```console"
                keepsOutput = false
            }
            guard isInBlock, !line.hasPrefix("```") else {
                lines.append(line)
                continue
            }
            guard line.hasPrefix("$ ") else {
                if keepsOutput { lines.append(line) }
                continue
            }
            lines.append(line)
            keepsOutput = TestServer.isUsed && line.contains(engineCommand)
            guard !line.hasPrefix("$ make "), !keepsOutput else { continue }
            let command = String(line.dropFirst(2))
            try selectProgram(for: command, in: folder)
            let output = try await run(command, in: folder, server: server)
            lines += output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            if lines.last?.isEmpty == false { lines.append("") }
        }
        return lines.joined(separator: "\n")
    }

    @Test(arguments: pages) func outputOfCommandsMatchesPage(page: String) async throws {
        let text = try Self.text(of: page)
        let rewritten = try await Self.rewritten(text)
        if ProcessInfo.processInfo.environment["HABITAT_BLESS"] == "1" {
            try rewritten.write(toFile: Program.repository + "/" + page, atomically: true, encoding: .utf8)
            if rewritten != text { Issue.record("\(page) was rewritten") }
            return
        }
        #expect(text == rewritten, "HABITAT_BLESS=1 writes the current output")
    }

    @Test func readmeAndGuidesHaveCommands() throws {
        for page in ["README.md", "docs/getting-started.md", "docs/http-api.md", "docs/operations.md"] {
            #expect(try Self.text(of: page).contains("\n$ "), "\(page)")
        }
    }

    @Test func pagesNameNumberOfBuiltInReports() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Program.repository + "/reports")
        let count = names.count { $0.hasSuffix(".sql") }
        for (page, text) in [
            ("README.md", "Run one of the \(count) built-in reports:"),
            ("docs/reports.md", "The program contains \(count) built-in reports:"),
            ("CHANGELOG.md", "- Reports: \(count) report files"),
        ] { #expect(try Self.text(of: page).contains(text), "\(page)") }
    }

    @Test func makeTargetsExist() async throws {
        let texts = try Self.linkedPages.map(Self.text)
        let call = /(?:`|\n|\$ )make ([a-z][a-z-]*)/
        let targets = Set(texts.flatMap { text in text.matches(of: call).map { String($0.1) } })
        #expect(targets.isSuperset(of: ["demo", "test", "install", "serve", "bench"]))
        for target in targets.sorted() {
            let result = try await Program.run("/usr/bin/make", ["-n", target], in: Program.repository)
            #expect(result.status == 0, "make \(target): \(result.errors)")
        }
    }

    /// A filter with the name of a suite that does not exist would run no test.
    @Test func suitesThatChecksSelectExist() throws {
        let tests = URL(filePath: Program.repository + "/Tests")
        let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)?.compactMap {
            $0 as? URL
        }
        let suites = Set((files ?? []).map { file in file.deletingPathExtension().lastPathComponent })
        var selected: [String] = []
        for script in [".ci/run", "Makefile"] {
            let lists = try Self.text(of: script).matches(of: /(?i:tests) *= *'?((?:\w+\|)*\w+Tests)\b/)
            selected += lists.flatMap { list in list.1.split(separator: "|").map { name in String(name) } }
        }
        #expect(selected.contains("HabitStoreTests"))
        #expect(selected.contains("NearTests"))
        for name in selected { #expect(suites.contains(name), "there is no \(name) in Tests") }
    }

    // MARK: Commands and options of the help

    private struct Argument: Decodable {
        struct Name: Decodable { var name: String }
        var names: [Name]?
    }

    private struct Command: Decodable {
        var commandName: String
        var arguments: [Argument]?
        var subcommands: [Command]?

        var options: Set<String> {
            let arguments = arguments ?? []
            let names = arguments.flatMap { $0.names ?? [] }
            return Set(names.map(\.name)).union((subcommands ?? []).flatMap(\.options))
        }
    }

    private struct Description: Decodable { var command: Command }

    private static func command(_ arguments: String...) async throws -> Command {
        let help = try await Program.habitat(arguments + ["--experimental-dump-help"], in: try TemporaryFolder())
        return try JSONDecoder().decode(Description.self, from: Data(help.output.utf8)).command
    }

    @Test func documentedOptionsExist() async throws {
        let ofSwiftBuild = ["static-swift-stdlib"]
        let known = try await Self.command().options.union(Self.command("serve").options).union(ofSwiftBuild)
        for page in Self.pages {
            for option in try Self.text(of: page).matches(of: /`--([a-z][a-z-]*)/) {
                #expect(known.contains(String(option.1)), "\(page): --\(option.1)")
            }
        }
    }

    @Test func allCommandsAreDocumented() async throws {
        let page = try Self.text(of: "docs/commands.md")
        for command in try await #require(Self.command().subcommands) where command.commandName != "help" {
            let words = (command.subcommands ?? []).map(\.commandName)
            let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
            let row = rows.first { row in [" ", "`"].contains { row.contains("`\(command.commandName)\($0)") } }
            let text = try #require(row, "\(command.commandName) is not in docs/commands.md")
            let documented = text.split { !$0.isLetter && $0 != "-" }
            #expect(Set(words.map { $0[...] }).isSubset(of: documented), "\(text)")
        }
    }

    @Test func allServerOptionsAreDocumented() async throws {
        let pages = try Self.pages.map(Self.text).joined()
        for option in try await Self.command("serve").options where option.count > 1 && option != "version" {
            #expect(pages.contains("--\(option)"), "\(option)")
        }
    }

    // MARK: Links

    /// Returns the lines of a page outside code blocks.
    private static func prose(_ page: String) throws -> [Substring] {
        var isInBlock = false
        return try text(of: page).split(separator: "\n").filter { line in
            if line.hasPrefix("```") { isInBlock.toggle() }
            return !isInBlock && !line.hasPrefix("```")
        }
    }

    /// Returns the anchors of a page's headings, as GitHub derives them.
    private static func anchors(_ page: String) throws -> Set<String> {
        var anchors: Set<String> = []
        for heading in try prose(page) where heading.hasPrefix("#") {
            let title = heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
            let anchor = title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                .replacing(" ", with: "-")
            #expect(anchors.insert(anchor).inserted, "\(page) has two headings with the anchor #\(anchor)")
        }
        return anchors
    }

    @Test(arguments: linkedPages) func relativeLinksResolve(page: String) throws {
        let folder = URL(fileURLWithPath: Program.repository + "/" + page).deletingLastPathComponent()
        let text = try Self.prose(page).joined(separator: "\n")
        for link in text.matches(of: /\]\(([^)\s]+)\)/) {
            let target = link.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            guard !link.1.contains(":") else { continue }
            let file = target[0].isEmpty ? page : folder.appendingPathComponent(String(target[0])).standardized.path
            let path = file.hasPrefix("/") ? file : Program.repository + "/" + file
            #expect(FileManager.default.fileExists(atPath: path), "\(page): \(link.1)")
            guard target.count == 2 else { continue }
            let linked = path.dropFirst(Program.repository.count + 1)
            #expect(try Self.anchors(String(linked)).contains(String(target[1])), "\(page): \(link.1)")
        }
    }

    @Test func importIndexLinksToAllImportPages() throws {
        let index = try Self.text(of: "docs/import/README.md")
        let names = try FileManager.default.contentsOfDirectory(atPath: Program.repository + "/docs/import")
        for name in names where name.hasSuffix(".md") && name != "README.md" {
            #expect(index.contains("](\(name))"), "\(name)")
        }
        for page in ["README.md", "docs/getting-started.md", "docs/loading-data.md"] {
            #expect(try Self.text(of: page).contains("import/README.md)"), "\(page)")
        }
    }

    @Test func readmeLinksToAllPages() throws {
        let readme = try Self.text(of: "README.md")
        let guides = Self.pages.filter { $0.hasPrefix("docs/") && !$0.hasPrefix("docs/import/") }
        #expect(guides.count > 10)
        for page in guides { #expect(readme.contains("](\(page))"), "\(page)") }
    }

    @Test func loadingDataLinksToAllImportPages() throws {
        let guide = try Self.text(of: "docs/loading-data.md")
        let pages = Self.pages.filter { $0.hasPrefix("docs/import/") }
        #expect(pages.count > 15)
        for page in pages { #expect(guide.contains("](\(page.dropFirst("docs/".count)))"), "\(page)") }
    }
}
