import Foundation
import HabitTestSupport
import Testing

/// Tests that each recipe of the manual treats the texts of users as texts.
///
/// The store has the sample data and records of users whose IDs, names, titles, comments and other texts have a meaning in
/// a shell, SQL, HTML, mail, a spreadsheet, a format string or a terminal.
@Suite struct RecipeTests {
    /// Texts with characters that a careless recipe would run, or treat as the end of a text.
    static let texts = [
        "$(touch pwned)", "`touch pwned`", "; touch pwned", "| touch pwned", "&& touch pwned", "> pwned",
        "\ntouch pwned\n",
        "'; touch pwned; '", "\"; touch pwned; \"", "~! touch pwned", "~r /etc/hostname", "-oQ/tmp", "--help",
        "--output=pwned",
        "../../pwned", "/etc/passwd", "=cmd|' /C calc'!A0", "+1+1", "@SUM(1+1)", "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>", "]]></style>", "&lt;&amp;", "'; DROP TABLE event; --", "%s%n%d", "*", "a  b",
        "\\n",
        "nightly-summary,changed,alice,done,99,99", "x\nnightly-summary,changed,alice,done,99,99",
        "\",\"key\":\"alice\"",
        "x\u{2028}y", "\u{202e}txt.exe", "🚲👩‍👩‍👧", "e\u{301}", String(repeating: "long ", count: 50), "\u{1b}[2J",
        "M\r\nBcc: a@evil.example",
    ]

    /// The texts as IDs, which have one line and at most 64 characters.
    private static let ids: [String] = texts.map { text in
        let line = text.map { $0.isNewline || $0.unicodeScalars.contains { $0.value < 0x20 } ? " " : String($0) }
        return String(line.joined().trimmingCharacters(in: .whitespaces).prefix(60))
    }

    /// Writes the records with the texts into the folder `hostile`.
    private static func writeRecords(to folder: TemporaryFolder) async throws {
        var files: [String: [[String: Any]]] = [:]
        func add(_ kind: String, _ record: [String: Any]) { files[kind, default: []].append(record) }
        for (number, (text, id)) in zip(texts, ids).enumerated() {
            let place: [String: Any] = ["longitude": -9.1393 + Double(number) * 1e-5, "latitude": 38.7223]
            add("users", ["id": id, "name": text, "email": "u\(number)@example.org", "time_zone": "UTC"])
            // The recipes show the records of these users, too.
            for (owner, habit) in [(id, id), ("joao", "joao \(id)"), ("alice", "alice \(id)")] {
                add(
                    "habits",
                    [
                        "id": String(habit.prefix(64)), "user": owner, "title": text, "reason": text, "days": "1111111",
                        "start": "2026-10-01",
                    ])
                for day in ["2026-11-19", "2026-11-20"] {
                    let event: [String: Any] = ["habit": String(habit.prefix(64)), "day": day, "comment": text]
                    add("events", place.merging(event) { _, new in new })
                }
            }
            add("follows", ["follower": "alice", "followee": id, "status": "accepted", "share": "all"])
            let item: [String: Any] = ["id": id, "user": id, "name": text, "description": text]
            add("items", place.merging(item) { _, new in new })
            add("claims", ["item": id, "user": "alice"])
            add("messages", ["id": id, "item": id, "sender": "alice", "recipient": id, "text": text])
            let post: [String: Any] = ["id": id, "user": id, "caption": text]
            add("posts", place.merging(post) { _, new in new })
        }
        for (kind, records) in files {
            try folder.write(try JSONSerialization.data(withJSONObject: records), to: "hostile/\(kind).json")
        }
    }

    private static let store = Task { () async throws -> TemporaryFolder in
        let folder = try TemporaryFolder()
        try await SampleData.copy(to: folder.file("habitat.db"))
        for limit in ["title", "reason", "comment", "item-name", "caption"] {
            let set = try await Program.habitat("setting", "set", "\(limit)-limit", "1000", "--quiet", in: folder)
            #expect(set.status == 0, "\(set)")
        }
        try await writeRecords(to: folder)
        let load = try await Program.habitat("ingest", "hostile", "--now", SampleData.now, in: folder)
        #expect(load.status == 0, "\(load)")
        return folder
    }

