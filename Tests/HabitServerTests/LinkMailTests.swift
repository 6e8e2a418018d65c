import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests of one-time links by mail.
@Suite(.engineIndependent, .serialized) struct LinkMailTests {
    private static let path = "/sign-in/links"

    /// A server that mails with a shell script, and what the script and the server have written.
    private struct Mailing {
        let folder: TemporaryFolder
        let fixture: ServerFixture
        let audit = LogLines()
        let log = LogLines()

        /// Creates a server.
        ///
        /// - Parameters:
        ///   - script: The script, which runs in the folder of the test.
        ///   - timeout: The maximum run time of the script.
        /// - Throws: An error of the fixture.
        init(_ script: String, timeout: Duration = .seconds(600)) async throws {
            // A script may end before the server has written the message, as in the program, which ignores the signal.
            signal(SIGPIPE, SIG_IGN)
            folder = try TemporaryFolder()
            let file = try folder.write("cd '\(folder.path)'\n\(script)\n", to: "mail.sh")
            var command = try MailCommand("/bin/sh  \(file)")
            command.timeout = timeout
            let sent = command
            let audit = audit
            let log = log
            var ann = UserRecord(id: "ann")
            ann.email = .value("Ann@example.org")
            fixture = try await ServerFixture(Scene.friends + [.user(ann)]) { options in
                options.publicURL = "https://habits.example.org/h/"
                options.mailCommand = sent
                options.audit = { audit.add($0) }
                options.log = { log.add($0) }
                options.logsAccess = false
            }
        }

        /// Waits until the server has handled a number of requests for mails.
        func waitForAudit(_ count: Int) async throws {
            try await waitUntil("the requests are audited") { audit.all.count >= count }
        }
    }

    /// Writes each message to a file of its own.
    private static let keep = "cat >part.$$ && mv part.$$ message.$$"

