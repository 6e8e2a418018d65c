extension NightlyText {
    /// The texts of the list of runs.
    enum Index {
        static let nightly = "Nightly reports"
        static let weekly = "Weekly reports"
        static let monthly = "Monthly reports"

        static func week(from monday: String, to sunday: String) -> String {
            "\(monday) to \(sunday)"
        }

        static func month(_ name: String, year: Int) -> String {
            "\(name) \(year)"
        }

        static func preliminary(_ count: Int) -> String {
            count == 1 ? "preliminary for \(count) user" : "preliminary for \(count) users"
        }
    }
}
