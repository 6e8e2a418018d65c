/// A word of a column `status`, with its style in pages and maps.
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
}
