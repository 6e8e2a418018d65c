import Base
import Foundation
import HTTPTypes
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitPages
@testable import HabitServer

/// Tests of the document of the application, its service worker and its manifest.
@Suite(.engineIndependent, .serialized, .server(Scene.friends)) struct ApplicationRouteTests {
    private static let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]
    private static let views = [
        "/days", "/days/2026-11-18", "/habits", "/habits/new", "/habits/h1", "/habits/h1/edit", "/history", "/people",
        "/people/all", "/events/new", "/events/r17",
    ]
    private static let worker = "/service-worker.js"
    private static let manifest = "/manifest.webmanifest"

    private static func fixture(publicURL: String) async throws -> ServerFixture {
        try await ServerFixture(Scene.friends) { options in options.publicURL = publicURL }
    }

    // MARK: The document

    @Test(arguments: views) func browserGetsSameDocumentAtEachView(path: String) async throws {
        try await ServerFixture.shared.run { client in
            let today = try await client.send(path: "/days", as: "owner", headers: Self.browser)
            let page = try await client.send(path: path, as: "owner", headers: Self.browser)
            #expect(page.status == 200, "\(page)")
            #expect(page.type == "text/html; charset=utf-8")
            #expect(page.body == today.body)
            #expect(page.text.contains(#"<div id="app"></div>"#))
        }
    }

    /// The server and the script list the addresses in their own ways.
    @Test func serverHasAddressOfEachView() throws {
        let script = try String(
            contentsOfFile: Program.repository + "/Sources/HabitPages/Application/routes.js", encoding: .utf8)
        let patterns = script.matches(of: /\['([a-z\/:]+)', '/).map { match in "/" + match.1 }
        let named = patterns.map { pattern in pattern.replacing(/:[a-z]+/, with: "{}") }
        let ofServer = ([ApplicationShell.today] + ApplicationShell.paths).map { path in
            path.replacing(/\{[a-z]+\}/, with: "{}")
        }
        // The address of a new record has the form of a record's address.
        #expect(Set(named.map { path in path.replacing(/\/new$/, with: "/{}") }) == Set(ofServer))
    }

    @Test func cookieOfSessionOpensDocument() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let cookie = try await client.cookie(of: "owner")
            let headers = Self.browser.merging(ServerClient.ownPage).merging([.cookie: cookie])
            let page = try await client.send(path: "/days", headers: headers)
            #expect(page.status == 200, "\(page)")
            #expect(page.text.contains(#"<div id="app"></div>"#))
        }
    }

    /// The service worker keeps the document on the device, where another person may sign in.
    @Test func documentIsSameForAllPersons() async throws {
        try await ServerFixture.shared.run { client in
            let documents = try await ["owner", "all", "stranger"].asyncMap { user in
                try await client.send(path: "/habits/new", as: user, headers: Self.browser).body
            }
            #expect(Set(documents).count == 1)
        }
    }

    @Test func documentHasPolicyOfApplication() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/days", as: "owner", headers: Self.browser)
            let policy = try #require(page.headers[.contentSecurityPolicy])
            let directives = Set(policy.components(separatedBy: "; "))
            let expected: Set<String> = [
                "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob: data:",
                "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'", "form-action 'self'",
                "base-uri 'none'", "frame-ancestors 'none'",
            ]
            #expect(directives == expected)
            #expect(page.headers[.permissionsPolicy] == "geolocation=(self), camera=(self)")
            #expect(page.headers[.crossOriginOpenerPolicy] == "same-origin")
            #expect(page.headers[.xContentTypeOptions] == "nosniff")
            // The policy forbids inline scripts and styles.
            #expect(!page.text.contains(" style="))
            #expect(!page.text.contains("<style"))
            #expect(page.text.matches(of: /<script/).count == page.text.matches(of: /<script [^>]*src=/).count)
        }
    }

    @Test(arguments: [
        ("de, pt-BR;q=0.9, en;q=0.5", "pt"), ("ja", "ja"), ("JA-jp, en;q=0.9", "ja"), ("en;q=0.2, pt;q=0.7", "pt"),
        ("de", "en"), ("pt;q=0", "en"), ("", "en"),
    ])
    func documentHasPreferredLanguage(accepted: String, language: String) async throws {
        try await ServerFixture.shared.run { client in
            let headers = Self.browser.merging([.acceptLanguage: accepted])
            let page = try await client.send(path: "/days", as: "owner", headers: headers)
            #expect(page.text.contains("<html lang=\"\(language)\">"), "\(page)")
            #expect(page.headers[.vary]?.contains("Accept-Language") == true)
        }
    }

    @Test(arguments: ["/days", worker, manifest]) func copyIsRevalidated(path: String) async throws {
        try await ServerFixture.shared.run { client in
            let first = try await client.send(path: path, as: "owner", headers: Self.browser)
            #expect(first.headers[.cacheControl]?.contains("no-cache") == true, "\(first.headers)")
            let headers = Self.browser.merging([.ifNoneMatch: first.tag])
            let again = try await client.send(path: path, as: "owner", headers: headers)
            #expect(again.status == 304, "\(again)")
            #expect(again.tag == first.tag)
        }
    }

    @Test func filesOfDocumentAreKeptForever() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/days", as: "owner", headers: Self.browser)
            let paths = page.text.matches(of: /(?:href|src)="(\/static\/[^"]+)"/).map { match in String(match.1) }
            #expect(paths.count == 4)
            for path in paths {
                let file = try await client.send(path: path)
                #expect(file.status == 200, "\(path)")
                #expect(file.headers[.cacheControl] == "public, max-age=31536000, immutable", "\(path)")
            }
        }
    }

    // MARK: Callers

    @Test(arguments: views) func browserWithoutSessionIsLedToSignIn(path: String) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: path, headers: Self.browser)
            #expect(response.status == 303, "\(response)")
            #expect(response.headers[.location] == "/sign-in?to=\(path.urlEncoded)")
            #expect(response.headers[.cacheControl] == "no-store")
        }
    }

    @Test func signInLeadsBackToAddressWithQuery() async throws {
        try await Self.fixture(publicURL: "https://host.example/habitat").run { client in
            let response = try await client.send(path: "/events/new?day=2026-11-18", headers: Self.browser)
            let target = "/events/new?day=2026-11-18".urlEncoded
            #expect(response.headers[.location] == "/habitat/sign-in?to=\(target)", "\(response)")
        }
    }

    @Test(arguments: ["/habits", "/history", "/days"]) func programWithoutTokenIsRefused(path: String) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: path)
            #expect(response.status == 401, "\(response)")
            #expect(response.slug == "not-signed-in")
        }
    }

    @Test(arguments: ["/habits", "/days"]) func operatorHasNoApplication(path: String) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: path, as: "operator", headers: Self.browser)
            #expect(response.status == 403, "\(response)")
        }
    }

    @Test(arguments: [nil, "application/json", "*/*"]) func programGetsDaysAsJSON(accepted: String?) async throws {
        try await ServerFixture.shared.run { client in
            let headers: HTTPFields = accepted.map { accepted in [.accept: accepted] } ?? [:]
            let response = try await client.send(path: "/days?from=today", as: "owner", headers: headers)
            #expect(response.type == "application/json", "\(response)")
            #expect(response.headers[.vary]?.contains("Accept,") == true)
        }
    }

    @Test func formatOfQueryWinsOverHeader() async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/days?f=json", as: "owner", headers: Self.browser)
            #expect(response.type == "application/json", "\(response)")
        }
    }

    @Test func serverWithoutHabitsHasNoApplication() async throws {
        let shown = try Sections("items,posts")
        try await ServerFixture(Scene.friends) { options in options.sections = shown }.run { client in
            for path in Self.views + [Self.worker, Self.manifest] {
                let response = try await client.send(path: path, as: "owner", headers: Self.browser)
                #expect(response.status == 404, "\(path): \(response)")
            }
            let home = try await client.send(path: "/", as: "owner", headers: Self.browser)
            #expect(!home.text.contains(#"href="/days""#), "\(home)")
        }
    }

    @Test(arguments: [("owner", true), (nil, true), ("operator", false)])
    func pagesLinkApplicationForPersons(user: String?, isLinked: Bool) async throws {
        try await ServerFixture.shared.run { client in
            for path in ["/", "/collections", "/api"] {
                let page = try await client.send(path: path, as: user, headers: Self.browser)
                #expect(page.text.contains(#"<a href="/days">Today</a>"#) == isLinked, "\(path): \(page)")
            }
        }
    }

    // MARK: The service worker

    @Test func serviceWorkerKeepsFilesThatExist() async throws {
        try await ServerFixture.shared.run { client in
            let shell = try await Self.shell(of: client)
            #expect(shell["root"] as? String == "")
            #expect(shell["views"] as? [String] == ["/days", "/habits", "/history", "/people", "/events"])
            let files = try #require(shell["files"] as? [String])
            for path in files {
                #expect(try await client.send(path: path).status == 200, "\(path)")
            }
            for name in ["application.js", "application.css", "icon.svg"] {
                #expect(files.contains("/" + WebFiles.all.path(of: name)), "\(name)")
            }
            #expect(files.contains(Self.manifest))
        }
    }

    @Test func serviceWorkerIsScriptWithPolicyOfApplication() async throws {
        try await ServerFixture.shared.run { client in
            let worker = try await client.send(path: Self.worker)
            let page = try await client.send(path: "/days", as: "owner", headers: Self.browser)
            #expect(worker.type == "text/javascript; charset=utf-8")
            #expect(worker.headers[.contentSecurityPolicy] == page.headers[.contentSecurityPolicy])
            #expect(worker.headers[.cacheControl] == "no-cache")
            let bundle = try WebFiles.serviceWorker.gunzipped()
            #expect(!bundle.isEmpty)
            #expect(worker.body.suffix(bundle.count) == bundle[...])
        }
    }

    @Test func addressesAreBelowPathOfPublicURL() async throws {
        try await Self.fixture(publicURL: "https://host.example/habitat/").run { client in
            let page = try await client.send(path: "/days", as: "owner", headers: Self.browser)
            for match in page.text.matches(of: /(?:href|src)="([^"]+)"/) {
                #expect(match.1.hasPrefix("/habitat/"), "\(match.1)")
            }
            let shell = try await Self.shell(of: client)
            #expect(shell["root"] as? String == "/habitat")
            let files = try #require(shell["files"] as? [String])
            #expect(files.allSatisfy { path in path.hasPrefix("/habitat/") }, "\(files)")
            let manifest = try await client.send(path: Self.manifest)
            #expect(manifest.json["start_url"] as? String == "/habitat/days")
            #expect(manifest.json["scope"] as? String == "/habitat/")
        }
    }

    /// Returns the values that the server writes at the beginning of the service worker.
    private static func shell(of client: ServerClient) async throws -> [String: Any] {
        let worker = try await client.send(path: worker)
        let line = try #require(worker.text.split(separator: "\n").first)
        let text = try #require(line.wholeMatch(of: /const shell = (\{.*\});/)).output.1
        return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    // MARK: Installation

    @Test func manifestNamesIconsThatExist() async throws {
        try await ServerFixture.shared.run { client in
            let manifest = try await client.send(path: Self.manifest)
            #expect(manifest.type == "application/manifest+json")
            #expect(manifest.json["display"] as? String == "standalone")
            #expect(manifest.json["start_url"] as? String == "/days")
            let icons = try #require(manifest.json["icons"] as? [[String: String]])
            #expect(Set(icons.compactMap { icon in icon["purpose"] }) == ["any", "maskable"])
            for icon in icons {
                let file = try await client.send(path: try #require(icon["src"]))
                #expect(file.status == 200, "\(icon)")
                #expect(file.type == icon["type"], "\(icon)")
            }
        }
    }

    @Test func largeIconIsPictureOfItsSize() throws {
        let icon = try #require(WebFiles.all[WebFiles.largeIcon])
        let bytes = try icon.content()
        // A PNG picture begins with a signature of 8 bytes, and its first chunk has the width and the height after 8 more.
        #expect(bytes.prefix(8) == [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
        #expect(bytes[16..<24] == [0, 0, 2, 0, 0, 0, 2, 0])
    }

    // MARK: Budget

    /// The files before the list of today have at most 80 kB: 60 kB of own scripts with one language, 6 kB of their library,
    /// 12 kB of style and 2 kB of document.
    @Test func filesBeforeListOfTodayAreSmall() throws {
        let names = WebFiles.ofApplication
        let script = try #require(WebFiles.all["application.js"]).content()
        // The other parts are loaded when they are needed, such as the worker that makes photos small.
        let imports = String(decoding: script, as: UTF8.self).matches(of: #/from"\./([^"]+)"/#)
        let parts = imports.map { match in String(match.output.1) }
        #expect(!parts.isEmpty)
        let languages = names.filter { name in name.hasPrefix("texts.") }.map { name in Self.size([name]) }
        let scripts = Self.size(["application.js"] + parts) + (try #require(languages.max()))
        #expect(scripts <= 66_000, "\(scripts) bytes of scripts")
        let style = Self.size(names.filter { name in name.hasSuffix(".css") })
        #expect(style <= 12_000, "\(style) bytes of style")
        let document = try ApplicationShell(root: "", language: "en").document.gzipped().count
        #expect(document <= 2000, "\(document) bytes of the document")
    }

    /// Returns the number of bytes of compressed files.
    private static func size(_ names: [String]) -> Int {
        names.reduce(0) { sum, name in sum + (WebFiles.all[name]?.compressed.count ?? 0) }
    }
}
