import Base
import HabitModel
import StoreEngine

/// The table function `local_times(kind)`: the local date and the local hour of the instant of each visible record.
///
/// They are the date and the hour at the UTC offset of the instant, or in the time zone of the record's user if no offset
/// is recorded. Both are null for a record without an instant. `kind` is `events`, `items`, `posts`, `follows`, `claims`
/// or `messages`. The user of a claim is the claimant, of a message the sender, and of a follow the follower.
///
/// The ID of a claim is `ITEM/USER` and the ID of a follow is `FOLLOWER/FOLLOWEE`, without escapes. Two claims or follows
/// have the same ID if the IDs of their parts contain slashes. The column `user` distinguishes them.
final class LocalTimeFunction {
    /// The kinds of records with an instant.
    enum Kind: String, CaseIterable {
        case events, items, posts, follows, claims, messages
    }

    private let viewer: Viewer
    private let session: any Session
    /// The compiled lookups of the records with an ID.
    ///
    /// A function in a join looks up a record for each row of the other source.
    private var lookups: [Kind: any Statement] = [:]

    init(viewer: Viewer, session: any Session) {
        self.viewer = viewer
        self.session = session
    }

    private static let name = "local_times"

    /// The function.
    var function: TableFunction {
        TableFunction(
            Self.name,
            columns: LocalTimeRows.columns.map { .init($0.rawValue, $0.kind) },
            parameters: ["kind"],
            key: 0
        ) { [self] arguments, key in
            let kind = try Self.kind(arguments[0])
            if let key {
                return LocalTimeRows(try records(key, of: kind))
            }
            let select = select(kind, isOfOne: false)
            return LocalTimeRows(try session.prepare(bound: select.sql))
        }
    }

    private static func kind(_ value: Value) throws -> Kind {
        if case .text(let text) = value, let kind = Kind(rawValue: text) { return kind }
        let names = Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        throw HabitError(.parameterInvalid, "the argument of \(name) is not a kind of record: pass one of \(names)")
    }

    /// Returns the visible records with an ID.
    private func records(_ key: Value, of kind: Kind) throws -> [LocalTimeRows.Record] {
        guard case .text(let id) = key else { return [] }
        var lookup = select(kind, isOfOne: true).sql
        let statement = try lookups[kind] ?? session.prepare(lookup.text)
        lookups[kind] = statement
        var zones = ZoneNames()
        var records: [LocalTimeRows.Record] = []
        for part in Self.parts(of: id, kind) {
            lookup["record"] = .text(part.first)
            lookup["other"] = .text(part.second)
            try statement.bind(lookup.values(of: statement))
            try statement.forEach { row in
                records.append(LocalTimeRows.Record(row, &zones))
                return true
            }
        }
        return records
    }

    /// The IDs of which the ID of a relation consists.
    private struct Parts {
        var first: String
        var second = ""
    }

    /// Returns all possible parts of an ID, because the IDs of the parts may contain slashes too.
    private static func parts(of id: String, _ kind: Kind) -> [Parts] {
        guard kind == .claims || kind == .follows else { return [Parts(first: id)] }
        return id.indices.filter { id[$0] == "/" }.map { index in
            Parts(first: String(id[..<index]), second: String(id[index...].dropFirst()))
        }
    }

    private func select(_ kind: Kind, isOfOne: Bool) -> Select {
        let source = Source(
            kind,
            visibility: Visibility(viewer: viewer),
            dialect: session.dialect,
            isOfOne: isOfOne)
        let columns = [
            SelectColumn("id", source.id),
            SelectColumn("instant", source.instant),
            SelectColumn("utc_offset", source.offset),
            SelectColumn("zone", "account.time_zone"),
            SelectColumn("user_id", "account.external_id"),
        ]
        var select = Select(columns, from: "\(raw: source.table)", joins: source.joins)
        for condition in source.conditions { select.require(condition) }
        if isOfOne { select.require(source.lookup) }
        return select
    }

    /// The SQL that reads the visible records of a kind, with the account of the user whose time zone applies.
    private struct Source {
        var table: String
        var joins: SQL
        var id: SQL
        var instant: SQL
        var offset: SQL
        var conditions: [SQL?]
        /// The condition that selects the record with the ID `:record`, or the relation of `:record` and `:other`.
        var lookup: SQL

