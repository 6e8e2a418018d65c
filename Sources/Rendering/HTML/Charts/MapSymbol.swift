import Base

/// The symbol of a mark of a map.
///
/// It makes the marks distinct without colors.
enum MapSymbol {
    case disc
    case halfDisc
    case diamond
    case smallDot
    case square
    case triangle

    /// The symbols of colors that are not those of a status, in this order.
    ///
    /// Further colors have a disc.
    static let ofColors: [MapSymbol] = [.disc, .square, .diamond, .triangle]

    /// The share of the radius of a disc that a small dot and the hole of a half disc have.
    private static let inner = 0.6

    /// Creates the symbol of a status, which has the form of the status in a page.
    init(_ status: StatusWord) {
        switch status {
        case .onTrack: self = .disc
        case .nearGoal: self = .halfDisc
        case .inactive: self = .diamond
        case .new: self = .smallDot
        }
    }

    /// Returns the path of the symbol.
    ///
    /// - Parameters:
    ///   - x: The center.
    ///   - y: The center.
    ///   - r: The radius of the disc with about the same area.
    /// - Returns: The path data.
    func path(x: Double, y: Double, radius r: Double) -> String {
        switch self {
        case .disc:
            return Self.disc(x: x, y: y, radius: r)
        case .halfDisc:
            // The hole turns in the other direction, so that symbols in one path may overlap.
            let hole = Self.inner * r
            let start = Self.move(x: x, y: y + hole)
            let radius = Self.number(hole)
            let height = Self.number(2 * hole)
            return Self.disc(x: x, y: y, radius: r) + "z\(start)a\(radius) \(radius) 0 0 1 0-\(height)z"
        case .smallDot:
            return Self.disc(x: x, y: y, radius: Self.inner * r)
        case .square:
            let start = Self.move(x: x - 0.9 * r, y: y - 0.9 * r)
            let side = Self.number(1.8 * r)
            return "\(start)h\(side)v\(side)h-\(side)z"
        case .diamond:
            let start = Self.move(x: x, y: y - 1.25 * r)
            let half = Self.number(1.25 * r)
            return "\(start)l\(half) \(half)-\(half) \(half)-\(half)-\(half)z"
        case .triangle:
            let start = Self.move(x: x, y: y - 1.2 * r)
            let half = Self.number(1.2 * r)
            let height = Self.number(2 * r)
            let base = Self.number(2.4 * r)
            return "\(start)l\(half) \(height)h-\(base)z"
        }
    }

    private static func disc(x: Double, y: Double, radius r: Double) -> String {
        let start = move(x: x - r, y: y)
        let radius = number(r)
        let width = number(2 * r)
        let arc = "a\(radius) \(radius) 0 1 0"
        return "\(start)\(arc) \(width) 0\(arc)-\(width) 0"
    }

    private static func move(x: Double, y: Double) -> String {
        "M\(number(x)) \(number(y))"
    }

    private static func number(_ value: Double) -> String {
        HTML.decimal(value, decimals: 2)
    }
}
