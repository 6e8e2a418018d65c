import Base
import HabitModel
import Testing

@testable import HabitServer

/// Tests of the version in the document at `/api`.
@Suite(.serialized) struct VersionDocumentTests {
    @Test func versionMatchesProgram() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let information = try await client.send(path: "/api").json["info"] as? [String: Any]
            #expect(information?["version"] as? String == HabitatVersion.current)
        }
    }
}