        init(_ kind: Kind, visibility: Visibility, dialect: any Dialect, isOfOne: Bool) {
            switch kind {
            case .events:
                let visible =
                    isOfOne
                    ? visibility.events(dialect) : visibility.manyEvents(dialect, includingNewestOnly: true)
                self.init("event", instant: "occurred_at", offset: "utc_offset", conditions: [visible])
            case .items:
                self.init("item", instant: "posted_at", offset: "posted_offset", conditions: [visibility.items])
            case .posts:
                self.init(
                    "post",
                    instant: "posted_at",
                    offset: "posted_offset",
                    conditions: [visibility.posts, "post.deleted_at IS NULL"])
            case .messages:
                self.init(
                    "message",
                    instant: "sent_at",
                    offset: "sent_offset",
                    user: "sender_id",
                    conditions: [visibility.messages])
            case .claims:
                self.init("claim", instant: "claimed_at", offset: "claimed_offset", conditions: [visibility.claims])
                joins += "\nJOIN item ON item.id = claim.item_id"
                relate("item.external_id", to: "account.external_id")
            case .follows:
                self.init(
                    "follow",
                    instant: "requested_at",
                    offset: "requested_offset",
                    user: "follower_id",
                    conditions: [visibility.follows])
                joins += "\nJOIN account AS followee ON followee.id = follow.followee_id"
                relate("account.external_id", to: "followee.external_id")
            }
        }

        /// Creates the source of a table whose rows have an ID.
        private init(
            _ name: String,
            instant: String,
            offset: String,
            user: String = "user_id",
            conditions: [SQL?]
        ) {
            table = name
            joins = "JOIN account ON account.id = \(raw: name).\(raw: user)"
            id = "\(raw: name).external_id"
            self.instant = "\(raw: name).\(raw: instant)"
            self.offset = "\(raw: name).\(raw: offset)"
            self.conditions = conditions
            lookup = "\(raw: name).external_id = \(parameter: "record")"
        }

        /// Sets the ID of a relation, which consists of the IDs of two records.
        private mutating func relate(_ first: SQL, to second: SQL) {
            id = "\(first) || '/' || \(second)"
            lookup = "\(first) = \(parameter: "record") AND \(second) = \(parameter: "other")"
        }
    }
}

/// The rows of `local_times(kind)`.
private final class LocalTimeRows: TableFunctionRows {
    enum Column: String, CaseIterable {
        case id, day, hour, user

        var kind: TableFunction.Column.Kind { self == .hour ? .integer : .text }
    }

    static let columns = Column.allCases

    /// A record with its local time.
    struct Record {
        var id: String
        /// The ID of the user whose time zone applies.
        var user: String
        var day: Day?
        var hour: Int?

        /// Reads a row with the ID, the instant, its UTC offset, and the time zone and the ID of the user.
        init(_ row: any Row, _ zones: inout ZoneNames) {
            id = row.text(0) ?? ""
            user = row.text(4) ?? ""
            guard let at = row.offsetInstant(1, offset: 2) else { return }
            let zone = zones.rules(row.text(3))
            day = at.day(in: zone)
            hour = at.hour(in: zone)
        }
    }

    private let statement: (any Statement)?
    private var records: ArraySlice<Record>
    private var zones = ZoneNames()
    private var current: Record?

    init(_ statement: any Statement) {
        self.statement = statement
        records = []
    }

    init(_ records: [Record]) {
        statement = nil
        self.records = records[...]
    }

    func next() throws -> Bool {
        if let statement {
            current = try statement.next().map { Record($0, &zones) }
        } else {
            current = records.popFirst()
        }
        return current != nil
    }

    func value(_ column: Int) -> Value {
        guard let current else { return .null }
        return switch Self.columns[column] {
        case .id: .text(current.id)
        case .user: .text(current.user)
        case .day: .day(current.day)
        case .hour: .integer(current.hour.map { Int64($0) })
        }
    }
}

/// The rules of the time zones of users, by their stored names.
struct ZoneNames {
    private var known: [String: TimeZoneRules] = [:]

    /// Returns the rules of a zone, or those of UTC if the machine does not know the zone.
    mutating func rules(_ name: String?) -> TimeZoneRules {
        guard let name else { return .utc }
        if let rules = known[name] { return rules }
        let rules = TimeZoneRules(name) ?? .utc
        known[name] = rules
        return rules
    }
}

extension Row {
    /// Returns the instant in a column with the UTC offset in another column, or `nil` if the instant is null.
    func offsetInstant(_ index: Int, offset: Int) -> OffsetInstant? {
        guard !isNull(index) else { return nil }
        let minutes = isNull(offset) ? nil : UTCOffset(minutes: Int16(clamping: integer(offset)))
        return OffsetInstant(Instant(microseconds: integer(index)), offset: minutes)
    }
}
