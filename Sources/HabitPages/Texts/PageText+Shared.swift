import HabitModel

extension PageText {
    /// The texts of the pages of shared views.
    enum Shared {
        static let title = "Shared view"
        static let about = "A person shares these records."
        static let noPositions = "No record has a position."
        static let untitled = "No title"
        static let open = "Open the page"
        static let data = "Data"

        static func rounded(to rounding: ViewDefinition.Rounding) -> String {
            switch rounding {
            case .street: "Positions are rounded to about 100 m."
            case .quarter: "Positions are rounded to about 1 km."
            case .city: "Positions are rounded to about 10 km."
            }
        }

        static func size(of rounding: ViewDefinition.Rounding) -> String {
            switch rounding {
            case .street: "About 100 m"
            case .quarter: "About 1 km"
            case .city: "About 10 km"
            }
        }

        static func name(of layer: ViewDefinition.Layer) -> String {
            switch layer {
            case .events: "Events"
            case .posts: "Posts"
            case .items: "Items to give away"
            }
        }

        static func count(_ count: Int, shown: Int, isIncomplete: Bool) -> String {
            if isIncomplete { return "More than \(count) records, of which the newest \(shown) are listed" }
            if shown < count { return "\(count) records, of which the newest \(shown) are listed" }
            return count == 1 ? "1 record" : "\(count) records"
        }
    }
}
