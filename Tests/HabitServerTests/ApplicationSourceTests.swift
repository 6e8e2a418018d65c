import Foundation
import HabitTestSupport
import Testing

/// Tests that the sources of the application keep to its policy and cannot run texts of users.
@Suite(.engineIndependent) struct ApplicationSourceTests {
    /// Code that parses a text as HTML or as a script.
    private static let parsing = [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "setHTML", "srcdoc", "eval(", "new Function",
        "javascript:",
    ]

    private static func sources() throws -> [(name: String, text: String)] {
        let folder = Program.repository + "/Sources/HabitPages/Application"
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return try names.filter { name in name.hasSuffix(".js") }.map { name in
            (name, try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
        }
    }

    @Test func noSourceParsesTexts() throws {
        let sources = try Self.sources()
        #expect(sources.count > 50)
        for source in sources {
            for code in Self.parsing {
                #expect(!source.text.contains(code), "\(source.name) contains \(code)")
            }
        }
    }

    /// The policy permits neither style attributes of templates nor requests to other servers.
    @Test func sourcesKeepToPolicy() throws {
        for source in try Self.sources() {
            #expect(!source.text.contains(/<[a-z][^<]*\sstyle="/), "\(source.name)")
            let address = /https?:\/\/[^'"`\s]+/
            let addresses = source.text.matches(of: address).map { match in String(match.0) }
            // The namespace of SVG is a name.
            #expect(addresses.allSatisfy { address in address == "http://www.w3.org/2000/svg" }, "\(source.name)")
        }
    }

    @Test func onlyOneSourceImportsLibrary() throws {
        let importing = try Self.sources().filter { source in source.text.contains("from 'preact-htm'") }
        #expect(importing.map(\.name) == ["library.js"])
    }
}
