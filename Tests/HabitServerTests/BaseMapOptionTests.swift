import Foundation
import HabitTestSupport
import Testing

/// Tests of the option `--base-map` of the server.
@Suite(.fileStoreOnly) struct BaseMapOptionTests {
    private static let program =
        URL(fileURLWithPath: Program.habitat).deletingLastPathComponent().path + "/habitat-server"

    @Test func serverSendsTilesOfFile() async throws {
        let folder = try TemporaryFolder()
        #expect(try await Program.habitat("init", in: folder).status == 0)
        try TestTileFile().write(to: folder.file("streets.mbtiles"))
        let server = try await LiveTests.RunningServer(in: folder, "--base-map", "streets.mbtiles")
        let address = "\(server.base)/basemap/12/\(TestTileFile.lisbon.column)/\(TestTileFile.lisbon.row)"
        let tile = try await server.curl("-w", " %{http_code} %{size_download}", address)
        #expect(tile.output.hasSuffix(" 200 \(TestTileFile().tiles[0].bytes.count)"), "\(tile)")
    }

    @Test(arguments: [
        ("none.mbtiles", "input-not-found"), ("habitat.db", "archive-unreadable"),
        ("text.mbtiles", "archive-unreadable"),
    ])
    func unusableFileIsRefusedAtStart(file: String, slug: String) async throws {
        let folder = try TemporaryFolder()
        #expect(try await Program.habitat("init", in: folder).status == 0)
        try folder.write("text", to: "text.mbtiles")
        let arguments = ["600", Self.program, "--store", "habitat.db", "--port", "0", "--base-map", file]
        let result = try await Program.run("/usr/bin/timeout", arguments, in: folder.path)
        #expect(result.errors.hasPrefix("error[\(slug)]: "), "\(result)")
        #expect(result.errors.contains(file), "\(result)")
        #expect(result.output.isEmpty, "\(result)")
    }
}
