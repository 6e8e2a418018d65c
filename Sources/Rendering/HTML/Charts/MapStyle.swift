import Base

/// The style of the marks of a map: a color and a symbol for each color of the data, or a shade for each number.
struct MapStyle {
    static let shades = 5
    private static let opacities = ["0.15", "0.32", "0.5", "0.7", "0.95"]

    /// The colors in the order of the legend, at most 20.
    ///
    /// The colors of habit statuses are first. Other colors follow in the order of the rows.
    private let swatches: [Swatch]
    private let shadeName: String?
    private let most: Double

    init(_ marks: [MapChart.Mark], shade: String?) {
        var found: [Swatch] = []
        for mark in marks {
            if let swatch = mark.swatch, found.count < 20, !found.contains(swatch) { found.append(swatch) }
        }
        let known = StatusWord.allCases.compactMap { Swatch($0.color) }
        swatches = known.filter(found.contains) + found.filter { !known.contains($0) }
        shadeName = shade
        most = marks.reduce(0) { max($0, $1.shade ?? 0) }
    }

    /// Returns the index of the symbol of a mark.
    func symbol(of mark: MapChart.Mark) -> Int { mark.swatch.flatMap { swatches.firstIndex(of: $0) } ?? 0 }

    /// Returns the shade of a mark, which grows with the square root of its number.
    ///
    /// With a linear scale, one large number would make all other boxes pale.
    func shade(of mark: MapChart.Mark) -> Int {
        guard let value = mark.shade, most > 0 else { return Self.shades / 2 }
        return min(Self.shades - 1, Int(Double(Self.shades) * max(0, value / most).squareRoot()))
    }

    func opacity(of shade: Int) -> String { Self.opacities[shade] }

    /// The legend, or an empty text if all marks have the same style.
    var legend: HTML {
        if let shadeName, most > 0 {
            let steps = (1...Self.shades).map { step -> HTML in
                let limit = most * Double(step * step) / Double(Self.shades * Self.shades)
                let path =
                    "<path class=\"cell\" fill-opacity=\"\(opacity(of: step - 1))\" d=\"M0 0h10v10h-10z\"/>" as HTML
                return entry(path, "to \(HTML.decimal(limit, decimals: most < 20 ? 2 : 0))")
            }
            return "<ul class=\"legend\"><li>\(isolated: shadeName):</li>\(steps.reduce("") { $0 + $1 })</ul>\n"
        }
        guard swatches.count > 1 else { return "" }
        let entries = swatches.enumerated().map { i, swatch -> HTML in
            let status = StatusWord.allCases.first { $0.color == swatch.color }
            let path = MapSymbol.path(i, x: 5, y: 5, radius: 3.5)
            return entry(
                "<path \(swatch.attributes(also: "point")) d=\"\(path)\"/>", status?.rawValue ?? swatch.color)
        }
        return "<ul class=\"legend\">\(entries.reduce("") { $0 + $1 })</ul>\n"
    }

    private func entry(_ symbol: HTML, _ text: String) -> HTML {
        "<li><svg viewBox=\"0 0 10 10\" width=\"13\" aria-hidden=\"true\">\(symbol)</svg> \(text)</li>"
    }
}

/// The symbols of a map: dot, square, diamond and triangle.
///
/// They make the marks distinct without colors.
enum MapSymbol {
    static func path(_ index: Int, x: Double, y: Double, radius r: Double) -> String {
        func number(_ value: Double) -> String { HTML.decimal(value, decimals: 2) }
        let (side, long) = (number(1.8 * r), number(1.25 * r))
        switch index {
        case 1: return "M\(number(x - 0.9 * r)) \(number(y - 0.9 * r))h\(side)v\(side)h-\(side)z"
        case 2: return "M\(number(x)) \(number(y - 1.25 * r))l\(long) \(long)-\(long) \(long)-\(long)-\(long)z"
        case 3: return "M\(number(x)) \(number(y - 1.2 * r))l\(number(1.2 * r)) \(number(2 * r))h-\(number(2.4 * r))z"
        default:
            let (radius, width) = (number(r), number(2 * r))
            return
                "M\(number(x - r)) \(number(y))a\(radius) \(radius) 0 1 0 \(width) 0a\(radius) \(radius) 0 1 0-\(width) 0"
        }
    }
}
