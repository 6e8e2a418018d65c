import Base
import Foundation
import Geo
import HabitModel
import HabitStore
import StoreEngine

/// A store in a temporary folder, or its own database.
public final class TestStore: Sendable {
    /// The folder that contains the store's file, if the store is a file.
    public let folder: TemporaryFolder
    /// The path or the database URL of the store.
    public let location: StoreLocation
    /// The connection that created the store.
    public let engine: any Engine

    /// Creates a store without records.
    ///
    /// A store in a file is a copy of ``empty``, which takes a small part of the time of its creation.
    public init() throws {
        folder = try TemporaryFolder()
        let path = folder.file("habitat.db")
        if !TestServer.isUsed { try TestServer.copyStore(at: Self.empty.get().file("habitat.db"), to: path) }
        location = StoreLocation(try TestServer.store(at: path, hasSchema: true))
        engine = try location.open(.create, wait: .seconds(5), analyst: TestServer.analyst(of: location))
    }

    /// A folder with a store without records, created once for all tests.
    private static let empty = Result {
        let folder = try TemporaryFolder()
        _ = try StoreLocation(folder.file("habitat.db")).open(.create, wait: .seconds(5)).dataVersion()
        // A copy of the file alone would miss what another file contains.
        guard folder.names == ["habitat.db"] else { throw CocoaError(.fileWriteFileExists) }
        return folder
    }

    /// Creates a copy of a template.
    public init(copyOf template: StoreTemplate) async throws {
        folder = try await template.copy()
        location = StoreLocation(try TestServer.store(at: folder.file("habitat.db")))
        engine = try location.open(.write, wait: .seconds(5), analyst: TestServer.analyst(of: location))
    }

    /// Runs `body` in a session that can run user-supplied SQL for a user, or for the operator if `user` is `nil`.
    public func analyze<Result>(
        as user: String? = nil, clock: Clock, _ body: (any Session, Viewer) throws -> Result
    ) throws -> Result {
        let viewer = try user.map { user in try engine.read { try Viewer.user(named: user, in: $0) } } ?? .operator
        return try engine.analyze(as: viewer, clock: clock) { try body($0, viewer) }
    }

    /// A connection for reading, as commands use it.
    private var reader: any Engine {
        get throws { try location.open(.read, wait: .seconds(5), analyst: TestServer.analyst(of: location)) }
    }

    /// Writes records in one transaction.
    public func write(_ records: [Record]) throws {
        try engine.write { session in
            try session.writeRecords { writer in
                for record in records { _ = try writer.write(record) }
            }
        }
    }

    /// Runs a selection for a viewer and returns the cells of each row as text, with "∅" for null.
    public func rows(
        as user: String? = nil, columns: [String]? = nil, _ selection: (any Session, Viewer) throws -> Selection
    ) throws -> [[String]] {
        try reader.read { session in
            let viewer = try user.map { try Viewer.user(named: $0, in: session) } ?? .operator
            let selection = try selection(session, viewer)
            let shape = columns.flatMap(selection.shape.selecting) ?? selection.shape
            var rows: [[String]] = []
            try session.query(selection.sql) { row in
                rows.append(shape.columns.map { Self.text(row, $0) })
                return true
            }
            return rows
        }
    }

    private static func text(_ row: any Row, _ column: Column) -> String {
        switch column.value {
        case .longitude: row.position(column.index).map { "\($0.longitude)" } ?? "∅"
        case .latitude: row.position(column.index).map { "\($0.latitude)" } ?? "∅"
        case _ where row.isNull(column.index): "∅"
        case .number: "\(row.number(column.index))"
        default: row.text(column.index) ?? "∅"
        }
    }

    /// Returns the query plan of a selection.
    public func plan(
        as user: String? = nil, _ selection: (any Session, Viewer) throws -> Selection
    ) throws -> [String] {
        try reader.read { session in
            let viewer = try user.map { try Viewer.user(named: $0, in: session) } ?? .operator
            return try session.plan(try selection(session, viewer).sql)
        }
    }
}

/// Functions that create records for tests.
extension Record {
    /// Returns a user record with a time zone.
    public static func user(_ id: String, zone: String = "UTC") -> Record {
        var record = UserRecord(id: id)
        record.timeZone = .value(zone)
        return .user(record)
    }

    /// Returns a habit record.
    ///
    /// The bits of `days` are the scheduled weekdays.
    public static func habit(_ id: String, of user: String, title: String? = nil, days: UInt8 = 127) -> Record {
        .habit(
            HabitRecord(
                id: id, user: user, title: title ?? id,
                schedule: Weekdays(mask: Int(days)).map { .weekdays($0) } ?? .everyDay))
    }

    /// Returns a follow record with a status and a share level.
    public static func follow(
        _ follower: String, _ followee: String, status: FollowStatus = .accepted, share: Share = .all
    ) -> Record {
        var record = FollowRecord(follower: follower, followee: followee)
        record.status = .value(status)
        record.share = .value(share)
        return .follow(record)
    }

    /// Returns an event record for a date in the form `YYYY-MM-DD`.
    public static func event(
        _ habit: String, _ day: String, id: String? = nil, comment: String? = nil, at position: Position? = nil
    ) -> Record {
        var record = EventRecord(habit: habit)
        record.id = id
        record.day = Day(day)
        record.details.comment = comment.map { .value($0) } ?? .absent
        record.details.position = position.map { .value($0) } ?? .absent
        return .event(record)
    }
}
