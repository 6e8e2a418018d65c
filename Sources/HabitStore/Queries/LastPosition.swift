import Geo
import HabitModel
import StoreEngine

/// Where the viewer was last: the place of their newest located event.
public struct LastPosition: Sendable {
    public var viewer: Viewer

    public init(viewer: Viewer) { self.viewer = viewer }

    /// Nil where none of the viewer's events has a place.
    public func find(in session: any Session) throws -> Position? {
        var select = SelectBuilder(
            columns: ["event.geometry"], from: "event",
            order: [
                .descending("event.day"), .descending("event.occurred_at", isNullable: true),
                .descending("event.external_id"),
            ])
        select.require("event.user_id = :viewer", Visibility(viewer: viewer).bindings)
        select.require("event.geometry IS NOT NULL")
        select.limit = 1
        return try session.first(select.sql) { $0.position(0) } ?? nil
    }
}

extension Viewer {
    /// The position that they type: degrees, or `last` for their newest located event.
    ///
    /// Throws `position-invalid`; for `last` also `not-signed-in` and `location-unavailable`.
    public func position(_ text: String, option: String, in session: any Session) throws -> Position {
        guard text == "last" else { return try Parse.position(text, option: option) }
        guard case .user = self else {
            throw HabitError(
                .notSignedIn, "'last' is the position of a user's newest located event", .signIn)
        }
        guard let position = try LastPosition(viewer: self).find(in: session) else {
            throw HabitError(
                .locationUnavailable, "none of your events has a position yet", field: option,
                .writePosition(isReversed: false))
        }
        return position
    }
}
