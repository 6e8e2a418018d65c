extension NightlyText {
    /// The texts of the list of users and of their pages.
    enum Users {
        static let users = "Users"
        static let noRows = "No rows of this user."

        /// The heading of the list; `dates` are the dates of the run after a preposition.
        static func list(_ dates: String) -> String {
            "Users \(dates)"
        }

        /// The heading of the page of a user; `dates` are the dates of the run after a preposition.
        static func page(of user: String, _ dates: String) -> String {
            "\(user) \(dates)"
        }
    }
}
