import Foundation
import HabitTestSupport
import Testing

/// Tests that the names of declared types have the meanings of the table of words in CONTRIBUTING.md.
@Suite(.engineIndependent) struct GlossaryTests {
    /// A declaration of a type in `Sources`.
    private struct DeclaredType {
        var name: String
        /// The path of the file in `Sources`.
        var file: String

        /// Whether the name contains a word in the singular or the plural.
        func contains(_ word: String) -> Bool {
            name.ranges(of: word).contains { range in
                var rest = name[range.upperBound...]
                if rest.first == "s" {
                    rest = rest.dropFirst()
                }
                return rest.first?.isLowercase != true
            }
        }
    }

    /// A row of the table: the words, and the names or folders of the types with this meaning.
    private struct Meaning {
        var words: [String]
        var entries: [Entry]
    }

    /// A part of the last column: a name, `X…`, `…X` or a folder.
    private struct Entry {
        var text: String

        var isFolder: Bool {
            text.hasSuffix("/")
        }

        func matches(_ type: DeclaredType) -> Bool {
            if isFolder {
                return type.file.hasPrefix(text)
            }
            if text.hasSuffix("…") {
                return type.name.hasPrefix(text.dropLast())
            }
            if text.hasPrefix("…") {
                return type.name.hasSuffix(text.dropFirst())
            }
            return type.name == text
        }
    }

    private static func meanings() throws -> [Meaning] {
        let path = Program.repository + "/CONTRIBUTING.md"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let lines = text.split(separator: "\n")
        let rows = lines.drop { line in line != "| word | meaning | types |" }
            .prefix { line in line.hasPrefix("|") }
            .dropFirst(2)
        return rows.map { row in
            let cells = row.split(separator: "|")
            let types = cells.count > 2 ? codes(in: cells[2]) : []
            return Meaning(
                words: codes(in: cells[0]),
                entries: types.map(Entry.init))
        }
    }

    private static func codes(in cell: Substring) -> [String] {
        let codes = cell.matches(of: /`([^`]+)`/)
        return codes.map { code in String(code.1) }
    }

    private static func declaredTypes() throws -> [DeclaredType] {
        let folder = Program.repository + "/Sources"
        var types: [DeclaredType] = []
        let files = try #require(FileManager.default.enumerator(atPath: folder))
        for case let file as String in files where file.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            types += Self.types(in: text, of: file)
        }
        return types
    }

    private static func types(
        in text: String,
        of file: String
    ) -> [DeclaredType] {
        text.split(separator: "\n")
            .compactMap(declaredName)
            .map { name in DeclaredType(name: name, file: file) }
    }

    /// Returns the name of the type that a line declares, or `nil` if it declares none.
    private static func declaredName(in line: Substring) -> String? {
        let words = line.split(separator: " ")
        guard words.first?.hasPrefix("//") == false,
            let keyword = words.firstIndex(where: keywords.contains)
        else { return nil }
        let following = words[keyword...].dropFirst().first
        let name = following?.prefix { character in
            character.isLetter || character.isNumber
        }
        guard let name, name.first?.isUppercase == true else {
            return nil
        }
        return String(name)
    }

    private static let keywords: Set<Substring> = [
        "class", "struct", "enum", "actor", "protocol", "typealias",
    ]

    /// Returns whether a word has exactly one meaning in the name of a type.
    ///
    /// If the folder of the type determines the meaning, its name has no other.
    private static func isClear(
        _ word: String,
        in type: DeclaredType,
        _ meanings: [Meaning]
    ) -> Bool {
        var named = 0
        var ofFolder = 0
        for meaning in meanings where meaning.words.contains(word) {
            let entries = meaning.entries.filter { entry in entry.matches(type) }
            if entries.contains(where: \.isFolder) {
                ofFolder += 1
            } else if !entries.isEmpty {
                named += 1
            }
        }
        return ofFolder == 0 ? named == 1 : ofFolder == 1
    }

    /// Returns the words of the table in the name of a type that do not have exactly one meaning.
    private static func unclearWords(
        of type: DeclaredType,
        _ meanings: [Meaning]
    ) -> [String] {
        let words = Set(meanings.flatMap(\.words)).sorted()
        return words.filter { word in
            guard type.contains(word) else { return false }
            return !isClear(word, in: type, meanings)
        }
    }

    @Test func wordsInNamesOfTypesHaveOneMeaning() throws {
        let meanings = try Self.meanings()
        let types = try Self.declaredTypes()
        try #require(meanings.count > 10, "the table of words in CONTRIBUTING.md cannot be parsed")
        try #require(types.count > 1000, "the declarations cannot be parsed")
        for type in types {
            for word in Self.unclearWords(of: type, meanings) {
                Issue.record(
                    """
                    Sources/\(type.file) declares \(type.name), whose word '\(word)' does not have exactly one meaning in \
                    the table 'Words' of CONTRIBUTING.md: rename the type, or add it to the row of its meaning
                    """)
            }
        }
    }

    @Test func entriesOfTableAreDeclared() throws {
        let types = try Self.declaredTypes()
        for meaning in try Self.meanings() {
            let named = types.filter { type in meaning.words.contains(where: type.contains) }
            for entry in meaning.entries where !named.contains(where: entry.matches) {
                Issue.record(
                    "no type with a word of its row matches '\(entry.text)' in CONTRIBUTING.md: remove the entry")
            }
        }
    }

    @Test(arguments: [
        ("struct FooPage {", "HabitAPI/Foo.swift", ["Page"]),
        ("    private enum Page {", "Rendering/Parquet/Foo.swift", []),
        ("struct FooPage {", "HabitPages/Foo.swift", []),
        ("@Observable public final class FooPages: Foo {", "HabitStore/Foo.swift", ["Page"]),
        ("public struct FeaturePage {", "HabitAPI/Foo.swift", []),
        ("package indirect enum NightActor {", "HabitReport/Foo.swift", ["Actor", "Night"]),
        ("typealias UserJob = Int", "HabitStore/Foo.swift", ["Job"]),
        ("    class func job() -> Job", "HabitStore/Foo.swift", nil),
        ("    // The enum FooPage", "HabitStore/Foo.swift", nil),
        ("protocol Pageable: Sendable {", "HabitStore/Foo.swift", []),
    ])
    func unclearWordsAreFound(
        line: String,
        file: String,
        words: [String]?
    ) throws {
        let types = Self.types(in: "import Base\n\(line)\n", of: file)
        let meanings = try Self.meanings()
        let unclear = types.first.map { type in
            Self.unclearWords(of: type, meanings)
        }
        #expect(unclear == words)
    }
}
