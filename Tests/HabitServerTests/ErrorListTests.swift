import Base
import Foundation
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests that the document at `/api` lists the slug and the parameters of each error.
@Suite(.engineIndependent) struct ErrorListTests {
    /// Returns the schema of problems in the document.
    private static func problemSchema() throws -> [String: Any] {
        let bytes = try ServerFixture.emptyServer().apiDocument.json.bytes
        let document = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        let components = document?["components"] as? [String: Any]
        let schemas = components?["schemas"] as? [String: Any]
        return try #require(schemas?["Problem"] as? [String: Any])
    }

    private static func documentedErrors() throws -> [String: [String]] {
        try #require(try problemSchema()["x-errors"] as? [String: [String]])
    }

    /// Returns the sources of all modules by the path of the file.
    private static func sources() throws -> [String: String] {
        let folder = Program.repository + "/Sources"
        var texts: [String: String] = [:]
        let files = try #require(FileManager.default.enumerator(atPath: folder))
        for case let name as String in files where name.hasSuffix(".swift") {
            texts[name] = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        }
        return texts
    }

    @Test func documentListsEverySlug() throws {
        let slugs = Set(ErrorCode.allCases.map(\.slug)).union(ServerSlug.allCases.map(\.rawValue))
        #expect(Set(try Self.documentedErrors().keys) == slugs)
        let properties = try Self.problemSchema()["properties"] as? [String: [String: Any]]
        let choices = try #require(properties?["slug"]?["enum"] as? [String])
        #expect(choices == slugs.sorted())
    }

    @Test func documentListsParametersOfEachSlug() throws {
        let documented = try Self.documentedErrors()
        for code in ErrorCode.allCases {
            #expect(documented[code.slug] == code.parameterKeys.map(\.rawValue), "\(code.slug)")
        }
    }

    /// The list describes no problem that the server cannot have.
    @Test func everySlugOfServerIsUsed() throws {
        var found: Set<String> = []
        for text in try Self.sources().values {
            for match in text.matches(of: /\bslug: ServerSlug\.(\w+)/) { found.insert(String(match.output.1)) }
        }
        let unused = ServerSlug.allCases.filter { slug in !found.contains("\(slug)") }
        #expect(unused.isEmpty, "\(unused)")
    }

    /// Compares the parameters of each error whose code is a literal with the list of its code.
    @Test func parametersInSourcesAreListed() throws {
        var count = 0
        for (file, text) in try Self.sources() {
            let parameters = /parameters(?:: \[|\.append\()((?:\.\w+\([^\[\]]*\)(?:, )?)+)[\])]/
            for list in text.matches(of: parameters) {
                let before = text[..<list.range.lowerBound]
                guard let code = Self.code(before: before) else { continue }
                count += 1
                for key in list.output.1.matches(of: /\.(\w+)\(/) {
                    let name = String(key.output.1)
                    // The parameters of SQL statements have other names.
                    let key = ErrorParameter.Key.allCases.first { key in "\(key)" == name }
                    guard let key else { continue }
                    #expect(code.parameterKeys.contains(key), "\(file): '\(name)' of '\(code.slug)'")
                }
            }
        }
        #expect(count > 15)
    }

    /// Returns the code of the error that the last call before a list of parameters creates, or `nil` for a variable.
    private static func code(before text: Substring) -> ErrorCode? {
        let calls = text.suffix(1_500).matches(of: /(?:HabitError|self\.init|Problem)\(\s*/)
        guard let call = calls.last else { return nil }
        let arguments = text[call.range.upperBound...]
        let literal = arguments.prefixMatch(of: /\.(\w+)/)?.output.1
        let slug = arguments.firstMatch(of: /slug: ErrorCode\.(\w+)/)?.output.1
        guard let name = slug ?? literal else { return nil }
        return ErrorCode.allCases.first { code in "\(code)" == name }
    }
}
