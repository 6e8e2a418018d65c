import Foundation
import HTTPTypes
import HabitModel
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitServer

/// Tests of the hosts, proxies and paths for which the server responds.
@Suite(.engineIndependent, .serialized) struct HostRuleTests {
    private static func rule(_ change: (inout ServerOptions) -> Void = { _ in }) -> HostRule {
        var options = ServerOptions()
        change(&options)
        return HostRule(
            listenHost: options.host,
            publicURL: options.publicURL,
            isBehindProxy: options.isBehindProxy)
    }

    @Test func onlyListenAddressAndLoopbackNamesAreServedWithoutPublicURL() {
        let rule = Self.rule { $0.host = "192.0.2.7" }
        for host in [
            "localhost", "LOCALHOST:80", "localhost.:8080", "127.0.0.1:8080", "127.9.8.7", "[::1]:8080", "[0:0::1]",
            "192.0.2.7", "192.0.2.7:65535", "localhost:",
        ] {
            #expect(rule.accepts(host, local: "192.0.2.7"), "\(host)")
        }
        for host in [
            "evil.example", "evil.example:80:80", "localhost.evil.example", "evil.localhost", "127.0.0.1.evil.example",
            "192.0.2.8", "2130706433", "0x7f.1", "[::2]", "[::1", "[::1]]", "[::1]x", "::1",
            "localhost:x",
            "localhost:65536", "localhost:-1", "localhost:+80", "", ":80", "a b", "localhost/", "user@localhost",
            "[::ffff:192.0.2.8]",
        ] {
            #expect(!rule.accepts(host, local: "192.0.2.7"), "\(host)")
        }
        #expect(rule.accepts(nil, local: nil), "HTTP/1.0 needs no host")
        // A server on all interfaces has the address to which the client has connected.
        let all = Self.rule { $0.host = "0.0.0.0" }
        #expect(all.accepts("198.51.100.3:8080", local: "198.51.100.3"))
        #expect(!all.accepts("198.51.100.4", local: "198.51.100.3"))
        #expect(Self.rule { $0.host = "::" }.accepts("[2001:db8::7]:80", local: "2001:DB8:0::7"))
    }

    @Test func publicHostIsServedAndProxySelectsHosts() {
        let rule = Self.rule { $0.publicURL = "https://Habits.example.org/path" }
        #expect(rule.accepts("habits.example.org", local: nil))
        #expect(rule.accepts("habits.EXAMPLE.org:443", local: nil))
        #expect(rule.accepts("localhost", local: nil))
        #expect(!rule.accepts("evil.example", local: nil))
        let proxied = Self.rule { ($0.publicURL, $0.isBehindProxy) = ("https://habits.example.org", true) }
        #expect(proxied.accepts("backend:8080", local: nil))
        #expect(!proxied.accepts("evil.example:80:80", local: nil))
    }

