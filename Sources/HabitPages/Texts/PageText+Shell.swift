extension PageText {
    /// The texts of the application's document, which a browser shows if it runs no scripts.
    enum Shell {
        static let noScript = "The application needs JavaScript."
        static let pages = "The pages work without it."
    }
}
