import Base
import HabitModel
import HabitStore
import StoreEngine

/// The names of the records that the viewer of a page can see, and the time zone of the viewer.
///
/// A page shows names instead of IDs. It reads them with the queries of the collections, so it contains no name that the
/// viewer could not read there.
package struct RecordNames {
    /// The viewer; `nil` for a request without a token, which sees no names.
    private let viewer: Viewer?
    private let clock: Clock
    private let session: any Session

    /// Creates the names for a viewer.
    ///
    /// - Parameters:
    ///   - viewer: The viewer; `nil` for a request without a token.
    ///   - clock: The time of the request.
    ///   - session: The session that reads the names.
    init(viewer: Viewer?, clock: Clock, in session: any Session) {
        self.viewer = viewer
        self.clock = clock
        self.session = session
    }

    /// Returns the name of a user.
    ///
    /// - Parameter id: The ID of the user.
    /// - Returns: The name, or `nil` if the viewer sees no name.
    /// - Throws: An error of the query.
    package func user(_ id: String) throws -> String? {
        try name(of: id, in: "users")
    }

    /// Returns the name of an item.
    ///
    /// - Parameter id: The ID of the item.
    /// - Returns: The name, or `nil` if the viewer cannot see the item.
    /// - Throws: An error of the query.
    package func item(_ id: String) throws -> String? {
        try name(of: id, in: "items")
    }

    private func name(of id: String, in collection: String) throws -> String? {
        guard let viewer,
            let collection = FeatureCollection.named(collection)
        else { return nil }
        let selection = try collection.one(id, viewer, clock, session)
        let columns = selection.shape.columns
        let name = columns.first { column in
            column.name == "name"
        }
        guard let name else {
            return nil
        }
        let text = try session.first(selection.sql) { row in
            row.text(name.index)
        }
        return text ?? nil
    }

    /// Returns the time zone of the viewer.
    ///
    /// - Returns: The zone of the user's account; UTC for the operator and for a request without a token.
    /// - Throws: An error of the query.
    package func zone() throws -> TimeZoneRules {
        if let zone = clock.timeZone {
            return zone
        }
        guard case .user(_, let id)? = viewer else {
            return .utc
        }
        let name = try UserZoneQuery.zone(of: id, in: session)
        let zone = name.flatMap { name in
            TimeZoneRules(name)
        }
        return zone ?? .utc
    }

    /// Returns the current date in a time zone.
    ///
    /// - Parameter zone: The time zone.
    /// - Returns: The date, or the fixed date of the server.
    package func today(in zone: TimeZoneRules) -> Day {
        clock.today(in: zone)
    }
}

extension FeatureView {
    /// Returns the names that a page of the view may show.
    ///
    /// - Parameter session: The session that reads the names.
    /// - Returns: The names.
    func names(in session: any Session) -> RecordNames {
        RecordNames(viewer: isPublic ? nil : viewer, clock: clock, in: session)
    }
}
