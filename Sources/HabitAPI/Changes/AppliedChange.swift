import Base
import HTTPServing
import HabitModel
import HabitStore
import StoreEngine

/// The result of a change that a client has sent.
struct AppliedChange: Sendable {
    enum Outcome: String, CaseIterable {
        case created
        case updated
        case deleted
        case unchanged
        /// The record has changed since the client has read it.
        case conflict
        case refused
    }

    var outcome: Outcome
    /// The change, or `nil` if it was malformed.
    var change: SentChange?
    /// The version of the record after the change, or `nil` if it does not exist.
    var version: String?
    /// The current feature after a conflict, or `nil` if it does not exist.
    var feature: [UInt8]?
    var problem: Problem?

    /// Whether the store was changed.
    var isChange: Bool {
        switch outcome {
        case .created, .updated, .deleted: true
        case .unchanged, .conflict, .refused: false
        }
    }

    /// The name of the change in the audit log.
    var auditName: String {
        switch outcome {
        case .created: "create"
        case .deleted: "delete"
        case .updated, .unchanged, .conflict, .refused: "update"
        }
    }

    /// Returns the JSON object of the response.
    func json(number: Int) -> JSON {
        var members: [JSON.Member] = []
        if let change {
            members.append(.init("collection", .text(change.collection.id)))
            members.append(.init("id", .text(change.id)))
        }
        members.append(.init("number", .integer(number)))
        if let problem {
            members.append(.init("problem", problem.document))
        }
        members.append(.init("result", .text(outcome.rawValue)))
        if let version {
            members.append(.init("version", .text(version)))
        }
        if outcome == .conflict {
            let current = feature.map { bytes in JSON.verbatim(bytes) }
            members.append(.init("feature", current ?? .null))
        }
        return .ordered(members)
    }
}

extension AppliedChange.Outcome {
    init(_ outcome: SyncResult.Outcome) {
        switch outcome {
        case .created: self = .created
        case .updated: self = .updated
        case .deleted: self = .deleted
        case .unchanged: self = .unchanged
        case .conflict: self = .conflict
        }
    }
}

/// Applies the changes of a request.
struct ChangeApplier {
    private let actions: SyncActions
    private let features: SyncedRecords<[UInt8]>

    /// Prepares the changes of a user.
    ///
    /// - Parameter user: The user who sends the changes.
    /// - Throws: An error of the engine.
    init(for user: ActingUser) throws {
        let state = try LogState(of: .viewer(user.viewer), in: user.session)
        let tags = LogTags(state)
        actions = SyncActions(user, tags: tags)
        features = SyncedRecords(
            for: user.viewer,
            clock: user.clock,
            tags: tags,
            in: user.session,
            content: SyncedFeature.bytes)
    }

    /// Applies a change, which has no effect if it was already applied.
    ///
    /// - Parameter sent: The change, or the error of a malformed change.
    /// - Returns: The result of the change.
    /// - Throws: An error of the engine, which ends the transaction. An error of the client is a part of the result.
    func apply(_ sent: Result<SentChange, HabitError>) throws -> AppliedChange {
        do {
            let change = try sent.get()
            let result = try actions.apply(change.change)
            let applied = AppliedChange(
                outcome: AppliedChange.Outcome(result.outcome),
                change: change,
                version: result.version)
            guard result.outcome == .conflict else { return applied }
            return try conflict(applied, change, otherEvent: result.otherEvent)
        } catch {
            let problem = Problem(error)
            guard problem.status.kind == .clientError else { throw error }
            return AppliedChange(outcome: .refused, change: try? sent.get(), problem: problem)
        }
    }

    /// Returns the result of a conflict, with the current feature or the other event of the habit and day.
    private func conflict(
        _ applied: AppliedChange,
        _ change: SentChange,
        otherEvent: String?
    ) throws -> AppliedChange {
        var applied = applied
        applied.problem = otherEvent.map(Problem.eventExists) ?? .changedMeanwhile
        if applied.version != nil {
            let collection = try SyncedCollection(change.collection.kind)
            let record = try features.one(collection, otherEvent ?? change.id)
            applied.feature = record?.content
        }
        return applied
    }
}

extension Problem {
    fileprivate static let changedMeanwhile = Problem(
        .conflict,
        slug: ServerSlug.changedMeanwhile,
        detail: "the record has changed since you read it: merge the changes and send them with the new version",
        field: "version")

    /// Returns the problem of a second event of one habit and day.
    ///
    /// - Parameter id: The ID of the stored event.
    /// - Returns: The problem.
    fileprivate static func eventExists(_ id: String) -> Problem {
        Problem(
            .conflict,
            slug: ErrorCode.eventExists,
            detail:
                "the habit already has the event '\(id)' on this day: merge both and send the result with its id and version",
            field: Field.day.name,
            parameters: [.event(id)])
    }
}
