import Base

/// The style of the marks of a map: a color and a symbol for each color of the data, or a shade for each number.
struct MapStyle {
    static let shades = 5
    private static let opacities = ["0.15", "0.32", "0.5", "0.7", "0.95"]

    /// The colors in the order of the legend, at most 20.
    ///
    /// The colors of statuses are first. Other colors follow in the order of the rows.
    private let swatches: [Swatch]
    private let shadeName: String?
    private let most: Double

    init(_ marks: [MapChart.Mark], shade: String?) {
        var found: [Swatch] = []
        for mark in marks {
            guard let swatch = mark.swatch, found.count < 20, !found.contains(swatch) else { continue }
            found.append(swatch)
        }
        let known = StatusWord.allCases.compactMap { Swatch($0.color) }
        swatches = known.filter(found.contains) + found.filter { !known.contains($0) }
        shadeName = shade
        most = marks.reduce(0) { most, mark in
            max(most, mark.shade ?? 0)
        }
    }

    /// Returns the symbol of a mark: the form of a status, or the next of all symbols for another color.
    func symbol(of mark: MapChart.Mark) -> MapSymbol {
        guard let swatch = mark.swatch else { return .disc }
        if let status = swatch.status { return MapSymbol(status) }
        return symbol(of: swatch)
    }

    private func symbol(of swatch: Swatch) -> MapSymbol {
        let index = swatches.firstIndex(of: swatch) ?? 0
        return index < MapSymbol.ofColors.count ? MapSymbol.ofColors[index] : .disc
    }

    /// Returns the shade of a mark, which grows with the square root of its number.
    ///
    /// With a linear scale, one large number would make all other boxes pale.
    func shade(of mark: MapChart.Mark) -> Int {
        guard let value = mark.shade, most > 0 else { return Self.shades / 2 }
        let share = max(0, value / most)
        let shade = Int(Double(Self.shades) * share.squareRoot())
        return min(Self.shades - 1, shade)
    }

    func opacity(of shade: Int) -> String { Self.opacities[shade] }

    /// The legend, or an empty text if all marks have the same style.
    var legend: HTML {
        if let shadeName, most > 0 {
            return "<ul class=\"legend\"><li>\(isolated: shadeName):</li>\(shadeEntries)</ul>\n"
        }
        guard swatches.count > 1 else { return "" }
        return "<ul class=\"legend\">\(swatchEntries)</ul>\n"
    }

    private var shadeEntries: HTML {
        var entries: HTML = ""
        for step in 1...Self.shades {
            let limit = most * Double(step * step) / Double(Self.shades * Self.shades)
            let text = HTML.decimal(limit, decimals: most < 20 ? 2 : 0)
            let opacity = opacity(of: step - 1)
            let cell: HTML = "<path class=\"cell\" fill-opacity=\"\(opacity)\" d=\"M0 0h10v10h-10z\"/>"
            entries += entry(cell, text: HTMLText.Map.upTo(text))
        }
        return entries
    }

    private var swatchEntries: HTML {
        var entries: HTML = ""
        for swatch in swatches {
            if let status = swatch.status {
                entries += "<li>\(status.html)</li>"
                continue
            }
            let path = symbol(of: swatch).path(x: 5, y: 5, radius: 3.5)
            let drawing: HTML = "<path \(swatch.attributes(also: "point")) d=\"\(path)\"/>"
            entries += entry(drawing, text: swatch.color)
        }
        return entries
    }

    private func entry(_ symbol: HTML, text: String) -> HTML {
        "<li><svg viewBox=\"0 0 10 10\" width=\"13\" aria-hidden=\"true\">\(symbol)</svg> \(text)</li>"
    }
}