    private static func ask(
        _ client: ServerClient,
        _ address: String,
        headers: HTTPFields = ServerClient.ownPage
    ) async throws -> ServerResponse {
        try await client.send(.post, path: path, #"{"email":"\#(address)"}"#, headers: headers)
    }

    private static func messages(_ folder: TemporaryFolder) throws -> [String] {
        try folder.names.filter { name in name.hasPrefix("message.") }.map(folder.read)
    }

    @Test func addressOfAccountReceivesLink() async throws {
        let mailing = try await Mailing(Self.keep)
        try await mailing.fixture.run { client in
            let asked = try await Self.ask(client, " ann@EXAMPLE.org ")
            #expect(asked.status == 202, "\(asked)")
            #expect(asked.body.isEmpty)
            try await waitUntil("the mail is sent") { try !Self.messages(mailing.folder).isEmpty }
            let message = try #require(try Self.messages(mailing.folder).first)
            let lines = message.components(separatedBy: "\n")
            #expect(lines[0] == "To: Ann@example.org")
            #expect(lines[1] == "Subject: Sign in to Habitat")
            #expect(lines[2] == "Date: Fri, 20 Nov 2026 12:00:00 +0000")
            let messageID = /Message-ID: <[0-9a-z]+@habits\.example\.org>/
            #expect(lines[3].wholeMatch(of: messageID) != nil, "\(lines[3])")
            #expect(lines.contains("Content-Type: text/plain; charset=utf-8"))
            let prefix = "https://habits.example.org/h/sign-in/link#"
            let link = try #require(lines.first { line in line.hasPrefix(prefix) }, "\(message)")
            let cookie = try await client.cookie(ofLink: String(link.dropFirst(prefix.count)))
            let session = try await client.send(path: "/session", headers: [.cookie: cookie])
            #expect(session.json["user"] as? String == "ann")
        }
        let first = try #require(mailing.audit.entries.first)
        #expect(first["action"] as? String == "link.create")
        #expect(first["purpose"] as? String == "mail")
        #expect(first["user"] as? String == "ann")
        #expect(first["expires_at"] as? String == "2026-11-20T12:15:00+00:00")
        let logged = (mailing.audit.all + mailing.log.all).joined().lowercased()
        #expect(!logged.contains("example.org"))
        #expect(!logged.contains("hbl_"))
    }

    /// The response does not depend on accounts.
    @Test func unknownAddressHasSameResponse() async throws {
        let mailing = try await Mailing(Self.keep)
        try await mailing.fixture.run { client in
            let form = ServerClient.linkForm
            var pages: [ServerResponse] = []
            for address in ["ann%40example.org", "nobody%40example.org"] {
                pages.append(try await client.send(.post, path: Self.path, "email=\(address)", headers: form))
            }
            #expect(pages.map(\.status) == [202, 202])
            #expect(pages[0].body == pages[1].body)
            #expect(pages[0].headers == pages[1].headers)
            #expect(pages[0].text.contains("If an account has this address"))
            try await mailing.waitForAudit(2)
            try await waitUntil("the mail is sent") { try !Self.messages(mailing.folder).isEmpty }
        }
        #expect(mailing.audit.entries.map { $0["action"] as? String } == ["link.create", "link.refuse"])
        #expect(try Self.messages(mailing.folder).count == 1)
    }

    @Test func addressReceivesThreeMailsInAnHour() async throws {
        let mailing = try await Mailing(Self.keep)
        try await mailing.fixture.run { client in
            for address in ["ann@example.org", "ANN@example.org", "ann@Example.org", "Ann@example.org"] {
                #expect(try await Self.ask(client, address).status == 202)
            }
            // The mails are sent in the order of the requests.
            #expect(try await Self.ask(client, "last@example.org").status == 202)
            try await mailing.waitForAudit(4)
        }
        let actions = mailing.audit.entries.map { $0["action"] as? String }
        #expect(actions == ["link.create", "link.create", "link.create", "link.refuse"])
        #expect(try Self.messages(mailing.folder).count == 3)
    }

    @Test func clientIsLimited() async throws {
        let mailing = try await Mailing(Self.keep)
        try await mailing.fixture.run { client in
            for number in 0..<20 {
                #expect(try await Self.ask(client, "a\(number)@example.org").status == 202)
            }
            for address in ["ann@example.org", "nobody@example.org"] {
                let limited = try await Self.ask(client, address)
                #expect(limited.status == 429, "\(limited)")
                #expect(limited.headers[.retryAfter] != nil)
            }
        }
    }

    @Test(arguments: [
        "ann@example.org\\nBcc: eve@example.org", "ann@example.org\\r\\n\\r\\nbody", "ann@example.org, eve@example.org",
        "Ann <ann@example.org>", "-oQ/tmp@example.org", "ann", "", "@",
    ])
    func onlyOneAddressIsAccepted(address: String) async throws {
        let mailing = try await Mailing(Self.keep)
        try await mailing.fixture.run { client in
            let refused = try await Self.ask(client, address)
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.slug == "field-invalid")
            for body in ["{}", "[]", #"{"email":1}"#, "email"] {
                let invalid = try await client.send(.post, path: Self.path, body, headers: ServerClient.ownPage)
                #expect(invalid.status == 422, "\(invalid)")
                #expect(invalid.slug == "row-invalid")
            }
        }
        #expect(mailing.audit.all.isEmpty)
    }

    @Test func messageHasNoOtherHeader() {
        for address in ["ann@example.org\nBcc: eve@example.org", "a@b\r\n\r\nx", "a@b, c@d", "a b@c", ""] {
            let message = LinkMessage(address: address, base: "https://host", link: "l", sent: .now)
            #expect(message.bytes == nil, "\(address)")
        }
        for base in ["https://host\nX: y", "https://[::1]:8080", "https://bücher.example", "nothing"] {
            let message = LinkMessage(address: "a@b.example", base: base, link: "l", sent: .now)
            let text = String(decoding: message.bytes ?? [], as: UTF8.self)
            let header = text.components(separatedBy: "\n\n").first ?? ""
            #expect(header.components(separatedBy: "\n").count == 8, "\(text)")
        }
    }

