import Foundation
import HabitTestSupport
import Testing

/// Tests that every rule of ``RuleTable`` has a proof and that every listed test exists.
@Suite struct RuleTableTests {
    private static let rules: [String] = [("C", 24), ("G", 8), ("H", 8), ("M", 5), ("R", 9), ("S", 6)].flatMap {
        letter, count in
        (1...count).map { letter + ($0 < 10 ? "-0" : "-") + "\($0)" }
    }
    private static let proofs = RuleTable.proofs.merging(RuleTable.moreProofs, uniquingKeysWith: +)

    /// The test functions of each suite in the sources under Tests.
    private static let tests: Result<[String: Set<String>], any Error> = Result {
        var tests: [String: Set<String>] = [:]
        let folder = Program.repository + "/Tests"
        for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init()
        where name.hasSuffix(".swift") {
            for (suite, functions) in functions(in: try String(contentsOfFile: folder + "/" + name, encoding: .utf8)) {
                tests[suite, default: []].formUnion(functions)
            }
        }
        return tests
    }

    /// Returns the test functions in a source.
    ///
    /// A function belongs to the last suite named before it, and it is a test if `@Test` precedes it.
    private static func functions(in source: String) -> [String: Set<String>] {
        var result: [String: Set<String>] = [:]
        var suite: String?
        var isTest = false
        for line in source.split(separator: "\n") where !line.contains("///") {
            if let match = line.firstMatch(of: /(?:struct|class|enum|extension|actor) (\w+Tests)\b/) {
                suite = String(match.1)
            }
            if line.contains(/@Test\b/) { isTest = true }
            guard isTest, let suite, let match = line.firstMatch(of: /\bfunc (?:(\w+)|`([^`]+)`)/),
                let name = match.1 ?? match.2
            else { continue }
            result[suite, default: []].insert(String(name))
            isTest = false
        }
        return result
    }

    @Test(arguments: rules) func everyRuleHasProof(rule: String) {
        #expect(Self.proofs[rule]?.isEmpty == false)
    }

    @Test(arguments: proofs.keys.sorted()) func everyProofExists(rule: String) throws {
        let tests = try Self.tests.get()
        for name in Self.proofs[rule] ?? [] {
            let parts = name.split(separator: "/").map(String.init)
            #expect(parts.count == 2 && tests[parts[0]]?.contains(parts[1]) == true, "\(name)")
        }
    }

    @Test func functionsContainTestsButNoHelpers() throws {
        let tests = try Self.tests.get()
        #expect(tests["RuleTableTests"]?.contains("functionsContainTestsButNoHelpers") == true)
        #expect(tests["RuleTableTests"]?.contains("functions") == false, "a helper is not a test")
    }
}