    /// The real server sees the Host header of the client.
    @Test func runningServerRefusesForeignHostsAndAmbiguousRequests() async throws {
        let store = try await LiveTests.large.value
        let folder = store.folder
        let token = store.token
        let server = try await LiveTests.RunningServer(in: folder)
        let bearer = "Authorization: Bearer \(token)"
        func status(_ arguments: String...) async throws -> String {
            let all = ["-sS", "-o", "body", "-w", "%{http_code}", "--path-as-is", "--max-time", "20"] + arguments
            return try await Program.run("/usr/bin/curl", all, in: server.scratch.path).output
        }
        for host in ["evil.example", "evil.example:80:80", "127.0.0.1.nip.io"] {
            for path in ["/", "/collections/events/items", "/user/calendars"] {
                #expect(try await status("-H", "Host: \(host)", "-H", bearer, server.base + path) == "421", "\(host)")
                #expect(try !server.scratch.read("body").contains(host))
            }
            let created = try await status(
                "-H", "Host: \(host)", "-H", bearer, "-d", "{}", server.base + "/user/calendars")
            #expect(created == "421")
        }
        for host in ["localhost", "localhost:9000", "127.0.0.1", "[::1]:8080"] {
            #expect(try await status("-H", "Host: \(host)", server.base + "/") == "200", "\(host)")
        }
        let record = #"{"habit":"h1","day":"2026-11-19"}"#
        for encoding in ["gzip, chunked", "identity", "chunked, chunked", "x"] {
            let refused = try await status(
                "-H", bearer, "-H", "Transfer-Encoding: \(encoding)", "-d", record,
                server.base + "/collections/events/items")
            #expect(["400", "501"].contains(refused), "\(encoding): \(refused)")
        }
        #expect(
            try await status(
                "-H", bearer, "-H", "Transfer-Encoding: gzip, chunked", "-d", record,
                server.base + "/collections/events/items") == "501")
        for path in [
            "//collections//events", "/collections/", "/collections//events", "//", "/map/",
            "/collections/events/items/?limit=1",
        ] {
            #expect(try await status("-H", bearer, server.base + path) == "404", "\(path)")
        }
        for path in ["/", "/?f=html", "/collections", "/collections/events/items?filter=comment%20=%20'//'"] {
            #expect(try await status("-H", bearer, server.base + path) == "200", "\(path)")
        }
    }

    @Test func networksAndAddressesAreParsed() throws {
        for (text, inside, outside) in [
            ("127.0.0.0/8", "127.255.0.1", "128.0.0.1"), ("10.0.3.0/25", "10.0.3.127", "10.0.3.128"),
            ("192.0.2.1", "192.0.2.1", "192.0.2.2"), ("2001:db8::/33", "2001:db8:7fff::1", "2001:db8:8000::"),
            ("::1", "0:0:0:0:0:0:0:1", "::2"), ("0.0.0.0/0", "8.8.8.8", "::1"),
            ("10.0.0.0/8", "::ffff:10.1.2.3", "::10.1.2.3"),
        ] {
            let network = try #require(IPNetwork(text))
            #expect(network.contains(try #require(IPAddress(inside))), "\(text)")
            #expect(!network.contains(try #require(IPAddress(outside))), "\(text)")
        }
        for text in [
            "", "10", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/+8", "10.0.0.0/-1", "::1/129", "a", "10.0.0.0/8/8",
            "01.2.3.4 ",
        ] {
            #expect(IPNetwork(text) == nil, "\(text)")
        }
        #expect(IPAddress("2001:DB8:0:0::1")?.description == "2001:db8::1")
        #expect(IPAddress("::ffff:1.2.3.4")?.description == "1.2.3.4")
    }

    /// Only a trusted proxy names the client, and only with an address.
    @Test func clientAddressComesFromTrustedProxy() async throws {
        for (forwarded, client) in [
            ("203.0.113.9, 198.51.100.7", "198.51.100.7"), ("2001:DB8::1", "2001:db8::1"), ("evil", "-"), ("", "-"),
            ("198.51.100.7,", "198.51.100.7"), ("1.2.3.4, <script>", "-"),
        ] {
            let lines = LogLines()
            let fixture = try await ServerFixture(Scene.friends) { options in
                options.isBehindProxy = true
                options.log = { lines.add($0) }
            }
            try await fixture.run { try await $0.send(path: "/conformance", headers: [.forwardedFor: forwarded]) }
            #expect(lines.entries.map { $0["client"] as? String } == [client], "\(forwarded): \(lines.all)")
        }
    }

    @Test(arguments: [
        ["--behind-proxy"], ["--public-url", "habits.example.org"], ["--public-url", "ftp://habits.example.org"],
        ["--public-url", "https://u@h.example"], ["--public-url", "https://h.example?a"],
        ["--trusted-proxy", "proxy.example"], ["--sign-up", "everyone"],
    ])
    func invalidOptionsOfServerAreRefused(options: [String]) async throws {
        let folder = try await LiveTests.large.value.folder
        let program = URL(fileURLWithPath: Program.habitat).deletingLastPathComponent().path + "/habitat-server"
        let result = try await Program.run(
            program, ["--store", "habitat.db", "--port", "0"] + options, in: folder.path)
        #expect(result.status == 64, "\(result)")
        #expect(result.errors.hasPrefix("error[parameter-invalid]: "), "\(result)")
    }
}
