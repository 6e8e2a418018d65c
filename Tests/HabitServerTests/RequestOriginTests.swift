import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import HTTPServing

/// Tests of the rule for requests that carry a cookie, of the cookie and of the forms, without a server.
@Suite(.engineIndependent) struct RequestOriginTests {
    private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options]
    private static let sites = [nil, "same-origin", "none", "same-site", "cross-site", "", "Same-Origin"]
    private static let modes = [nil, "navigate", "cors", "no-cors", "same-origin", "websocket"]
    private static let destinations = [nil, "document", "iframe", "image", "empty", "embed"]
    private static let origins = [
        nil, "https://habits.example", "https://other.example", "http://habits.example", "https://habits.example:444",
        "null", "",
    ]

    /// The rows of the table of the rule, as texts.
    private static func isInTable(_ page: RequestOrigin) -> Bool {
        let site = page.site ?? "absent"
        let method = page.method.rawValue
        let rows: Set<String> = [
            "\(site) \(page.mode ?? "") \(page.destination ?? "") \(method)",
            "\(site) \(method)",
            "\(site) \(page.origin ?? "")",
            site,
        ]
        let accepted: Set<String> = [
            "same-origin",
            "none",
            "same-site navigate document GET",
            "cross-site navigate document GET",
            " navigate document GET",
            "Same-Origin navigate document GET",
            "absent GET",
            "absent HEAD",
            "absent https://habits.example",
        ]
        return !rows.isDisjoint(with: accepted)
    }

    @Test func ruleIsTheTable() {
        var accepted = 0
        for method in Self.methods {
            for site in Self.sites {
                for mode in Self.modes {
                    for destination in Self.destinations {
                        for origin in Self.origins {
                            let page = RequestOrigin(
                                method: method,
                                site: site,
                                mode: mode,
                                destination: destination,
                                origin: origin)
                            let isTrusted = page.isTrusted(at: "https://habits.example/path")
                            #expect(isTrusted == Self.isInTable(page), "\(page)")
                            accepted += isTrusted ? 1 : 0
                        }
                    }
                }
            }
        }
        #expect(accepted > 3000)
    }

    @Test(arguments: [
        ("https://habits.example", "https://habits.example"),
        ("https://Habits.Example:443/x", "https://habits.example"),
        ("http://localhost:8080", "http://localhost:8080"), ("http://[::1]:8080/", "http://[::1]:8080"),
        ("http://habits.example:80", "http://habits.example"),
    ])
    func originOfAddressHasNoStandardPort(address: String, origin: String) {
        #expect(RequestOrigin.origin(of: address) == origin)
    }

    // MARK: Cookie

    @Test(
        arguments: [
            (nil, "habitat", "; Path=/; Max-Age=60; HttpOnly; SameSite=Lax"),
            ("http://habits.example", "habitat", "; Path=/; Max-Age=60; HttpOnly; SameSite=Lax"),
            ("http://habits.example/a/", "habitat", "; Path=/a; Max-Age=60; HttpOnly; SameSite=Lax"),
            ("https://habits.example/", "__Host-habitat", "; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Lax"),
            ("https://habits.example", "__Host-habitat", "; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Lax"),
            ("https://habits.example/a", "__Secure-habitat", "; Path=/a; Max-Age=60; Secure; HttpOnly; SameSite=Lax"),
            ("https://habits.example/a;b", "__Secure-habitat", "; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Lax"),
        ] as [(String?, String, String)])
    func cookieDependsOnPublicURL(publicURL: String?, name: String, attributes: String) {
        let cookie = SessionCookie(publicURL: publicURL)
        #expect(cookie.name == name)
        #expect(cookie.setting("hbs_x", for: .seconds(60)) == "\(name)=hbs_x\(attributes)")
        #expect(cookie.clearing == "\(name)=\(attributes.replacing("Max-Age=60", with: "Max-Age=0"))")
    }

    @Test(
        arguments: [
            ("__Host-habitat=a", .secret("a")), ("x=1; __Host-habitat=a; y=2", .secret("a")),
            ("__Host-habitat=a=b", .secret("a=b")),
            ("habitat=a", nil), ("__host-habitat=a", nil), ("", nil), ("__Host-habitat", .invalid),
            ("__Host-habitat=", .invalid),
            ("__Host-habitat=a; __Host-habitat=a", .secret("a")), ("__Host-habitat=a; __Host-habitat=b", .invalid),
            ("__Host-habitat=" + String(repeating: "a", count: 201), .invalid),
        ] as [(String, SessionCookie.Value?)])
    func cookieIsRead(header: String, value: SessionCookie.Value?) {
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: [.cookie: header])
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        #expect(SessionCookie(publicURL: "https://habits.example").value(in: request) == value)
    }

    @Test(
        arguments: [
            (nil, "127.0.0.1", false), (nil, "::1", false), (nil, "localhost", false), (nil, "0.0.0.0", true),
            ("http://localhost:8080", "0.0.0.0", false), ("http://[::1]:8080", "0.0.0.0", false),
            ("http://habits.example", "127.0.0.1", true), ("https://habits.example", "0.0.0.0", false),
        ] as [(String?, String, Bool)])
    func plainCookieBeyondMachineIsNoticed(publicURL: String?, listenHost: String, isUnprotected: Bool) {
        #expect(SessionCookie.isUnprotected(publicURL: publicURL, listenHost: listenHost) == isUnprotected)
    }

    // MARK: Forms and paths

    @Test(arguments: [
        "/", "/map", "/map#x", "/collections/events/items?f=html&limit=5", "/collections/follows/items/all%2Fowner",
        "/a?to=https://other.example//x", "/a%20b", "/account?done=add-identity#services", "/sign", "/a/sign-in",
    ])
    func pathOfThisServerIsAccepted(path: String) {
        #expect(OwnPath(path)?.text == path)
    }

    @Test(arguments: [
        "", "map", "//other.example", "///other.example", "/\\other.example", "\\\\other.example", "/%5Cother.example",
        "/%5cother.example", "/%2Fother.example", "/%2fother.example", "%2F%2Fother.example", "/a//b", "/a/%2F/b",
        "https://other.example", "https:/other.example", "javascript:alert(1)", "/\tother.example", "/\n/other.example",
        "/%09/other.example", "/%0A/other.example", "/%00", "/%7F", "/ä", "/a b", "/%", "/%zz", "/%FF", " /map",
        "/map\u{7f}", "/..", "/../other", "/map/../../other", "/%2e%2e/other", "/a%2f..%2fother", "/./map", "/%2E/map",
        "/" + String(repeating: "a", count: 4096), "/sign-in", "/sign-in/issuers/test?to=/", "/sign%2Din/link",
        "/sign-in?a",
        "/sign-out", "/sign-out#x", "/sign-in%2Fissuers",
    ])
    func otherTargetIsRefused(path: String) {
        #expect(OwnPath(path) == nil)
    }

    @Test func formIsDecoded() {
        let form = FormBody(Array("token=hbt_%2B+x&to=%2Fmap&empty=&bare".utf8))
        #expect(form?["token"] == "hbt_+ x")
        #expect(form?["to"] == "/map")
        #expect(form?["empty"] == "")
        #expect(form?["bare"] == "")
        #expect(form?["other"] == nil)
        for body in ["a=1&a=2", "a=%", "a=%FF", "%FF=a", "a=%00"] {
            #expect(FormBody(Array(body.utf8)) == nil, "\(body)")
        }
        #expect(FormBody([0xff]) == nil)
    }
}
