import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import StoreEngine

/// The position of a client in the changes of a store.
///
/// Clients store its text and send it back. It contains no secret: a page contains only what the viewer may see.
struct ChangeToken: Codable, Equatable {
    /// The time after which a token is refused, because the log of changes is not kept longer.
    static let lifetime: Int64 = 90 * 86_400

    /// The identity of the store's log.
    var store: String
    /// The time at which the token was created, in seconds since 1970.
    var created: Int64
    /// A digest of the viewer, because the copy of another viewer contains other records.
    var viewer: String
    /// The number of the last change that the client has, or `nil` if the client has no records.
    var after: Int64?
    /// The rest of the pages, or `nil` if the client has all changes up to ``after``.
    var rest: Rest?
    /// The time of the change ``after`` in microseconds, which differs in a store that was restored from a backup.
    var time: Int64?

    /// A position in the pages that lead to the state of the store at the first of these pages.
    struct Rest: Codable, Equatable {
        /// The number of the last change at the first page.
        var last: Int64
        /// Whether the pages contain all records.
        var isWhole = false
        /// The reset that continues, or `nil` after all resets.
        var reset: Position?
        /// The number of the last change of a record that the client has received.
        var changed: Int64 = -1
    }

    /// A position in the records of a reset.
    struct Position: Codable, Equatable {
        var kind: String
        var user: String?
        /// The cursor of the last record, which is empty before the first record.
        ///
        /// It is `nil` if the client has not received any part of the reset.
        var cursor: String?
    }

    init(store: String, created: Int64, viewer: Viewer, after: Int64?) {
        (self.store, self.created, self.after) = (store, created, after)
        self.viewer = Self.digest(of: viewer)
    }

    /// Moves the position after a change, with which the client has all earlier changes.
    mutating func finish(at number: Int64, in session: any Session) throws {
        (after, time, rest) = (number, try ChangeFeed.time(of: number, in: session), nil)
    }

    private static func digest(of viewer: Viewer) -> String {
        var name = viewer.name
        // A new account may have the ID of a deleted account.
        if case .user(let key, _) = viewer { name += " \(key)" }
        return Array(name.utf8).sha256.prefix(6).hexadecimal
    }

    /// Parses a token.
    ///
    /// - Parameters:
    ///   - text: The text of the token.
    ///   - field: The name of the parameter or header with the token.
    ///   - viewer: The viewer of the request.
    ///   - store: The identity of the store's log.
    ///   - now: The current time.
    /// - Throws: ``Problem`` with status 400 if the text is not a token, and with status 410 if the token is expired or
    ///   belongs to another store or viewer.
    init(_ text: String, field: String, for viewer: Viewer, store: String, now: Instant) throws {
        guard text.utf8.count <= 4096, let data = Data(base64URLEncoded: text),
            let token = try? JSONDecoder().decode(ChangeToken.self, from: data), token.isValid
        else {
            throw Problem.invalid(
                field, "'\(field)' is not a token of this server: send the token of the last response, or omit it")
        }
        let age = now.microseconds / 1_000_000 - min(token.created, .max / 2)
        guard token.store == store, token.viewer == Self.digest(of: viewer),
            (-86_400..<Self.lifetime).contains(age)
        else {
            throw Self.expired(field)
        }
        self = token
    }

    /// The problem of a token that the log of changes no longer covers.
    static func expired(_ field: String) -> Problem {
        Problem(
            .gone, "token-expired",
            "the token is older than 90 days or belongs to another store or user: omit '\(field)' and read all records again",
            field: field)
    }

    private var isValid: Bool {
        guard created >= 0, after ?? 0 >= 0 else { return false }
        guard let rest else { return after != nil }
        return rest.last >= after ?? 0
            && rest.reset.map { RecordKind(rawValue: $0.kind).map(ChangeFeed.kinds.contains) ?? false } ?? true
    }

    /// The text of the token, which is safe in a URL.
    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Encoding texts and integers cannot fail.
        return ((try? encoder.encode(self)) ?? Data()).base64URLEncoded
    }
}

extension ChangeToken.Position {
    init(_ reset: ChangeFeed.Reset) { (kind, user) = (reset.kind.rawValue, reset.user) }

    /// The position of the last record, or `nil` before the first record.
    var lastRecord: Cursor? { get throws { try cursor.flatMap { $0.isEmpty ? nil : try Cursor($0) } } }

    /// The reset; `nil` if the kind is unknown.
    var reset: ChangeFeed.Reset? { RecordKind(rawValue: kind).map { .init($0, user: user) } }
}
