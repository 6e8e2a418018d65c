extension PageText {
    /// The texts of the beginning and the end of every page.
    enum Frame {
        static let skip = "Skip to content"
        /// The name of the application, whose first view shows the current day.
        static let today = "Today"
        static let map = "Map"
        static let reports = "Reports"
        static let signIn = "Sign in"
        static let signOut = "Sign out"
        static let developers = "For developers"
        static let api = "API"
        /// The name of the list of the pages above a page.
        static let path = "Path"
        static let collections = "Collections"
        /// The beginning of the list of a page's other formats.
        static let formats = "Also as:"
    }
}
