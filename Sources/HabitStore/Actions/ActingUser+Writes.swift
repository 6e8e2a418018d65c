import Base
import Geo
import HabitModel
import StoreEngine

/// Methods that the actions of a user share.
extension ActingUser {
    /// Returns the ID of a new record: the ID that the client chooses, or a derived ID.
    ///
    /// - Parameters:
    ///   - given: The ID that the client chooses, or `nil` for an ID derived from the user, the time and `parts`.
    ///   - kind: The kind of the record.
    ///   - parts: Texts that distinguish the record from others of the same user and time.
    /// - Returns: The ID of the new record.
    /// - Throws: `id-invalid` if the client may not choose `given`; `duplicate-key` if a record has this ID.
    func newID(_ given: String?, _ kind: AccessObject.Kind, of parts: [String]) throws -> String {
        if let given {
            let id = try checkClientID(given, of: id)
            guard try access.find(kind, id) == nil else {
                throw HabitError(
                    .duplicateKey,
                    "the id '\(id)' is in use: choose another id or omit it",
                    field: Field.id.name)
            }
            return id
        }
        var attempt = 0
        while true {
            let id = DerivedID.short([kind.rawValue, id, now.description, String(attempt)] + parts)
            if try access.find(kind, id) == nil {
                return id
            }
            attempt += 1
        }
    }

    /// Writes records in the same way as a load, and then updates the derived columns.
    ///
    /// - Parameters:
    ///   - records: The records to write.
    ///   - habit: The key of a habit whose schedules were changed by other means, or `nil`.
    /// - Throws: A `HabitError` that names the field if a record breaks a rule, or an error of the engine.
    func write(_ records: Record..., reschedule habit: Int64? = nil) throws {
        try session.writeRecords { writer in
            for record in records {
                _ = try writer.write(record)
            }
            if let habit {
                try writer.markRescheduled(habit: habit)
            }
        }
    }

    /// Deletes the records of a kind that meet `condition`, and returns their number.
    @discardableResult
    func delete(_ kind: RecordKind, where condition: SQL) throws -> Int {
        try ChangeLog(session).delete(kind, where: condition)
    }

    /// Returns the key of the user that a field of a record names.
    ///
    /// - Parameters:
    ///   - name: The ID of the user.
    ///   - field: The field of the record.
    /// - Returns: The key of the user.
    /// - Throws: `not-found`, with the name of the field.
    @discardableResult
    func require(_ name: String, as field: Field) throws -> Int64 {
        do {
            return try access.require(.view, on: .user, id: name)
        } catch var error as HabitError {
            error.field = field.name
            throw error
        }
    }

    /// Checks that the account allows stored positions if `position` has a value.
    ///
    /// - Throws: `location-not-permitted` if the account does not allow them.
    func requirePermission(toStore position: FieldInput<Position>) throws {
        guard position.value != nil, !sharesLocation else { return }
        throw HabitError(
            .locationNotPermitted,
            "your account does not allow stored positions",
            field: Field.longitude.name,
            .take(.shareLocation),
            .advice("omit the position"))
    }
}
