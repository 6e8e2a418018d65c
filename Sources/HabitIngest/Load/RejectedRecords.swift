import Base
import HabitModel
import HabitStore

/// The users, habits and items that a load has rejected or deferred, by kind and ID.
///
/// The store may contain another user's record with the ID of a rejected one. A row that refers to that ID would become
/// part of the other user's record, so the load rejects the row too.
///
/// Uses 8 bytes (a hash) for each record, and stores at most ``limit`` records in each set.
struct RejectedRecords {
    /// A record that other records refer to.
    struct Reference {
        var kind: RecordKind
        var id: String
        /// The field of the referring record.
        var field: Field

        fileprivate var hash: Int {
            var hasher = Hasher()
            hasher.combine(kind)
            hasher.combine(id)
            return hasher.finalize()
        }
    }

    static let limit = 1_000_000

    private var rejected: Set<Int> = []
    /// The number of deferred rows for each record.
    private var postponed: [Int: Int] = [:]
    /// The records that stored rows refer to, or `nil` if there are more than ``limit``.
    private var used: Set<Int>? = []
    private let isOrdered: Bool

    /// Creates an empty set.
    ///
    /// - Parameter isOrdered: Whether each record precedes the rows that refer to it.
    init(isOrdered: Bool) { self.isOrdered = isOrdered }

    /// Returns the error for a record that refers to a rejected or deferred record, otherwise `nil`.
    func error(of record: Record) -> HabitError? {
        guard !rejected.isEmpty || !postponed.isEmpty else { return nil }
        return error(of: record) { rejected.contains($0) || postponed[$0] != nil }
    }

    /// Whether a record refers to a rejected record, so that another attempt to write it fails too.
    func isFinal(_ record: Record) -> Bool {
        !rejected.isEmpty && error(of: record) { rejected.contains($0) } != nil
    }

    private func error(of record: Record, _ isBlocked: (Int) -> Bool) -> HabitError? {
        let blocked = record.references.first { reference in isBlocked(reference.hash) }
        guard let reference = blocked else { return nil }
        return HabitError(
            .unknownReference,
            "the \(reference.kind.rawValue.dropLast()) '\(reference.id)' was rejected in this load: correct its row first",
            field: reference.field.name)
    }

    /// Registers a deferred record.
    mutating func postpone(_ record: Record) {
        guard let hash = record.identity?.hash else { return }
        postponed[hash, default: 0] += 1
    }

    /// Removes a record from the deferred records after it was written.
    mutating func resume(_ record: Record) {
        guard let hash = record.identity?.hash, let count = postponed[hash] else { return }
        postponed[hash] = count > 1 ? count - 1 : nil
    }

    /// Registers the records that a stored row refers to.
    ///
    /// They must not be rejected later.
    mutating func use(_ record: Record) {
        guard !isOrdered else { return }
        for reference in record.references { used?.insert(reference.hash) }
        if let count = used?.count, count > Self.limit { used = nil }
    }

    /// Registers a rejected row.
    ///
    /// - Throws: `rows-rejected` if rows that refer to its record are, or may be, already written; `too-many-rejects`
    ///   if more than ``limit`` records are rejected.
    mutating func add(_ raw: RawRecord) throws(HabitError) {
        guard [.users, .habits, .items].contains(raw.kind), let id = try? raw.optionalID(.id) else { return }
        let hash = Reference(kind: raw.kind, id: id, field: .id).hash
        rejected.insert(hash)
        guard used?.contains(hash) == false else {
            throw HabitError(
                .rowsRejected,
                """
                the \(raw.kind.rawValue.dropLast()) '\(id)' was rejected after rows that refer to it, so nothing was stored: \
                correct its row or move it before these rows
                """, field: Field.id.name)
        }
        guard rejected.count <= Self.limit else {
            throw HabitError(
                .tooManyRejects,
                "more than \(Self.limit) users, habits and items were rejected, so nothing was stored: correct them",
                parameters: [.limit(Self.limit)])
        }
    }
}

extension Record {
    /// A reference to the record itself, or `nil` if no other record can refer to it.
    fileprivate var identity: RejectedRecords.Reference? {
        switch self {
        case .user(let user): .init(kind: .users, id: user.id, field: .id)
        case .habit(let habit): .init(kind: .habits, id: habit.id, field: .id)
        case .item(let item): .init(kind: .items, id: item.id, field: .id)
        default: nil
        }
    }

    /// The records that this record refers to.
    fileprivate var references: [RejectedRecords.Reference] {
        func user(_ id: String, _ field: Field = .user) -> RejectedRecords.Reference {
            .init(kind: .users, id: id, field: field)
        }
        func habit(_ id: String) -> RejectedRecords.Reference {
            .init(kind: .habits, id: id, field: .habit)
        }
        func item(_ id: String) -> RejectedRecords.Reference {
            .init(kind: .items, id: id, field: .item)
        }
        return switch self {
        case .setting, .user: []
        case .habit(let record): [user(record.user)]
        case .schedule(let schedule): [habit(schedule.habit)]
        case .pause(let pause): [user(pause.user), pause.habit.value.map(habit)].compactMap(\.self)
        case .follow(let follow): [user(follow.follower, .follower), user(follow.followee, .followee)]
        case .block(let block): [user(block.blocker, .blocker), user(block.blocked, .blocked)]
        case .event(let event):
            [habit(event.habit), event.user.map { owner in user(owner) }].compactMap(\.self)
        case .item(let record): [user(record.user)]
        case .claim(let claim): [item(claim.item), user(claim.user)]
        case .message(let message):
            [item(message.item), user(message.sender, .sender), user(message.recipient, .recipient)]
        case .read(let read): [item(read.item), user(read.user)]
        case .post(let post): [user(post.user)]
        }
    }
}