    /// Returns a folder with a copy of the store and the programs that recipes call.
    private static func folder() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try TestServer.copyStore(at: try await store.value.file("habitat.db"), to: folder.file("habitat.db"))
        for (name, target) in [
            ("sample-data", SampleData.path), ("habitat", Program.habitat), ("duckdb", ParquetText.duckdb),
        ] { try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target) }
        // Some versions of mail run lines that begin with a tilde.
        try await addProgram(
            "mail",
            #"printf '%s\n' "$@" >>arguments; cat >message; grep '^~' message >>escapes; sed -n 's/^~! *//p' message | sh"#,
            to: folder)
        return folder
    }

    private static func addProgram(_ name: String, _ script: String, to folder: TemporaryFolder) async throws {
        try folder.write("#!/bin/sh\n\(script)\n", to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file(name))
    }

    /// Checks that no text was run, and that no text can control a terminal.
    private static func check(_ result: ProgramResult, of recipe: String, in folder: TemporaryFolder) {
        #expect(!folder.names.contains("pwned"), "\(recipe)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/../pwned"), "\(recipe)")
        guard recipe.hasPrefix("habitat "), !recipe.contains("--format") else { return }
        let unsafe = result.output.unicodeScalars.filter { scalar in
            (scalar.value < 0x20 && scalar != "\n") || (0x7f..<0xa0).contains(scalar.value)
                || (0x2028...0x202e).contains(scalar.value)
        }
        #expect(unsafe.isEmpty, "\(recipe): \(result.output)")
    }

    // MARK: Commands with their output

    private static func commands(of page: String) async throws -> [String] {
        let blocks = try DocumentationTests.text(of: page).matches(of: /```console\n([\s\S]*?)```/)
        return blocks.flatMap { block in
            block.1.split(separator: "\n").filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) }
        }
    }

    @Test(arguments: DocumentationTests.pages) func commandsOfPageTreatTextsAsTexts(page: String) async throws {
        let commands = try await Self.commands(of: page).filter { !$0.hasPrefix("make ") }
        guard !commands.isEmpty else { return }
        let folder = try await Self.folder()
        let server = commands.contains { $0.contains("curl ") } ? try await DocumentationTests.Server(in: folder) : nil
        for command in commands {
            // A backup, a restored store and the layers of a store are files.
            guard !TestServer.isUsed || !command.contains(/habitat (?:backup|restore|doctor)|habitat\.db/) else {
                continue
            }
            let url = server?.url ?? DocumentationTests.Server.documented
            let result = try await Program.shell(
                "exec 2>&1; " + command.replacing(DocumentationTests.Server.documented, with: url), in: folder)
            #expect(result.status == 0 || result.output.hasPrefix("error["), "\(command): \(result.output)")
            #expect(!result.output.contains("error[internal]"), "\(command): \(result.output)")
            Self.check(result, of: command, in: folder)
        }
        if page == "docs/parquet.md" { try await Self.checkConvertedFiles(in: folder) }
        if page == "docs/nightly.md" { try await Self.checkNight(in: folder) }
    }

    /// A description in KML is HTML; a cell of a spreadsheet is a text and not a formula.
    private static func checkConvertedFiles(in folder: TemporaryFolder) async throws {
        let script = """
            import re, xml.etree.ElementTree as tree, zipfile
            kml = tree.parse('events.kml').getroot()
            texts = [e.text or '' for e in kml.iter('{http://www.opengis.net/kml/2.2}description')]
            assert any('&lt;script>' in text for text in texts), texts
            names = [e.text or '' for e in kml.iter('{http://www.opengis.net/kml/2.2}name')]
            assert ']]></style>' in names, names
            assert not any(re.search('<[a-z/]', text) for text in texts), texts
            gpx = tree.parse('events.gpx').getroot()
            names = [e.text or '' for e in gpx.iter('{http://www.topografix.com/GPX/1/1}name')]
            assert '<script>alert(1)</script>' in names, names
            with zipfile.ZipFile('events.xlsx') as book:
                sheet = book.read('xl/worksheets/sheet1.xml').decode()
                strings = book.read('xl/sharedStrings.xml').decode()
            assert '<f' not in sheet and "=cmd|" in strings
            """
        let result = try await Program.run("/usr/bin/python3", ["-c", script], in: folder.path)
        #expect(result.status == 0, "\(result)")
    }

    /// The difference of two runs has no rows that a user has made up, and the spreadsheet has no formulas.
    private static func checkNight(in folder: TemporaryFolder) async throws {
        let difference = try #require(try await commands(of: "docs/nightly.md").first { $0.contains("--diff") })
        let found = try await Program.shell(difference, in: folder)
        #expect(found.lines.count > 2, "\(found)")
        #expect(!found.output.contains("99"), "\(found.output)")
        let cells = parseCSV(try folder.read("day-events.csv")).dropFirst().flatMap(\.self).compactMap(\.self)
        #expect(cells.contains { $0.hasPrefix("'=cmd|") })
        for cell in cells where cell.first.map({ "=+-@\t\r".contains($0) }) == true {
            #expect(Double(cell) != nil, "\(cell)")
        }
        for page in ["index.html", "users.html"] {
            let html = try folder.read("nights/2026-11-20/\(page)")
            #expect(html.contains("&lt;script&gt;alert(1)"), "\(page)")
            for tag in ["<script>alert", "<img src", "]]></style"] { #expect(!html.contains(tag), "\(page): \(tag)") }
        }
    }

    // MARK: Shell recipes

    /// Returns the block of a page that contains a text.
    private static func block(_ text: String, of page: String) async throws -> String {
        let pattern = /```\w*\n([\s\S]*?)```/
        let blocks = try DocumentationTests.text(of: page).matches(of: pattern)
        let contents = blocks.map { String($0.1) }
        return try #require(contents.first { $0.contains(text) }, "\(text)")
    }

    /// Checks the message that the program `mail` of the folder has received.
    private static func checkMail(_ subject: String, in folder: TemporaryFolder) async throws {
        #expect(try folder.read("arguments") == "-s\n\(subject)\nana@example.org\n")
        #expect(try folder.read("escapes") == "")
        let message = try folder.read("message")
        #expect(message.contains("~! touch pwned"), "\(message)")
        // The column is narrower than this ID.
        #expect(message.contains("\n<script>"), "\(message)")
        let controls = message.unicodeScalars.filter { $0.value < 0x20 || (0x7f..<0xa0).contains($0.value) }
        #expect(controls.allSatisfy { $0 == "\n" })
    }

    @Test func alertsAreMailedAsText() async throws {
        let folder = try await Self.folder()
        let recipe = try await Self.block("-ne 2", of: "docs/nightly.md")
        let result = try await Program.shell(
            recipe.replacing("habitat nightly", with: "habitat nightly --now 2026-12-20T01:00:00Z"), in: folder)
        #expect(result.status == 0, "\(result)")
        Self.check(result, of: recipe, in: folder)
        try await Self.checkMail("Alerts", in: folder)
    }

    @Test func crontabMailsSummaryAsText() async throws {
        let folder = try await Self.folder()
        let entry = try await Self.block("10 0 * * *", of: "docs/nightly.md")
        #expect(!entry.contains("%"))
        var recipe = entry.replacing("10 0 * * *", with: "").replacing("/srv/nights", with: folder.file("nights"))
        recipe = recipe.replacing("--store /srv/habitat.db", with: "--now 2026-11-21T01:00:00Z")
        let result = try await Program.shell(recipe, in: folder)
        #expect(result.status == 0, "\(result)")
        Self.check(result, of: recipe, in: folder)
        try await Self.checkMail("Habits", in: folder)
    }

    @Test func alertsArePassedAsJSON() async throws {
        let folder = try await Self.folder()
        try await Self.addProgram("curl", #"printf '%s\n' "$@" >>arguments; cat >sent"#, to: folder)
        let recipe = try await Self.block("--notify", of: "docs/nightly.md")
        let result = try await Program.shell(
            recipe.replacing("habitat nightly", with: "habitat nightly --now 2026-12-20T01:00:00Z"), in: folder)
        #expect(result.status == 2, "\(result)")
        Self.check(result, of: recipe, in: folder)
        #expect(
            try folder.read("arguments") == "--fail\n--silent\n--data\n@-\nhttps://example.org/hook\n")
        let sent = try JSONSerialization.jsonObject(with: Data(folder.read("sent").utf8)) as? [String: Any]
        let alerts = try #require(sent?["alerts"] as? [[String: String]])
        let keys = Set(alerts.filter { $0["report"] == "quiet-users" }.compactMap { $0["key"] })
        #expect(keys.isSuperset(of: Self.ids), "\(Set(Self.ids).subtracting(keys))")
    }

    @Test func alertRuleShowsTextsAsTexts() async throws {
        let folder = try await Self.folder()
        let rule = try await Self.block("-- alert:", of: "docs/nightly.md")
        try folder.write(rule.replacing("count(*) > 10", with: "count(*) > 0"), to: "rules/many-events.sql")
        let recipe = "habitat nightly --output nights --reports rules --alerts --date 2026-11-20 --quiet"
        let result = try await Program.shell(recipe, in: folder)
        #expect(result.status == 2, "\(result)")
        Self.check(result, of: recipe, in: folder)
        let rows = parseCSV(try folder.read("nights/2026-11-20/alerts.csv"))
        let messages = Set(rows.flatMap(\.self).compactMap(\.self))
        for id in Self.ids { #expect(messages.contains("\(id) has added 1 events"), "\(id)") }
        #expect(!(try folder.read("nights/2026-11-20/index.html").contains("<script>alert")))
        let summary = try folder.read("nights/2026-11-20/summary.txt")
        #expect(summary.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
    }

    /// The journal contains lines with the texts of users.
    @Test func failureReportIsMailedAsText() async throws {
        let folder = try TemporaryFolder()
        try await Self.addProgram(
            "mail", #"printf '%s\n' "$@" >arguments; cat >message; sed -n 's/^~! *//p' message | sh"#, to: folder)
        let lines = Self.texts.map { "Nov 27 00:00:01 host habitat[7]: " + $0.replacing("\n", with: "\n    ") }
        try folder.write(lines.joined(separator: "\n"), to: "lines")
        try await Self.addProgram("journalctl", "cat lines", to: folder)
        try await Self.addProgram("systemctl", "cat lines", to: folder)
        let recipe = try await Self.block("HABITAT_FAILURE_COMMAND=", of: "docs/packaging.md")
        let command = recipe.trimmingCharacters(in: .whitespacesAndNewlines).dropFirst(
            "HABITAT_FAILURE_COMMAND='".count)
        let result = try await Program.run(
            Program.repository + "/Packaging/scripts/report-failure", ["habitat-nightly.service"], in: folder.path,
            environment: [
                "PATH": folder.path + ":/usr/bin:/bin", "HABITAT_FAILURE_COMMAND": String(command.dropLast()),
            ])
        #expect(result.status == 0, "\(result)")
        Self.check(result, of: recipe, in: folder)
        #expect(try folder.read("arguments") == "-s\nhabitat-nightly.service failed\nops@example.org\n")
        #expect(try folder.read("message").contains("$(touch pwned)"))
    }

    @Test func requestsForTilesAndPhotosTreatTextsAsTexts() async throws {
        let folder = try await Self.folder()
        let server = try await DocumentationTests.Server(in: folder)
        let token = try await Program.shell(
            "habitat token create --user alice --label phone --columns token --format csv --quiet | tail -1 >token.txt",
            in: folder)
        #expect(token.status == 0, "\(token)")
        for text in ["tiles/4/7/6.pbf", "photo-links=signed"] {
            let recipe = try await Self.block(text, of: "docs/http-api.md")
            let command = recipe.replacing(DocumentationTests.Server.documented, with: server.url)
            let result = try await Program.shell("TOKEN=$(cat token.txt)\n" + command, in: folder)
            #expect(result.status == 0, "\(result)")
            #expect(!result.output.contains("\"slug\""), "\(result.output)")
            Self.check(result, of: recipe, in: folder)
        }
    }

    // MARK: Scripts of web pages

    /// The scripts of the manual pass features to the map as data, and never as markup.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/node"), "Node.js is not installed"))
    func scriptsReadFeaturesWithHostileTexts() async throws {
        let folder = try await Self.folder()
        let server = try await DocumentationTests.Server(in: folder)
        let token = try await Program.shell(
            "habitat token create --user alice --label phone --columns token --format csv --quiet | tail -1", in: folder
        )
        let pages = ["transformRequest: url", "showClusters", "L.circleMarker"]
        let blocks = try await pages.asyncMap { try await Self.block($0, of: "docs/http-api.md") }
        for block in blocks {
            #expect(!block.contains(/innerHTML|bindPopup|bindTooltip|setHTML|document\.write|eval\(/))
        }
        let script = """
            const server = process.argv[1], token = process.argv[2], added = [], maps = [];
            const request = globalThis.fetch;
            globalThis.fetch = (url, options) => request(new URL(url, server), options);
            const layer = { addTo() { return layer; }, clearLayers() {}, addData(page) { added.push(page); }, options: {} };
            const box = { getWest: () => -180, getSouth: () => -90, getEast: () => 180, getNorth: () => 90 };
            const map = { on() {}, getZoom: () => 20, getBounds: () => box, getCenter: () => ({ lat: 38.7223, lng: -9.1393 }), addSource() {}, addLayer() {} };
            const L = {
              geoJSON(page, options) { if (page) { page.features.forEach(f => options.pointToLayer(f, [0, 0])); added.push(page); } return layer; },
              circleMarker(position, options) { if (!/^#[0-9a-f]{6}$/.test(options.color)) throw new Error(options.color); return layer; },
              latLng: (lat, lng) => ({ lat, lng, wrap: () => ({ lat, lng }) }),
            };
            const maplibregl = { Map: class { constructor(options) { maps.push(options); } on(name, action) { action(); } addSource() {} addLayer() {} } };
            (async () => {
              await (async () => { \(blocks[0]) })();
              for (const other of ['https://evil.example/x', server + '.evil.example/x']) {
                if (maps[0].transformRequest(other).headers) throw new Error('the token is sent to ' + other);
              }
              if (!maps[0].transformRequest(server + '/x').headers) throw new Error('no token');
              await (async () => { \(blocks[1].replacing("\nshowClusters();", with: "\nawait showClusters();")) })();
              await (async () => { \(blocks[2]) })();
              const titles = added.flatMap(page => page.features).map(feature => feature.properties.title);
              if (!titles.includes('<script>alert(1)</script>')) throw new Error('no hostile title');
            })().catch(error => { console.error(error); process.exit(1); });
            """
        let result = try await Program.run(
            "/usr/bin/node", ["-e", script, server.url, token.lines.first ?? ""], in: folder.path)
        #expect(result.status == 0, "\(result)")
        Self.check(result, of: "node", in: folder)
    }

    // MARK: Completeness

    /// Recipes that a test of this suite, or of the digests, runs with hostile texts.
    private static let testedRecipes = [
        "-ne 2", "--notify", "10 0 * * *", "-- alert:", "mail-digests", "HABITAT_FAILURE_COMMAND=", "tiles/4/7/6.pbf",
        "photo-links=signed", "transformRequest", "showClusters", "L.circleMarker",
    ]

    /// The beginnings of lines that handle no texts of the store: the operator's own files, names and addresses.
    private static let plainLines = [
        "make ", "systemctl ", "psql ", "createdb ", "apt-get ", "podman ", "runuser ", "install ", "for unit ",
        "for image ", "done",
        "export HABITAT_", "habitat init > administrator.sql", "pg_ctlcluster ", "pg_basebackup ",
        "echo \"hostssl ", "echo 'HABITAT_NIGHTLY_OPTIONS=", "sudo -u habitat habitat restore ", "ls ", "chmod ",
        "(umask 077; openssl ",
    ]

    /// A new recipe needs a test in this suite, unless it is one command without a shell around it.
    @Test(arguments: DocumentationTests.linkedPages) func eachRecipeIsTested(page: String) async throws {
        let text = try DocumentationTests.text(of: page)
        let pattern = /```(sh|js|sql|python|py|)\n([\s\S]*?)```/
        for block in text.matches(of: pattern) {
            let language = block.1
            let code = String(block.2)
            guard !Self.testedRecipes.contains(where: code.contains) else { continue }
            #expect(!["js", "python", "py"].contains(language), "\(page): \(code)")
            guard language == "sh" else { continue }
            for line in code.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
                let isCommand = line.hasPrefix("habitat ") && !line.contains(/[|`<>;]|\$\(/)
                let isPlain = line.isEmpty || line.hasPrefix("#") || Self.plainLines.contains(where: line.hasPrefix)
                #expect(isCommand || isPlain, "\(page): \(line)")
            }
        }
    }
}
