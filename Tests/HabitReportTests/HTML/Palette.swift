import Foundation

@testable import Rendering

/// The colors of the style sheet of the pages, in one theme.
struct Palette {
    /// A theme of the pages.
    enum Theme: CaseIterable {
        case light
        case dark
    }

    /// An sRGB color.
    struct Color: Hashable {
        /// The color as `#rrggbb`.
        let text: String
        /// Red, green and blue, 0...1, in linear light.
        let linear: [Double]

        init?(_ text: String) {
            guard text.hasPrefix("#"), text.count == 7, let number = Int(text.dropFirst(), radix: 16) else {
                return nil
            }
            self.text = text
            linear = [16, 8, 0].map { shift in
                let value = Double(number >> shift & 0xFF) / 255
                return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            }
        }

        /// The relative luminance of WCAG 2.2, 0...1.
        private var luminance: Double { 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] }

        /// Returns the contrast ratio of WCAG 2.2, 1...21.
        func contrast(to other: Color) -> Double {
            let light = max(luminance, other.luminance)
            let dark = min(luminance, other.luminance)
            return (light + 0.05) / (dark + 0.05)
        }
    }

    /// The colors by the names of their tokens, such as `on-track`.
    private let colors: [String: Color]

    /// Reads the tokens of a theme.
    ///
    /// The dark theme changes those of the light one.
    init(_ theme: Theme) {
        let parts = StyleSheet.tokens.text.components(separatedBy: "prefers-color-scheme: dark")
        let sheets = theme == .light ? [parts[0]] : [parts[0], parts[1]]
        var colors: [String: Color] = [:]
        for sheet in sheets {
            let tokens = sheet.matches(of: /--([a-z0-9-]+): (#[0-9a-f]{6});/)
            for token in tokens {
                colors[String(token.1)] = Color(String(token.2))
            }
        }
        self.colors = colors
    }

    /// Returns the color of a token, or `nil` if the style sheet does not have it.
    subscript(token: String) -> Color? { colors[token] }
}
