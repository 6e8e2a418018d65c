import Foundation
import HabitTestSupport
import Testing

/// Tests that all texts of pages are in folders `Texts`, that pages show each of them, and that none contains markup.
@Suite(.engineIndependent) struct PageTextTests {
    /// A folder of `Sources` with the code of pages and their texts.
    struct Part {
        let folder: String
        /// The name of the type with the texts.
        let type: String
    }

    /// A file of a folder.
    private struct Source {
        /// The path in the folder.
        let path: String
        let text: String

        var hasTexts: Bool { path.hasPrefix("Texts/") }
    }

    static let parts = [
        Part(folder: "HabitPages", type: "PageText"),
        Part(folder: "Rendering/HTML", type: "HTMLText"),
        Part(folder: "HabitReport/Nightly", type: "NightlyText"),
    ]

    private static func sources(of part: Part) throws -> [Source] {
        let folder = "\(Program.repository)/Sources/\(part.folder)"
        var sources: [Source] = []
        let files = try #require(FileManager.default.enumerator(atPath: folder))
        for case let path as String in files where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
            sources.append(Source(path: path, text: text))
        }
        return sources
    }

    /// Returns the names of the texts in a file, such as `Frame.map`.
    private static func names(in source: Source) -> [String] {
        var names: [String] = []
        var area: Substring = ""
        for line in source.text.split(separator: "\n") {
            if let declared = line.firstMatch(of: /^ +enum (\w+) {/) {
                area = declared.1
            }
            if let declared = line.firstMatch(of: /static (?:let|var|func) (\w+)/) {
                names.append("\(area).\(declared.1)")
            }
        }
        return names
    }

    @Test(arguments: parts) func pagesShowEveryText(part: Part) throws {
        let sources = try Self.sources(of: part)
        let names = sources.filter(\.hasTexts).flatMap(Self.names)
        let pages = sources.filter { source in !source.hasTexts }
        let code = pages.map(\.text).joined(separator: "\n")
        let matches = code.matches(of: /(\w+Text)\.(\w+\.\w+)/)
        let used = Set(matches.filter { match in match.1 == part.type }.map { match in String(match.2) })
        try #require(names.count > 30, "the texts cannot be parsed")
        for name in names where !used.contains(name) {
            Issue.record("no page shows \(part.type).\(name): remove it")
        }
    }

    @Test(arguments: parts) func eachTextHasItsOwnName(part: Part) throws {
        let names = try Self.sources(of: part).filter(\.hasTexts).flatMap(Self.names)
        let counts = Dictionary(grouping: names) { name in name }
        for (name, entries) in counts where entries.count > 1 {
            Issue.record("\(name) is declared \(entries.count) times: rename one of them")
        }
    }

    @Test(arguments: parts) func textsContainNoMarkup(part: Part) throws {
        for source in try Self.sources(of: part) where source.hasTexts {
            for literal in StringLiterals.all(in: source.text) {
                #expect(!literal.content.contains(/[<>&"']/), "\(source.path): \(literal.content)")
            }
        }
    }

    @Test(arguments: parts) func pagesContainNoTextOfTheirOwn(part: Part) throws {
        for source in try Self.sources(of: part) where !source.hasTexts {
            for literal in StringLiterals.all(in: source.text) {
                for text in literal.visibleTexts {
                    Issue.record("\(part.folder)/\(source.path) contains \"\(text)\": move it to the folder Texts")
                }
            }
        }
    }

    @Test(arguments: [
        (#"title("Sign in")"#, ["Sign in"]),
        (#"title("Account")"#, ["Account"]),
        (#""<p class=\"note\">Look at \(page(of: "it")).</p>""#, ["Look at"]),
        (#""<p aria-label=\"Path\">\(name)</p>""#, ["Path"]),
        (#"otherwise: "the beginning""#, ["the beginning"]),
        (##"HabitError(.notFound, "there is no form")"##, []),
        (##"throw Self.invalid(file, "it is not a manifest")"##, []),
        (##"sql.contains(#/["]/#) ? "the form" : "form""##, ["the form"]),
        (##"let summary = "<code>limit</code>" // A "comment in quotes""##, []),
        (#""<p class=\"note\">\(PageText.Home.due)</p>\n""#, []),
        (#""JSON""#, []),
        (#""style-src 'self'""#, []),
    ])
    func textsOfCodeAreFound(code: String, texts: [String]) {
        #expect(StringLiterals.all(in: code).flatMap(\.visibleTexts) == texts)
    }
}
