import Foundation
import HabitTestSupport
import Testing

private let chromium = "/usr/bin/chromium"

/// Tests that a browser shows the page of a nightly run, fetches nothing and treats user texts as text.
@Suite(
    .engineIndependent,
    .enabled(if: FileManager.default.isExecutableFile(atPath: chromium), "Chromium is not installed"), .serialized)
struct BrowserTests {
    /// Creates a nightly run of a store in which comments, titles and names contain markup.
    private static func runWithMarkup() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("data"), withIntermediateDirectories: false)
        try """
        {"kind":"users","id":"u1","name":"<img src=x onerror=alert(1)>"}
        {"kind":"habits","id":"h1","user":"u1","title":"<b>\\"x'&amp;","days":"mon tue wed thu fri sat sun"}
        {"kind":"events","habit":"h1","day":"2026-11-20","comment":"<script>go</script>","longitude":-9.14,"latitude":38.72}
        {"kind":"events","habit":"h1","day":"2026-11-19","comment":"]]></style>","longitude":-9.15,"latitude":38.71}

        """.write(toFile: folder.file("data/all.ndjson"), atomically: true, encoding: .utf8)
        let load = try await Program.habitat("ingest", "data/all.ndjson", in: folder)
        #expect(load.status == 0, "\(load)")
        let night = try await Program.habitat("nightly", "--output", "nights", "--date", "2026-11-20", in: folder)
        #expect(night.status == 0, "\(night)")
        return folder
    }

    /// A font of Debian that the browser uses for all texts.
    enum Font: String, CaseIterable {
        case dejaVu = "DejaVu Sans"
        case noto = "Noto Sans"
        case liberation = "Liberation Sans"
        /// A font that is wider than every common one: a bold font for normal text.
        case wide = "DejaVu Sans Bold"

        /// A configuration of fontconfig in which the family is the only one.
        fileprivate func configuration(in folder: TemporaryFolder) -> String {
            let isBold = self == .wide
            let family = isBold ? Font.dejaVu.rawValue : rawValue
            let name = (family.split(separator: " ").first ?? "").lowercased()
            let weight = "<edit name='weight' mode='assign' binding='strong'><const>bold</const></edit>"
            return """
                <?xml version="1.0"?>
                <!DOCTYPE fontconfig SYSTEM "fonts.dtd">
                <fontconfig>
                  <dir>/usr/share/fonts/truetype/\(name)</dir>
                  <cachedir>\(folder.file("font-cache"))</cachedir>
                  <match target="pattern">
                    <edit name="family" mode="assign" binding="strong"><string>\(family)</string></edit>\(isBold ? weight : "")
                  </match>
                </fontconfig>

                """
        }
    }

    /// Runs the browser in headless mode.
    private static func browse(
        _ options: String..., page: String, font: Font = .dejaVu, in folder: TemporaryFolder
    ) async throws -> ProgramResult {
        try folder.write(font.configuration(in: folder), to: "fonts.conf")
        return try await Program.run(
            "/usr/bin/timeout",
            [
                "600", chromium, "--headless", "--no-sandbox", "--disable-gpu",
                "--user-data-dir=\(folder.file("browser"))",
            ]
                + options + ["file://\(folder.file(page))"], in: folder.path,
            environment: ["FONTCONFIG_FILE": folder.file("fonts.conf")])
    }

    @Test func userTextsAreEscapedInNightlyPage() async throws {
        let folder = try await Self.runWithMarkup()
        let dom = try await Self.browse("--dump-dom", page: "nights/latest/index.html", in: folder)
        #expect(dom.output.contains("<h1>"), "\(dom)")
        #expect(dom.output.contains("&lt;script&gt;go&lt;/script&gt;"))
        #expect(!dom.output.contains("<script"))
        #expect(!dom.output.contains("<img"))
        #expect(dom.output.contains("<svg"), "the page has charts")
        for scheme in ["http:", "https:", "url(", "@import"] {
            #expect(!dom.output.replacing("http://www.w3.org/2000/svg", with: "").contains(scheme), "\(scheme)")
        }
    }

    /// A page in a window of a certain width, with the least number of labels that it has.
    private struct Window {
        var page: String
        var width: Int
        var labels: Int
    }

    /// A script that examines each page of `windows` in a frame.
    ///
    /// It checks that the page has no horizontal scroll bar and that the texts of each drawing neither overlap nor extend
    /// beyond the drawing. It writes a line for each page, and then its findings.
    private static let examination = """
        const name = e => e.textContent.trim().slice(0, 30);
        function examine(d, width) {
          const root = d.documentElement, found = [];
          if (root.scrollWidth > root.clientWidth) found.push('page is ' + root.scrollWidth + ' wide');
          if (root.clientWidth < width - 30) found.push('window is ' + root.clientWidth + ' wide');
          for (const e of d.querySelectorAll('main *, header *')) {
            if (e.closest('.table, .wide, svg') || getComputedStyle(e).position === 'absolute') continue;
            const b = e.getBoundingClientRect();
            if (b.width > 0 && (b.right > root.clientWidth + 1 || b.left < -1)) found.push('outside: ' + e.tagName + ' ' + name(e));
          }
          let texts = 0;
          for (const svg of d.querySelectorAll('svg')) {
            const box = svg.getBoundingClientRect(), all = [...svg.querySelectorAll('text')];
            const boxes = all.map(t => t.getBoundingClientRect());
            texts += all.length;
            for (const [i, b] of boxes.entries()) {
              if (b.width === 0) continue;
              if (b.left < box.left - 1 || b.right > box.right + 1 || b.top < box.top - 2 || b.bottom > box.bottom + 2)
                found.push('cut: ' + name(all[i]) + ' in ' + svg.getAttribute('aria-label')?.slice(0, 40));
              for (const [j, c] of boxes.entries()) {
                if (j <= i) continue;
                const wide = Math.min(b.right, c.right) - Math.max(b.left, c.left);
                const high = Math.min(b.bottom, c.bottom) - Math.max(b.top, c.top);
                if (wide > 1 && high > 3) found.push('overlap: ' + name(all[i]) + ' / ' + name(all[j]));
              }
            }
          }
          for (const item of d.querySelectorAll('.bars li:has(strong)')) {
            const [a, b] = [...item.children].map(e => e.getBoundingClientRect());
            if (a.width > 0 && a.right > b.left + 1) found.push('overlap: ' + name(item));
          }
          return texts + ' labels ' + found.join('; ');
        }
        async function examineAll() {
          for (const [page, width] of windows) {
            const frame = document.createElement('iframe');
            frame.style = `width:${width}px;height:900px;border:0`;
            frame.src = page;
            const loaded = new Promise(resolve => frame.onload = resolve);
            document.body.append(frame);
            await loaded;
            r.textContent += examine(frame.contentDocument, width) + '\\n';
            frame.remove();
          }
          r.textContent += 'end';
        }
        examineAll();
        """

    /// Expects that each page has its labels and no findings.
    ///
    /// One start of the browser shows all pages, because a start takes longer than a page.
    private static func expectReadable(
        _ windows: [Window], font: Font = .dejaVu, in folder: TemporaryFolder
    ) async throws {
        let list = windows.map { "['\($0.page)', \($0.width)]" }.joined(separator: ", ")
        try folder.write(
            "<body><pre id=r></pre><script>const windows = [\(list)];\n\(examination)</script>", to: "frame.html")
        let dom = try await browse(
            "--allow-file-access-from-files", "--virtual-time-budget=30000", "--dump-dom", page: "frame.html",
            font: font, in: folder)
        let found = dom.output.firstMatch(of: /<pre id="r">([\s\S]*)\nend<\/pre>/)
        let text = try #require(found, "\(dom)").1
        let lines = text.split(separator: "\n")
        try #require(lines.count == windows.count, "\(dom)")
        for (window, line) in zip(windows, lines) {
            let result = try #require(line.wholeMatch(of: /([0-9]+) labels (.*)/), "\(line)")
            #expect(result.2.isEmpty, "\(window) in \(font.rawValue)")
            #expect(Int(result.1) ?? 0 >= window.labels, "\(window) in \(font.rawValue): \(line)")
        }
    }

    private static let widths = [1280, 390, 320]

    @Test func pagesWithMarkupFitWindowWithoutOverlappingLabels() async throws {
        let folder = try await Self.runWithMarkup()
        var windows: [Window] = []
        for width in Self.widths {
            windows.append(Window(page: "nights/latest/index.html", width: width, labels: 20))
            windows.append(Window(page: "nights/latest/user-u1.html", width: width, labels: 9))
            windows.append(Window(page: "nights/index.html", width: width, labels: 0))
        }
        try await Self.expectReadable(windows, in: folder)
    }

    @Test(arguments: widths) func nightlyPageIsPainted(width: Int) async throws {
        let folder = try await Self.runWithMarkup()
        let screenshot = try await Self.browse(
            "--screenshot=\(folder.file("night.png"))", "--window-size=\(width),1600",
            page: "nights/latest/index.html", in: folder)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("night.png")))
        #expect(bytes.count > 20_000, "\(screenshot)")
    }

    @Test(arguments: Font.allCases)
    func pagesOfSampleDataFitWindowWithoutOverlappingLabels(font: Font) async throws {
        let folder = try TemporaryFolder()
        let night = try await Program.habitat(
            "nightly", "--store", SampleData.folder().file("habitat.db"), "--output", "nights", "--date", "2026-11-20",
            in: folder)
        #expect(night.status == 0, "\(night)")
        var windows: [Window] = []
        for width in Self.widths {
            windows.append(Window(page: "nights/latest/index.html", width: width, labels: 60))
            windows.append(Window(page: "nights/latest/user-alice.html", width: width, labels: 40))
            windows.append(Window(page: "nights/latest/user-yuki.html", width: width, labels: 20))
        }
        try await Self.expectReadable(windows, font: font, in: folder)
    }

    /// Maps of the world, of a pole and of a city have no overlapping labels in any font.
    @Test func labelsOfMapsDoNotOverlap() async throws {
        let folder = try TemporaryFolder()
        try folder.write("id\nu\n", to: "users.csv")
        try folder.write("id,user,title,days\nh,u,Walk,1111111\n", to: "habits.csv")
        var windows: [Window] = []
        for (name, positions) in [
            ("pole", ["-170,80", "170,81", "0,79", "90,85"]), ("world", ["-179.9,-89", "179.9,89", "0,0"]),
            ("city", ["-9.14,38.72", "-9.139,38.7201"]), ("ocean", ["-120.123,35", "-60.5,-35.25"]),
        ] {
            let rows = positions.enumerated().map { "h,2026-11-\(10 + $0.offset),\($0.element)\n" }
            try folder.write("habit,day,longitude,latitude\n" + rows.joined(), to: "events.csv")
            let load = try await Program.habitat(
                "ingest", "users.csv", "habits.csv", "events.csv", "--store", "\(name).db", "--quiet", in: folder)
            #expect(load.status == 0, "\(load)")
            let page = try await Program.habitat(
                "report", "run", "history", "--store", "\(name).db", "--format", "html", "--output", "\(name).html",
                in: folder)
            #expect(page.status == 0, "\(page)")
            windows.append(Window(page: "\(name).html", width: 390, labels: 10))
        }
        for font in Font.allCases { try await Self.expectReadable(windows, font: font, in: folder) }
    }

    /// The links to the next and the previous run work over a gap, and without a next run the list remains.
    @Test func linksLeadToNextAndPreviousRun() async throws {
        let folder = try await Self.runWithMarkup()
        let earlier = try await Program.habitat("nightly", "--output", "nights", "--date", "2026-11-17", in: folder)
        #expect(earlier.status == 0, "\(earlier)")
        let links = [
            ("#after-2026-11-17", "Habits on Friday, 2026-11-20"),
            ("#before-2026-11-20", "Habits on Tuesday, 2026-11-17"),
            ("#after-2026-11-20", "Nightly reports"), ("#2026-11-17", "Nightly reports"),
            ("?page=users.html#before-2026-11-20", "Users on Tuesday, 2026-11-17"),
            ("?page=user-u1.html#before-2026-11-20", "<img src=x onerror=alert(1)> (u1) on Tuesday, 2026-11-17"),
            // Another name is ignored.
            ("?page=https://example.org/#before-2026-11-20", "Habits on Tuesday, 2026-11-17"),
        ]
        let frames = links.map { "<iframe src=\"nights/index.html\($0.0)\"></iframe>" }
        // The heading of each frame after its redirection.
        let script = """
            <pre id=r></pre><script>setTimeout(() => {
              const headings = [...document.querySelectorAll('iframe')].map(f => f.contentDocument.querySelector('h1'));
              r.textContent = headings.map(e => e.textContent).join('\\n');
            }, 2000)</script>
            """
        try folder.write(frames.joined() + script, to: "frame.html")
        let dom = try await Self.browse(
            "--allow-file-access-from-files", "--virtual-time-budget=5000", "--dump-dom", page: "frame.html", in: folder
        )
        let found = dom.output.firstMatch(of: /<pre id="r">([\s\S]*?)<\/pre>/)
        let text = try #require(found, "\(dom)").1
        let headings = text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").split(separator: "\n")
        #expect(headings.map(String.init) == links.map(\.1), "\(dom)")
    }

    /// The symbols of the statuses have a contrast of at least 3 to all backgrounds of a table, and their words of 4.5.
    @Test(arguments: [false, true])
    func statusIsReadableInLightAndDark(isDark: Bool) async throws {
        let folder = try await Self.runWithMarkup()
        let script = """
            <iframe id=f src="nights/latest/index.html" style="width:900px;height:900px"></iframe>
            <pre id=r></pre><script>f.onload = () => {
              const d = f.contentDocument, style = e => d.defaultView.getComputedStyle(e);
              const light = color => {
                const p = document.createElement('canvas').getContext('2d');
                p.fillStyle = color; p.fillRect(0, 0, 1, 1);
                const [r, g, b] = [...p.getImageData(0, 0, 1, 1).data].map(v => { v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
                return .2126 * r + .7152 * g + .0722 * b;
              };
              const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + .05) / (y + .05); };
              const card = style(d.querySelector('.table')).backgroundColor;
              const ground = style(d.body).backgroundColor;
              let symbol = 99, word = 99;
              for (const status of ['on-track', 'near-goal', 'inactive', 'new']) {
                const e = d.createElement('span'); e.className = 'status'; d.body.append(e);
                const dot = d.createElement('i'); dot.className = 'dot ' + status; e.append(dot);
                const paint = style(dot).getPropertyValue('--paint');
                symbol = Math.min(symbol, ratio(paint, card), ratio(paint, ground));
                word = Math.min(word, ratio(style(e).color, card), ratio(style(e).color, ground));
              }
              const tenths = number => Math.floor(number * 10);
              r.textContent = `ground ${Math.round(light(ground) * 100)} symbol ${tenths(symbol)} word ${tenths(word)} end`;
            }</script>
            """
        try folder.write(script, to: "frame.html")
        let options = isDark ? ["--blink-settings=preferredColorScheme=0"] : ["--blink-settings=preferredColorScheme=1"]
        let dom = try await Self.browse(
            options[0], "--allow-file-access-from-files", "--virtual-time-budget=5000", "--dump-dom",
            page: "frame.html", in: folder)
        let pattern = /ground ([0-9]+) symbol ([0-9]+) word ([0-9]+) end/
        let found = try #require(dom.output.firstMatch(of: pattern), "\(dom)")
        #expect((Int(found.1) ?? 50 < 20) == isDark, "\(found.0)")
        #expect(Int(found.2) ?? 0 >= 30, "\(found.0)")
        #expect(Int(found.3) ?? 0 >= 45, "\(found.0)")
    }
}
