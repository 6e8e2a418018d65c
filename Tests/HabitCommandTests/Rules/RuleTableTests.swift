import Foundation
import HabitTestSupport
import Testing

/// Tests that every rule of ``RuleTable`` has a proof and that every listed test exists.
@Suite(.engineIndependent) struct RuleTableTests {
    private static func numbered(_ letter: String, to last: Int) -> [String] {
        (1...last).map { (number: Int) -> String in "\(letter)-\(number < 10 ? "0" : "")\(number)" }
    }

    private static let rules: [String] =
        numbered("C", to: 24) + ["C-35"] + numbered("G", to: 8) + numbered("H", to: 8)
        + numbered("M", to: 5) + numbered("R", to: 9) + numbered("S", to: 6)

    private static let proofs = RuleTable.proofs.merging(RuleTable.moreProofs, uniquingKeysWith: +)
        .merging(RuleTable.proofsOverHTTP, uniquingKeysWith: +)
    /// The rules that concern users of the server: each of them has a test over HTTP.
    private static let rulesOfUsers: [String] = {
        let all =
            numbered("C", to: 31) + numbered("G", to: 8)
            + numbered("H", to: 8) + numbered("M", to: 7)
        return all.filter { !["H-03", "H-04", "H-07"].contains($0) } + ["C-35", "R-10", "R-11"]
    }()

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
        // A regular expression takes much more time than the search for a word.
        let words = ["Tests", "@Test", "func"]
        for line in source.split(separator: "\n") where words.contains(where: line.contains) {
            guard !line.contains("///") else { continue }
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

    @Test(arguments: rulesOfUsers) func everyRuleOfUsersHasProofOverHTTP(rule: String) {
        #expect(RuleTable.proofsOverHTTP[rule]?.isEmpty == false)
    }

    @Test(arguments: proofs.keys.sorted()) func everyProofExists(rule: String) throws {
        let tests = try Self.tests.get()
        for name in Self.proofs[rule] ?? [] {
            let parts = name.split(separator: "/").map(String.init)
            try #require(parts.count == 2, "\(name)")
            #expect(tests[parts[0]]?.contains(parts[1]) == true, "\(name)")
        }
    }

    @Test func functionsContainTestsButNoHelpers() throws {
        let tests = try Self.tests.get()
        #expect(tests["RuleTableTests"]?.contains("functionsContainTestsButNoHelpers") == true)
        #expect(tests["RuleTableTests"]?.contains("functions") == false, "a helper is not a test")
    }
}
