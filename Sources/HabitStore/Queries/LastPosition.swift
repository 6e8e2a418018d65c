import Geo
import HabitModel

/// Where the viewer was last: the place of their newest located event.
public struct LastPosition: Sendable {
    public var viewer: Viewer

    public init(viewer: Viewer) { self.viewer = viewer }

    /// Nil where none of the viewer's events has a place.
    public func find(in session: any Session) throws -> Position? {
        var select = SelectBuilder(
            columns: ["event.geometry"], from: "event",
            order: "event.day DESC, event.occurred_at DESC NULLS LAST, event.external_id DESC")
        select.require("event.user_id = :viewer", Visibility(viewer: viewer).bindings)
        select.require("event.geometry IS NOT NULL")
        select.limit = 1
        return try session.first(select.sql) { $0.position(0) } ?? nil
    }
}
