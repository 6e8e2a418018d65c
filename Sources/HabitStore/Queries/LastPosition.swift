import Base
import Geo
import HabitModel
import StoreEngine

/// A lookup of the position of the viewer's newest located event.
public struct LastPosition: Sendable {
    /// The viewer, who must be a user.
    public var viewer: Viewer

    /// Creates a lookup for `viewer`.
    public init(viewer: Viewer) { self.viewer = viewer }

    /// Returns the position, or `nil` if none of the viewer's events has a position.
    public func find(in session: any Session) throws -> Position? {
        var select = Select(
            [SelectColumn("geometry", "event.geometry")],
            from: "event",
            order: [
                .descending("event.day"),
                .descending("event.occurred_at", isNullable: true),
                .descending("event.external_id"),
            ])
        select.require("event.user_id = \(Visibility(viewer: viewer).key)")
        select.require("event.geometry IS NOT NULL")
        select.limit = 1
        let position = try session.first(select.sql) { row in row.position(0) }
        return position ?? nil
    }
}

extension Viewer {
    /// Parses a position: latitude and longitude in degrees, the name of a place, or `last` for the newest located event
    /// of the viewer.
    ///
    /// - Parameters:
    ///   - text: The text that the user enters.
    ///   - field: The name of the option or parameter, for errors.
    ///   - places: The names of places that stand for positions.
    ///   - session: The session that looks up the newest located event.
    /// - Returns: The parsed position, or the position of the newest located event.
    /// - Throws: `position-invalid` if `text` is not a position. For `last`: `not-signed-in` if the viewer is the
    ///   operator; `location-unavailable` if no event has a position.
    public func position(
        _ text: String,
        field: String,
        places: PlaceNames = .none,
        in session: any Session
    ) throws -> Position {
        guard text == "last" else {
            return try places.position(text, field: field)
        }
        guard case .user = self else {
            throw HabitError(
                .notSignedIn,
                "'last' requires a signed-in user",
                .signIn)
        }
        guard let position = try LastPosition(viewer: self).find(in: session) else {
            throw HabitError(
                .locationUnavailable,
                "none of your events has a position yet",
                field: field,
                .writePosition(isReversed: false))
        }
        return position
    }
}
