import Geo
import HabitModel

/// The position at which a recorded route begins.
///
/// A device without a fix writes 0, 0, so the first other position applies. If all positions are 0, 0, the rule of the
/// import for 0, 0 decides.
struct RouteStart {
    private let keepsNullIsland: Bool
    private var fix: Position?
    private var nullIsland: Position?
    /// The text of the first position that cannot be read.
    private var unreadable: String?

    init(_ options: ImportOptions) { keepsNullIsland = options.nullIsland == .keep }

    /// Whether later positions have no effect.
    var isComplete: Bool { fix != nil }

    /// The position, or `nil` if the route has no readable position.
    var position: Position? { fix ?? nullIsland }

    /// The finding of a route in which no position can be read, otherwise `nil`.
    var unreadableValue: UnreadableValue? {
        guard position == nil, let unreadable else { return nil }
        return UnreadableValue(.position, unreadable)
    }

    /// Adds the next position of the route.
    mutating func add(_ position: Position) {
        if position.isNullIsland, !keepsNullIsland {
            nullIsland = nullIsland ?? position
        } else {
            fix = fix ?? position
        }
    }

    /// Adds the texts of the next position of the route.
    ///
    /// A position without texts is not a position.
    mutating func add(latitude: String?, longitude: String?) {
        let latitudeText = latitude?.trimmed ?? ""
        let longitudeText = longitude?.trimmed ?? ""
        let hasText = !latitudeText.isEmpty || !longitudeText.isEmpty
        guard hasText else { return }
        if let position = XMLValues.position(latitude: latitude, longitude: longitude) {
            add(position)
        } else {
            addUnreadable("\(latitudeText), \(longitudeText)")
        }
    }

    /// Adds a position that cannot be read.
    mutating func addUnreadable(_ text: String) { unreadable = unreadable ?? text }
}

extension Position {
    /// Whether the position is 0, 0 in the precision of the store, which is 7 decimals.
    var isNullIsland: Bool { abs(latitude) < 5e-8 && abs(longitude) < 5e-8 }
}
