import Foundation
import HTTPTypes
import Testing

@testable import HTTPServing
@testable import HabitServer

/// A person who uses the pages of a server with a session.
struct AccountPageUser {
    /// The header fields of a browser that opens a page.
    static let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]
    /// The header fields of a browser that sends a form of the server.
    static let ownForm: HTTPFields = browser.merging([.contentType: FormBody.type, .fetchSite: "same-origin"])

    var client: ServerClient
    var cookie: String

    /// Signs a user in with an access token, or with a one-time link.
    init(_ user: String, _ client: ServerClient, byLink: Bool = false) async throws {
        self.client = client
        cookie = try await byLink ? client.personalCookie(of: user) : client.cookie(of: user)
    }

    func page(_ path: String = "/account") async throws -> ServerResponse {
        try await client.send(path: path, headers: Self.browser.merging([.cookie: cookie]))
    }

    /// Sends a form of the account page.
    @discardableResult
    func send(
        _ form: String, _ fields: KeyValuePairs<String, String> = [:], headers: HTTPFields = ownForm
    ) async throws -> ServerResponse {
        let all = [("form", form)] + fields.map { name, value in (name, value) }
        let body = all.map { name, value in "\(name)=\(value.urlEncoded)" }.joined(separator: "&")
        return try await client.send(.post, path: "/account", body, headers: headers.merging([.cookie: cookie]))
    }

    func account() async throws -> [String: Any] {
        try await client.send(path: "/user", headers: [.cookie: cookie]).json
    }

    /// Returns the IDs of the sessions or the tokens of a kind.
    func ids(_ kind: String) async throws -> [String] {
        let list = try await client.send(path: "/sessions", headers: [.cookie: cookie])
        let sessions = list.json["sessions"] as? [[String: Any]] ?? []
        return sessions.filter { session in session["kind"] as? String == kind }
            .compactMap { session in session["id"] as? String }
    }
}

extension ServerFixture {
    /// Runs a test on a server with the records of `Scene.friends`.
    static func runFriends(
        _ change: (inout ServerOptions) -> Void = { _ in },
        _ test: @escaping @Sendable (ServerClient) async throws -> Void
    ) async throws {
        try await ServerFixture(Scene.friends, change).run(nil, test)
    }
}

extension LogLines {
    /// Returns the lines of the audit log about an action.
    func entries(of action: String) -> [[String: Any]] {
        entries.filter { entry in entry["action"] as? String == action }
    }
}
