import Rendering

extension NightlyText {
    /// The texts of the list of alerts.
    enum Alerts {
        static let title = "Alerts"
        static let none = "none"
        static let noneNew = "none new"
        static let noNewAlerts = "No new alerts."
        static let new = "New"

        static func stillOpen(_ count: Int) -> String {
            "Still open: \(count)"
        }

        static func stillOpenInFile(_ count: Int, file: String) -> String {
            "Still open: \(count), see \(file)"
        }

        static func open(_ message: HTML, since day: String) -> HTML {
            "\(message) (since \(day))"
        }

        static func more(_ count: Int) -> String {
            "\(count) more"
        }
    }
}
