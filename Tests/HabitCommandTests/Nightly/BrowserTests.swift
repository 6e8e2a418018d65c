import Foundation
import HabitTestSupport
import Testing

private let chromium = "/usr/bin/chromium"

/// Tests that a browser shows the page of a nightly run, fetches nothing and treats user texts as text.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: chromium), "Chromium is not installed"), .serialized)
struct BrowserTests {
    /// Creates a nightly run of a store in which comments, titles and names contain markup.
    private static func runWithMarkup() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("data"), withIntermediateDirectories: false)
        try """
        {"kind":"users","id":"u1","name":"<img src=x onerror=alert(1)>"}
        {"kind":"habits","id":"h1","user":"u1","title":"<b>\\"x'&amp;","days":"mon tue wed thu fri sat sun"}
        {"kind":"events","habit":"h1","day":"2026-11-20","comment":"<script>go</script>","longitude":-9.14,"latitude":38.72}
        {"kind":"events","habit":"h1","day":"2026-11-19","comment":"]]></style>","longitude":-9.15,"latitude":38.71}

        """.write(toFile: folder.file("data/all.ndjson"), atomically: true, encoding: .utf8)
        let load = try Program.habitat("ingest", "data/all.ndjson", in: folder)
        #expect(load.status == 0, "\(load)")
        let night = try Program.habitat("nightly", "--output", "nights", "--date", "2026-11-20", in: folder)
        #expect(night.status == 0, "\(night)")
        return folder
    }

    /// Runs the browser in headless mode.
    private static func browse(_ options: String..., page: String, in folder: TemporaryFolder) throws -> ProgramResult {
        try Program.run(
            "/usr/bin/timeout",
            [
                "90", chromium, "--headless", "--no-sandbox", "--disable-gpu",
                "--user-data-dir=\(folder.file("browser"))",
            ]
                + options + ["file://\(folder.file(page))"], in: folder.path)
    }

    @Test func userTextsAreEscapedInNightlyPage() throws {
        let folder = try Self.runWithMarkup()
        let dom = try Self.browse("--dump-dom", page: "nights/latest/index.html", in: folder)
        #expect(dom.output.contains("<h1>"), "\(dom)")
        #expect(dom.output.contains("&lt;script&gt;go&lt;/script&gt;"))
        #expect(!dom.output.contains("<script") && !dom.output.contains("<img"))
        #expect(dom.output.contains("<svg"), "the page has charts")
        for scheme in ["http:", "https:", "url(", "@import"] {
            #expect(!dom.output.replacing("http://www.w3.org/2000/svg", with: "").contains(scheme), "\(scheme)")
        }
    }

    /// The page is not blank, and its content is not wider than the window, even on a phone.
    @Test(arguments: [1200, 390])
    func nightlyPageFitsWindowWidth(width: Int) throws {
        let folder = try Self.runWithMarkup()
        let script = """
            <iframe id=f src="nights/latest/index.html" style="width:\(width)px;height:900px;border:0"></iframe>
            <p id=r></p><script>f.onload=()=>{const d=f.contentDocument.documentElement;
            r.textContent='width '+d.scrollWidth+' of '+d.clientWidth+', figures '+f.contentDocument.querySelectorAll('svg').length}</script>
            """
        try script.write(toFile: folder.file("frame.html"), atomically: true, encoding: .utf8)
        let dom = try Self.browse(
            "--allow-file-access-from-files", "--virtual-time-budget=5000", "--dump-dom", page: "frame.html", in: folder
        )
        let found = try #require(dom.output.firstMatch(of: /width ([0-9]+) of ([0-9]+), figures ([0-9]+)/), "\(dom)")
        #expect(Int(found.1) == Int(found.2) && Int(found.2) ?? 0 > width - 30, "\(found.0)")
        #expect(Int(found.3) ?? 0 >= 4, "\(found.0)")
        let screenshot = try Self.browse(
            "--screenshot=\(folder.file("night.png"))", "--window-size=\(width),1600",
            page: "nights/latest/index.html", in: folder)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("night.png")))
        #expect(bytes.count > 20_000, "\(screenshot)")
    }
}
