import Base
import Geo
import HabitModel

/// The position of an entry of another application.
enum EntryPosition: Equatable {
    case known(Position)
    /// The entry has no position, or a position at 0, 0 that means "unknown".
    case missing
    /// The position breaks a rule.
    case invalid(HabitError)

    /// Creates a position from degrees, either of which may be missing.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north of the equator.
    ///   - longitude: Degrees east of Greenwich.
    ///   - options: The options of the import, which determine the meaning of 0, 0.
    init(latitude: Double?, longitude: Double?, _ options: ImportOptions) {
        guard let latitude, let longitude else {
            self = Self.incomplete(latitude: latitude, longitude: longitude)
            return
        }
        guard let position = Position(longitude: longitude, latitude: latitude) else {
            let isLatitude = (-90...90).contains(latitude)
            let field: Field = isLatitude ? .longitude : .latitude
            let error = HabitError(
                .positionInvalid,
                "latitude \(latitude) and longitude \(longitude) are not a position: correct them",
                field: field.name)
            self = .invalid(error)
            return
        }
        do throws(HabitError) {
            let exact = position.isNullIsland ? Position.nullIsland : position
            let stored = try options.nullIsland.apply(to: exact)
            self = stored == nil ? .missing : .known(position)
        } catch {
            self = .invalid(error)
        }
    }

    /// Creates a position from two members with degrees.
    ///
    /// A member that is neither blank nor a number makes the position invalid.
    init(latitude: JSONNode?, longitude: JSONNode?, _ options: ImportOptions) {
        if let error = Self.unreadable(latitude, longitude) {
            self = .invalid(error)
        } else {
            self.init(latitude: latitude?.number, longitude: longitude?.number, options)
        }
    }

    /// Returns the error of two coordinates of which one has a value that is not a number, otherwise `nil`.
    static func unreadable(_ latitude: JSONNode?, _ longitude: JSONNode?) -> HabitError? {
        let isUnreadable =
            latitude?.isUnreadableNumber == true
            || longitude?.isUnreadableNumber == true
        guard isUnreadable else { return nil }
        let latitudeText = latitude?.anyText ?? ""
        let longitudeText = longitude?.anyText ?? ""
        return XMLValues.positionInvalid("\(latitudeText), \(longitudeText)")
    }

    /// Returns the position of an entry that lacks a coordinate, which is an error if the entry has the other one.
    static func incomplete(latitude: Double?, longitude: Double?) -> EntryPosition {
        if latitude != nil { return .invalid(missing(.longitude)) }
        if longitude != nil { return .invalid(missing(.latitude)) }
        return .missing
    }

    private static func missing(_ field: Field) -> HabitError {
        HabitError(
            .positionInvalid, "the position has no \(field.name)", field: field.name, .advice("add it"))
    }

    /// Whether the position breaks a rule.
    var isInvalid: Bool {
        if case .invalid = self { true } else { false }
    }

    /// The position, or `nil` if it is unknown.
    var value: Position? {
        if case .known(let position) = self { position } else { nil }
    }

    /// Returns `other` if the position is missing.
    func or(_ other: @autoclosure () -> EntryPosition) -> EntryPosition {
        self == .missing ? other() : self
    }
}
