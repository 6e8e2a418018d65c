/// A word of a column `status`, with its style in pages, maps and terminals.
///
/// A test compares the words and colors with the statuses of habits.
enum StatusWord: String, CaseIterable {
    case onTrack = "On track"
    case nearGoal = "Near goal"
    case inactive = "Inactive"
    case new = "New"

    /// The class in the style sheet.
    var cssClass: String {
        switch self {
        case .onTrack: "on-track"
        case .nearGoal: "near-goal"
        case .inactive: "inactive"
        case .new: "new"
        }
    }

    /// The sRGB color in CSS notation.
    var color: String {
        switch self {
        case .onTrack: "#2e7d32"
        case .nearGoal: "#f07800"
        case .inactive: "#c62828"
        case .new: "#757575"
        }
    }

    /// The color in a terminal, as an SGR sequence (ECMA-48, section 8.3.117).
    var terminalColor: String {
        switch self {
        case .onTrack: "\u{1B}[32m"
        case .nearGoal: "\u{1B}[38;5;208m"
        case .inactive: "\u{1B}[31m"
        case .new: "\u{1B}[90m"
        }
    }
}
