import Foundation
import Testing

/// Compares a text with a golden file of the repository.
///
/// With HABITAT_BLESS=1 the file is rewritten, and the test still fails, so that files are not accepted by accident.
public func expectGolden(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let path = Program.repository + "/Tests/Golden/" + name
    if ProcessInfo.processInfo.environment["HABITAT_BLESS"] == "1" {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        Issue.record("rewritten: \(name)", sourceLocation: sourceLocation)
        return
    }
    let expected = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    #expect(text == expected, "differs from \(name); HABITAT_BLESS=1 rewrites it", sourceLocation: sourceLocation)
}
