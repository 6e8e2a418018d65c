/// Positions for the names on a drawing.
///
/// No name is cut at the edge or overlaps an earlier name if there is room.
struct LabelLayout {
    private struct Area {
        var left: Double
        var top: Double
        var width: Double
        var height = LabelLayout.height

        var right: Double { left + width }
        var bottom: Double { top + height }
        var baseline: DrawingPoint { (left, top + LabelLayout.ascent) }
        var corners: [DrawingPoint] {
            [(left, top), (left, bottom), (right, top), (right, bottom)]
        }

        func overlaps(_ other: Area) -> Bool {
            let overlapsHorizontally = left < other.right && other.left < right
            let overlapsVertically = top < other.bottom && other.top < bottom
            return overlapsHorizontally && overlapsVertically
        }
    }

    private static let height = 11.0
    /// The distance from the top of a name to its baseline.
    private static let ascent = 9.0

    private let size: DrawingSize
    private var names: [Area] = []
    private var symbols: [Area] = []

    /// Creates a layout for a drawing of the given size.
    ///
    /// Names do not extend beyond it.
    init(size: DrawingSize) { self.size = size }

    /// The size of the font of labels, in units of the drawing (`page.css`).
    private static let fontSize = 9.5

    /// Returns the width of a label in the widest common system font, in units of the drawing.
    ///
    /// The font of the viewer is unknown. DejaVu Sans and Verdana are the widest common fonts.
    static func width(of text: String) -> Double {
        let advance = TerminalText(text).text.reduce(0.0) { sum, character in
            sum + Self.advance(of: character)
        }
        return fontSize * advance
    }

    /// Returns an upper limit of the advance width of a character in DejaVu Sans, in em.
    private static func advance(of character: Character) -> Double {
        switch character {
        case "i", "j", "l", "I": 0.4
        case "'", "|", " ", ".", ",", ":", ";", "!", "-", "(", ")", "/": 0.4
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
    mutating func place(_ name: String, nextTo point: DrawingPoint) -> DrawingPoint {
        // Names are bold.
        let width = 1.15 * Self.width(of: name)
        let areas = Self.areas(width: width, nextTo: point)
        let inside = areas.filter { isInside($0) }
        let free = inside.first { isFree($0) }
        let fallback = inside.first ?? areas[0]
        let area = free ?? fallback
        names.append(area)
        return area.baseline
    }

    /// Whether the edges of the drawing do not cut a name.
    private func isInside(_ area: Area) -> Bool {
        let isInWidth = area.left >= 0 && area.right <= size.width
        let isInHeight = area.top >= 0 && area.bottom <= size.height
        return isInWidth && isInHeight
    }

    /// Returns the start of the baseline of `name` next to `point`, or `nil` if all four positions are cut or used.
    ///
    /// A name is cut if a corner is outside of `map`.
    mutating func placeIfFree(
        _ name: String,
        nextTo point: DrawingPoint,
        in map: ConvexArea
    ) -> DrawingPoint? {
        let width = Self.width(of: name)
        let areas = Self.areas(width: width, nextTo: point)
        let free = areas.first { area in
            area.corners.allSatisfy { map.contains($0) } && isFree(area)
        }
        guard let free else { return nil }
        names.append(free)
        return free.baseline
    }

    private func isFree(_ area: Area) -> Bool {
        isOutsideOfNames(area) && !symbols.contains { $0.overlaps(area) }
    }

    /// Whether a dot overlaps no name.
    func isOutsideOfNames(_ point: DrawingPoint) -> Bool {
        let dot = Area(left: point.x - 2, top: point.y - 2, width: 4, height: 4)
        return isOutsideOfNames(dot)
    }

    private func isOutsideOfNames(_ area: Area) -> Bool {
        !names.contains { $0.overlaps(area) }
    }

    /// Reserves the area of a symbol, which later names avoid.
    mutating func reserve(_ point: DrawingPoint) {
        symbols.append(Area(left: point.x - 4, top: point.y - 4, width: 8, height: 8))
    }

    /// Reserves the area of a text, which later names avoid.
    mutating func reserve(left: Double, baseline: Double, width: Double) {
        let area = Area(left: left, top: baseline - Self.ascent, width: width)
        names.append(area)
    }

    /// Returns the areas to the right and to the left of a point, above it and below it.
    private static func areas(width: Double, nextTo point: DrawingPoint) -> [Area] {
        let right = point.x + 5
        let left = point.x - 5 - width
        let above = point.y - 4 - ascent
        let below = point.y + 12 - ascent
        return [
            Area(left: right, top: above, width: width),
            Area(left: left, top: above, width: width),
            Area(left: right, top: below, width: width),
            Area(left: left, top: below, width: width),
        ]
    }
}
