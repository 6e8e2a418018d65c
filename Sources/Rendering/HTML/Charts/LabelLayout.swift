/// Positions for the names on a drawing.
///
/// No name is cut at the edge or overlaps an earlier name if there is room.
struct LabelLayout {
    private struct Area {
        var left: Double
        var top: Double
        var width: Double
        var height = LabelLayout.height

        var baseline: (x: Double, y: Double) { (left, top + 9) }
        var corners: [(x: Double, y: Double)] {
            [left, left + width].flatMap { x in [top, top + height].map { (x, $0) } }
        }

        func overlaps(_ other: Area) -> Bool {
            left < other.left + other.width && other.left < left + width && top < other.top + other.height
                && other.top < top + height
        }
    }

    private static let height = 11.0

    private let size: (width: Double, height: Double)
    private var names: [Area] = []
    private var symbols: [Area] = []

    /// Creates a layout for a drawing of the given size.
    ///
    /// Names do not extend beyond it.
    init(size: (width: Double, height: Double)) { self.size = size }

    /// The size of the font of labels, in units of the drawing (`page.css`).
    private static let fontSize = 9.5

    /// Returns the width of a label in the widest common system font, in units of the drawing.
    ///
    /// The font of the viewer is unknown. DejaVu Sans and Verdana are the widest common fonts.
    static func width(of text: String) -> Double {
        fontSize * TerminalText(text).text.reduce(0.0) { $0 + advance(of: $1) }
    }

    /// Returns an upper limit of the advance width of a character in DejaVu Sans, in em.
    private static func advance(of character: Character) -> Double {
        switch character {
        case "i", "j", "l", "'", "|", " ", ".", ",", ":", ";", "!", "-", "(", ")", "/", "I": 0.4
        case "f", "r", "t", "°", "′", "″", "J": 0.5
        case "m", "M", "w", "W", "%", "—", "…", "@": 1
        case _ where character.terminalWidth == 2: 1
        case _ where character.terminalWidth == 0: 0
        case _ where character.isUppercase: 0.79
        default: 0.64
        }
    }

    /// Returns the start of the baseline of `name` next to `point`: to its right or left, above or below it.
    ///
    /// If all four positions are cut or used, the result is the first one inside the drawing.
    mutating func place(_ name: String, nextTo point: (x: Double, y: Double)) -> (x: Double, y: Double) {
        // Names are bold.
        let areas = Self.areas(width: 1.15 * Self.width(of: name), nextTo: point)
        let inside = areas.filter {
            $0.left >= 0 && $0.left + $0.width <= size.width && $0.top >= 0 && $0.top + Self.height <= size.height
        }
        let free = inside.first { isFree($0) }
        let area = free ?? inside.first ?? areas[0]
        names.append(area)
        return area.baseline
    }

    /// Returns the start of the baseline of `name` next to `point`, or `nil` if all four positions are cut or used.
    ///
    /// A name is cut if a corner is outside of `map`.
    mutating func placeIfFree(
        _ name: String, nextTo point: (x: Double, y: Double), in map: ConvexArea
    ) -> (x: Double, y: Double)? {
        let areas = Self.areas(width: Self.width(of: name), nextTo: point)
        let free = areas.first { area in
            area.corners.allSatisfy { map.contains($0) } && isFree(area)
        }
        guard let free else { return nil }
        names.append(free)
        return free.baseline
    }

    private func isFree(_ area: Area) -> Bool {
        !names.contains { $0.overlaps(area) } && !symbols.contains { $0.overlaps(area) }
    }

    /// Whether a dot overlaps no name.
    func isOutsideOfNames(_ point: (x: Double, y: Double)) -> Bool {
        let dot = Area(left: point.x - 2, top: point.y - 2, width: 4, height: 4)
        return !names.contains { $0.overlaps(dot) }
    }

    /// Reserves the area of a symbol, which later names avoid.
    mutating func reserve(_ point: (x: Double, y: Double)) {
        symbols.append(Area(left: point.x - 4, top: point.y - 4, width: 8, height: 8))
    }

    /// Reserves the area of a text, which later names avoid.
    mutating func reserve(left: Double, baseline: Double, width: Double) {
        names.append(Area(left: left, top: baseline - 9, width: width))
    }

    /// Returns the areas to the right and to the left of a point, above it and below it.
    private static func areas(width: Double, nextTo point: (x: Double, y: Double)) -> [Area] {
        [(point.x + 5, -4.0), (point.x - 5 - width, -4), (point.x + 5, 12), (point.x - 5 - width, 12)]
            .map { Area(left: $0.0, top: point.y + $0.1 - 9, width: width) }
    }
}