    // MARK: Commands that fail

    @Test(arguments: ["exit 3", "kill -9 $$", "exec <&-; exit 1"]) func failureIsLogged(script: String) async throws {
        let mailing = try await Mailing(script)
        try await mailing.fixture.run { client in
            #expect(try await Self.ask(client, "ann@example.org").status == 202)
            try await waitUntil("the error is logged") { !mailing.log.all.isEmpty }
            #expect(try await Self.ask(client, "nobody@example.org").status == 202)
            try await mailing.waitForAudit(2)
        }
        let line = mailing.log.all.joined()
        #expect(line.contains("mail command has failed"), "\(line)")
        #expect(!line.contains("hbl_"))
        #expect(!line.contains("example.org"))
    }

    /// The command and its children are ended, and the next mail is sent.
    ///
    /// The first script must start its child, and the second one must end, before the time is over.
    @Test func hangingCommandIsEnded() async throws {
        let script =
            "if mkdir first; then sleep 600 & echo $! >child.part; mv child.part child; wait; else \(Self.keep); fi"
        let mailing = try await Mailing(script, timeout: .seconds(10))
        try await mailing.fixture.run { client in
            #expect(try await Self.ask(client, "ann@example.org").status == 202)
            try await waitUntil("the error is logged") { !mailing.log.all.isEmpty }
            let child = try mailing.folder.read("child").filter(\.isNumber)
            try await waitUntil("the child has ended") {
                let status = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
                return status?.contains(") Z ") ?? true
            }
            #expect(try await Self.ask(client, "Ann@example.org").status == 202)
            try await waitUntil("the next mail is sent") { try !Self.messages(mailing.folder).isEmpty }
        }
        #expect(mailing.log.all.joined().contains("did not end within"))
    }

    @Test func outputOfCommandIsDiscarded() async throws {
        let script = "head -c 20000000 /dev/zero; head -c 20000000 /dev/zero >&2; \(Self.keep)"
        let mailing = try await Mailing(script)
        try await mailing.fixture.run { client in
            #expect(try await Self.ask(client, "ann@example.org").status == 202)
            try await waitUntil("the mail is sent") { try !Self.messages(mailing.folder).isEmpty }
        }
        #expect(mailing.log.all.isEmpty)
    }

    @Test func commandHasNoSettingsOfTheServer() async throws {
        setenv("HABITAT_LINK_TEST", "secret", 1)
        defer { unsetenv("HABITAT_LINK_TEST") }
        let mailing = try await Mailing("env >env.txt; ls /proc/self/fd >fd.txt; \(Self.keep)")
        try await mailing.fixture.run { client in
            #expect(try await Self.ask(client, "ann@example.org").status == 202)
            try await waitUntil("the mail is sent") { try !Self.messages(mailing.folder).isEmpty }
        }
        let environment = try mailing.folder.read("env.txt")
        #expect(!environment.contains("HABITAT_"))
        #expect(environment.contains("PATH="))
    }

    @Test func commandMustExist() throws {
        for text in ["", "  ", "/nonexistent/mail -t", "no-such-program-of-habitat"] {
            #expect(throws: HabitError.self) { try MailCommand(text) }
        }
        _ = try MailCommand("sh -c true")
    }

    // MARK: Servers without mail

    @Test func serverWithoutCommandMailsNothing() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let refused = try await Self.ask(client, "ann@example.org")
            #expect(refused.status == 404, "\(refused)")
            let page = try await client.send(path: "/sign-in", headers: [.accept: "text/html"])
            #expect(!page.text.contains(#"action="/sign-in/links""#))
        }
    }

    @Test func signInPageOffersMail() async throws {
        let mailing = try await Mailing(Self.keep)
        try await mailing.fixture.run { client in
            let page = try await client.send(path: "/sign-in", headers: [.accept: "text/html"])
            #expect(page.text.contains(#"<form class="sign-in" method="post" action="/h/sign-in/links">"#))
        }
    }
}
