import Base

/// The colors of a map style.
///
/// The surfaces and texts have the colors of the pages' style sheet, and a test compares them. ``StatusWord`` has the
/// colors of statuses.
enum StyleTheme: String, CaseIterable {
    case light, dark

    /// The background, and water on it.
    var water: String { self == .light ? "#d4e3ea" : "#0c1318" }
    /// Land.
    var land: String { self == .light ? "#f6f4ee" : "#1d252b" }
    /// Borders of countries, main streets and railways.
    var border: String { self == .light ? "#a9a596" : "#56616a" }
    /// Other streets.
    var street: String { self == .light ? "#dcd8cc" : "#303a41" }
    /// Parks and forests.
    var park: String { self == .light ? "#e2efe7" : "#17382b" }
    /// Buildings.
    var building: String { self == .light ? "#ebe8df" : "#232c32" }
    /// The names of places and streets.
    var names: String { self == .light ? "#55605a" : "#a3aea8" }
    /// The color of texts and of clusters of events.
    var ink: String { self == .light ? "#1b211d" : "#e8ece9" }
    /// The color of the edges of symbols and texts, and of the numbers of clusters.
    var halo: String { self == .light ? "#ffffff" : "#11161a" }
    /// The color of items.
    var items: String { self == .light ? "#1f6f4a" : "#6fd3a4" }
    /// The color of posts.
    var posts: String { self == .light ? "#7a35a8" : "#ce8cf0" }

    /// Returns the color of a status.
    func color(of status: StatusWord) -> String {
        self == .light ? status.color : status.darkColor
    }
}
