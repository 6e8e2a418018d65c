extension HTMLText {
    /// The texts of maps.
    enum Map {
        static let title = "Map"
        static let surroundings = "Surroundings"
        static let surroundingsLabel = "surroundings"

        static func label(_ content: String) -> String {
            "Map, \(content)"
        }

        static func locations(_ count: Int) -> String {
            count == 1 ? "\(count) location" : "\(count) locations"
        }

        static func visits(_ count: Int) -> String {
            count == 1 ? "\(count) visit" : "\(count) visits"
        }

        static func all(_ locations: String) -> String {
            "All \(locations)"
        }

        static func enlarged(_ count: Int) -> String {
            "Only the \(count) regions with the most locations are enlarged."
        }

        static func distance(_ kilometers: Int, from city: String) -> String {
            "\(kilometers) km from \(city)"
        }

        static func range(from first: String, to last: String) -> String {
            "\(first) to \(last)"
        }

        static func upTo(_ value: String) -> String {
            "to \(value)"
        }
    }
}
