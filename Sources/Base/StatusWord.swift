/// The status of a habit, with its color and its form in every output.
///
/// This is the only table of the statuses. The style sheet of the pages repeats the colors, and a test compares them.
/// The raw value is the word in outputs.
///
/// Each status has a form besides its color. The colors of ``onTrack``, ``nearGoal`` and ``inactive`` are far apart for
/// people with any color blindness. A new habit is gray, and its dot is small.
public enum StatusWord: String, Sendable, CaseIterable {
    /// A disc.
    case onTrack = "On track"
    /// A half disc.
    case nearGoal = "Near goal"
    /// A diamond.
    case inactive = "Inactive"
    /// A small dot.
    case new = "New"

    /// The sRGB color on a light background, in CSS notation.
    ///
    /// It is the property `color` of outputs.
    public var color: String {
        switch self {
        case .onTrack: "#1769aa"
        case .nearGoal: "#c27c0e"
        case .inactive: "#9b1c4b"
        case .new: "#6b726d"
        }
    }

    /// The sRGB color on a dark background, in CSS notation.
    package var darkColor: String {
        switch self {
        case .onTrack: "#7fd0ff"
        case .nearGoal: "#ffd166"
        case .inactive: "#e8588f"
        case .new: "#a3aea8"
        }
    }

    /// The name of ``color`` in texts.
    package var colorName: String {
        switch self {
        case .onTrack: "blue"
        case .nearGoal: "orange"
        case .inactive: "wine"
        case .new: "gray"
        }
    }

    /// The class in the style sheet, such as `on-track`.
    package var cssClass: String { rawValue.lowercased().replacing(" ", with: "-") }

    /// Creates the status with a color, or returns `nil` if no status has the color.
    ///
    /// - Parameter color: The color as `#rrggbb` in lowercase.
    package init?(color: String) {
        guard let status = Self.allCases.first(where: { $0.color == color }) else { return nil }
        self = status
    }
}
