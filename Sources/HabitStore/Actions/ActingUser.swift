import Geo
import HabitModel
import StoreEngine

/// A signed-in user who does something: on one state of the store, at one moment.
public struct ActingUser {
    public let session: any Session
    public let key: Int64
    public let id: String
    public let clock: Clock
    public let zone: TimeZoneRules
    public let sharesLocation: Bool
    public let settings: Settings

    /// Throws `not-signed-in` where `viewer` is the operator, who acts for nobody.
    public init(_ viewer: Viewer, clock: Clock, in session: any Session) throws {
        guard case .user(let key, let id) = viewer else { throw Access.notSignedIn }
        self.session = session
        self.key = key
        self.id = id
        self.clock = clock
        settings = try StoreSettings.read(in: session)
        let sql = SQL("SELECT time_zone, share_location FROM account WHERE id = :id", ["id": .integer(key)])
        let account = try session.first(sql) { ($0.text(0) ?? "UTC", $0.integer(1) != 0) }
        zone = account.flatMap { TimeZoneRules($0.0) } ?? .utc
        sharesLocation = account?.1 ?? false
    }

    public var viewer: Viewer { .user(key: key, id: id) }

    /// The date where the user is.
    public var today: Day { clock.today(in: zone) }

    /// This moment on the user's own clock.
    public var now: OffsetInstant { OffsetInstant(clock.now, offset: clock.now.offset(in: clock.timeZone ?? zone)) }

    var things: Things { Things(viewer: viewer, in: session) }

    /// The ID of a new record: `given` if the client chooses one, else an ID derived from the user, the time and `parts`.
    ///
    /// - Throws: `id-invalid` if the client may not choose `given`, `duplicate-key` if a record has it.
    func newID(_ given: String?, _ kind: AccessObject.Kind, of parts: [String]) throws -> String {
        if let given {
            let id = try checkClientID(given, of: id)
            guard try things.find(kind, id) == nil else {
                throw HabitError(
                    .duplicateKey, "the id '\(id)' is taken: choose another, or leave it out", field: Field.id.name)
            }
            return id
        }
        var attempt = 0
        while true {
            let id = DerivedID.short([kind.rawValue, id, now.description, String(attempt)] + parts)
            if try things.find(kind, id) == nil { return id }
            attempt += 1
        }
    }

    /// Writes records as a load does, and brings up to date what follows from them.
    func write(_ records: Record..., reschedule habit: Int64? = nil) throws {
        try session.writeRecords { writer in
            for record in records { _ = try writer.write(record) }
            if let habit { writer.markRescheduled(habit: habit) }
        }
    }

    /// Removes the rows of `table` that `condition` chooses, and says how many.
    @discardableResult
    func delete(from table: String, where condition: String, _ bindings: [String: Value]) throws -> Int {
        try session.run(SQL("DELETE FROM \(table) WHERE \(condition)", bindings))
    }

    /// The key of another user, whom the record's `field` names.
    ///
    /// - Throws: `not-found`, with the name of the field.
    @discardableResult
    func require(_ name: String, as field: Field) throws -> Int64 {
        do {
            return try things.require(.view, .user, name)
        } catch var error as HabitError {
            error.field = field.name
            throw error
        }
    }

    /// Throws `location-not-permitted` where a place is given and the user shares none.
    func requirePermission(toStore position: Given<Position>) throws {
        guard position.value != nil, !sharesLocation else { return }
        throw HabitError(
            .locationNotPermitted,
            "your account does not allow stored positions", field: Field.longitude.name, .take(.shareLocation),
            .advice("leave the position out"))
    }
}
