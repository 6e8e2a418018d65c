import Foundation
import HabitTestSupport
import Testing

/// Tests that a module imports only modules above it in the table of CONTRIBUTING.md.
@Suite(.engineIndependent) struct ModuleOrderTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: Program.repository + "/" + path, encoding: .utf8)
    }

    /// The modules in the order of the table.
    ///
    /// In a row, a module may import the modules before it.
    private static func order() throws -> [String] {
        let lines = try text("CONTRIBUTING.md").split(separator: "\n")
        let table = lines.drop { $0 != "| folder of `Sources` | what it does |" }.prefix { $0.hasPrefix("|") }
        return table.dropFirst(2).flatMap { row -> [String] in
            let folders = row.split(separator: "|")[0]
            return folders.matches(of: /`([^`]+)`/).map { String($0.1) }
        }
    }

    /// The modules that a target of Package.swift declares, by the name of the target.
    private static func dependencies() throws -> [String: Set<String>] {
        let manifest = try text("Package.swift")
        let pattern = /\.(?:target|executableTarget|plugin|systemLibrary)\(\s*name: "([^"]+)"/
        let starts = manifest.matches(of: pattern)
        var dependencies: [String: Set<String>] = [:]
        for (index, start) in starts.enumerated() {
            let end = index + 1 < starts.count ? starts[index + 1].range.lowerBound : manifest.endIndex
            let list = manifest[start.range.upperBound..<end].firstMatch(
                of: /dependencies: \[([^\[\]]*)\]/)
            let modules = list?.1.replacing(/\.product\([^)]*\)/, with: "")
            let names = modules?.matches(of: /"([^"]+)"/).map { String($0.1) }
            dependencies[String(start.1)] = Set(names ?? [])
        }
        return dependencies
    }

    /// The modules that the Swift files of a module import, with a file that imports each.
    private static func imports(of module: String) throws -> [String: String] {
        let folder = Program.repository + "/Sources/" + module
        var imports: [String: String] = [:]
        for case let name as String in try #require(FileManager.default.enumerator(atPath: folder))
        where name.hasSuffix(".swift") {
            let pattern = /^ *(?:[@a-z]+ +)*import +(?:(?:struct|class|enum|protocol|func|typealias) +)?(\w+)/
            // A search of the whole text with the regular expression is slow.
            for line in try text("Sources/\(module)/\(name)").split(separator: "\n") where line.contains("import ") {
                guard let match = line.prefixMatch(of: pattern) else { continue }
                imports[String(match.1)] = name
            }
        }
        return imports
    }

    @Test func tableListsEveryModuleOnce() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Program.repository + "/Sources")
        #expect(try Self.order().sorted() == folders.sorted())
        #expect(try Set(Self.dependencies().keys).isSuperset(of: folders))
    }

    @Test func modulesImportOnlyModulesAbove() throws {
        let order = try Self.order()
        for (index, module) in order.enumerated() {
            for (name, file) in try Self.imports(of: module) where order[index...].contains(name) {
                Issue.record("\(module)/\(file) imports \(name), which is not above \(module) in the table")
            }
        }
    }

    @Test func modulesDependOnlyOnModulesAbove() throws {
        let order = try Self.order()
        let dependencies = try Self.dependencies()
        #expect(dependencies["HabitIngest"]?.contains("HabitStore") == true, "the manifest cannot be parsed")
        for (index, module) in order.enumerated() {
            let others = try #require(dependencies[module], "\(module)").intersection(order[index...])
            #expect(others == [], "\(module)")
        }
    }

    @Test func importedModulesAreDeclaredDependencies() throws {
        let order = try Self.order()
        let dependencies = try Self.dependencies()
        for module in order {
            let imported = try Set(Self.imports(of: module).keys).intersection(order)
            #expect(imported.subtracting(dependencies[module] ?? []) == [], "\(module)")
        }
    }

    /// The table cannot express these rules.
    @Test(arguments: [
        ("StorePostGIS", "StoreSpatiaLite"), ("Rendering", "HabitStore"), ("HTTPServing", "StoreEngine"),
        ("HabitAPI", "CommandLineText"), ("HabitAPI", "StorePostGIS"), ("HabitAPI", "StoreSpatiaLite"),
        ("HabitPages", "HabitStore"), ("HabitServer", "CommandLineText"), ("HabitServer", "StorePostGIS"),
        ("HabitServer", "StoreSpatiaLite"), ("habitat", "HabitServer"), ("habitat", "HTTPServing"),
        ("habitat", "Hummingbird"),
    ])
    func moduleDoesNotImport(module: String, other: String) throws {
        #expect(try Self.imports(of: module)[other] == nil)
    }

    /// Returns the string literals of a file, without the lines that show an example of `habitat query`.
    private static func literals(_ path: String) throws -> [String] {
        let code = try text(path).split(separator: "\n", omittingEmptySubsequences: false)
            .filter { line in !line.isCommentLine && !line.contains("habitat query") }.joined(separator: "\n")
        let literal = /(?s)"""\n.*?"""|"(?:[^"\\\n]|\\.)*"/
        return code.matches(of: literal).map { String($0.output) }
    }

    private static func containsSQL(_ literal: String) -> Bool {
        // The regular expression is slow, and most literals contain none of these words.
        let words = ["SELECT", "DELETE", "INSERT", "UPDATE", "PRAGMA"]
        guard words.contains(where: { word in literal.contains(word) }) else { return false }
        let statement = /(?s)\b(?:SELECT\s.*\bFROM|DELETE\s+FROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|PRAGMA)\b/
        return literal.contains(statement)
    }

    /// Reports, pages of the server and the map have the same frame.
    ///
    /// Only the application has its own.
    @Test func onlyPageFrameAndShellBeginDocument() throws {
        let folder = Program.repository + "/Sources"
        var files: [String] = []
        for case let name as String in try #require(FileManager.default.enumerator(atPath: folder)) {
            let isSource = [".swift", ".html", ".js"].contains { ending in name.hasSuffix(ending) }
            guard isSource else { continue }
            let text = try Self.text("Sources/\(name)").lowercased()
            if text.contains("<!doctype html") || text.contains("<html") {
                files.append(name)
            }
        }
        #expect(files.sorted() == ["HabitPages/Shell/ApplicationShell.swift", "Rendering/HTML/PageFrame.swift"])
    }

    @Test(
        arguments: [
            "Base", "Geo", "Photos", "HabitModel", "HabitIngest", "Rendering", "HabitReport", "HTTPServing",
            "HabitAPI", "HabitPages", "HabitServer", "CommandLineText", "habitat", "habitat-server",
        ])
    func moduleContainsNoSQL(module: String) throws {
        let folder = Program.repository + "/Sources/" + module
        for case let name as String in try #require(FileManager.default.enumerator(atPath: folder))
        where name.hasSuffix(".swift") && !name.hasSuffix("/ReportSkeleton.swift") {
            for literal in try Self.literals("Sources/\(module)/\(name)") where Self.containsSQL(literal) {
                Issue.record("\(module)/\(name): \(literal)")
            }
        }
    }

    /// The template of a report contains a statement over several lines.
    @Test func statementOverSeveralLinesIsFound() throws {
        #expect(try Self.literals("Sources/HabitReport/Catalog/ReportSkeleton.swift").contains(where: Self.containsSQL))
    }
}
