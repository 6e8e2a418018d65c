import Foundation
import HabitTestSupport
import Testing

/// Tests of the settings with the maximum sizes of photos.
@Suite(.engineIndependent) struct PhotoLimitCommandTests {
    private static let limit = 100_009

    /// Returns a store with two photos: `fits.png` has the size of the limit, and `large.png` one byte more.
    private static func store() async throws -> SharingStore {
        let fixture = try await SharingStore()
        try fixture.folder.write(TestImage.png(byteCount: limit), to: "fits.png")
        try fixture.folder.write(TestImage.png(byteCount: limit + 1), to: "large.png")
        return fixture
    }

    private static func set(_ name: String, _ value: Int, in fixture: SharingStore) async throws {
        try await fixture.expectSuccess("setting", "set", name, "\(value)")
    }

    @Test(arguments: [
        ("item-photo-limit", ["item", "post", "--name", "Lamp"]),
        ("item-photo-limit", ["item", "edit", "i-available"]),
        ("post-photo-limit", ["post", "add"]), ("post-photo-limit", ["post", "edit", "p-river"]),
    ])
    func photoHasLimitOfKind(setting: String, command: [String]) async throws {
        let fixture = try await Self.store()
        try await fixture.expectRefusal(command + ["--photo", "fits.png"], as: "pat", "photo-too-large")
        try await Self.set(setting, Self.limit, in: fixture)
        let errors = try await fixture.expectRefusal(command + ["--photo", "large.png"], as: "pat", "photo-too-large")
        #expect(errors.contains("the photo has 100010 bytes; at most 100009 are allowed"), "\(errors)")
        #expect(errors.contains("--shrink-photo"), "\(errors)")
        try await fixture.expectSuccess(command + ["--photo", "fits.png"], as: "pat")
    }

    @Test func otherKindKeepsItsLimit() async throws {
        let fixture = try await Self.store()
        try await Self.set("item-photo-limit", Self.limit, in: fixture)
        try await fixture.expectRefusal(["post", "add", "--photo", "fits.png"], as: "pat", "photo-too-large")
        try await Self.set("post-photo-limit", 1_000_000, in: fixture)
        let event = ["event", "add", "--habit", "read", "--photo", "fits.png"]
        try await fixture.expectRefusal(event, as: "pat", "photo-too-large")
    }

    @Test func photoIsShrunkToLimitOfKind() async throws {
        let fixture = try await Self.store()
        try await Self.set("post-photo-limit", 3000, in: fixture)
        let add = ["post", "add", "--id", "pat:small", "--photo", "large.png"]
        try await fixture.expectRefusal(add, as: "pat", "photo-too-large")
        try await fixture.expectSuccess(add + ["--shrink-photo"], as: "pat")
        try await fixture.expectSuccess("post", "download", "pat:small", "--output", "got", as: "pat")
        let stored = try #require(FileManager.default.contents(atPath: fixture.folder.file("got")))
        #expect((100...3000).contains(stored.count), "\(stored.count)")
    }

    @Test func loweredLimitKeepsStoredPhotos() async throws {
        let fixture = try await Self.store()
        try await Self.set("post-photo-limit", Self.limit, in: fixture)
        let add = ["post", "add", "--id", "pat:large", "--photo", "fits.png"]
        try await fixture.expectSuccess(add, as: "pat")
        try await Self.set("post-photo-limit", 3000, in: fixture)
        try await fixture.expectSuccess("doctor")
        try await fixture.expectSuccess("post", "edit", "pat:large", "--caption", "new", as: "pat")
        try await fixture.expectSuccess("post", "download", "pat:large", "--output", "got", as: "pat")
        let stored = FileManager.default.contents(atPath: fixture.folder.file("got"))
        #expect(stored == TestImage.png(byteCount: Self.limit))
    }

    @Test(arguments: ["0", "-1", "1000001", "x", ""]) func invalidLimitIsRefused(value: String) async throws {
        let fixture = try await SharingStore()
        let set = ["setting", "set", "post-photo-limit", "--", value]
        let errors = try await fixture.expectRefusal(set, "parameter-invalid")
        #expect(errors.contains("use a number of bytes from 1 to 1000000"), "\(errors)")
    }

    /// The settings of an export precede the photos, which they allow.
    @Test func exportWithLargePhotosIsLoaded() async throws {
        let fixture = try await Self.store()
        try await Self.set("item-photo-limit", Self.limit, in: fixture)
        let post = ["item", "post", "--name", "Lamp", "--id", "pat:large", "--photo", "fits.png"]
        try await fixture.expectSuccess(post, as: "pat")
        try await fixture.expectSuccess("export", "out")
        let loaded = try await Program.habitat("--store", "new.db", "ingest", "out", in: fixture.folder)
        #expect(loaded.status == 0, "\(loaded)")
        let photo = try await Program.habitat(
            "--store", "new.db", "--as", "pat", "item", "photo", "pat:large", "--output", "got", in: fixture.folder)
        #expect(photo.status == 0, "\(photo)")
        #expect(
            FileManager.default.contents(atPath: fixture.folder.file("got")) == TestImage.png(byteCount: Self.limit))
    }

    @Test func loadedPhotoHasLimitOfKind() async throws {
        let fixture = try await Self.store()
        try await Self.set("post-photo-limit", Self.limit, in: fixture)
        try fixture.folder.write(
            "id,user,posted_at,photo\npat:a,pat,2026-11-20T12:00:00Z,fits.png\npat:b,pat,2026-11-20T12:00:00Z,large.png\n",
            to: "posts.csv")
        let loaded = try await fixture.run("ingest", "posts.csv")
        #expect(loaded.errors.contains("at most 100009 are allowed"), "\(loaded)")
        #expect(loaded.errors.contains("(photo-too-large)"), "\(loaded)")
        try await fixture.expectSuccess("post", "show", "pat:a", as: "pat")
        let refused = try await fixture.run("post", "show", "pat:b", as: "pat")
        #expect(refused.status != 0, "\(refused)")
    }
}
