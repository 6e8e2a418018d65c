extension Bool {
    /// Parses a word for a truth value, or returns `nil` for any other text.
    ///
    /// - Parameter text: `yes` or `true`, `no` or `false`, in lower case.
    package init?(word text: String) {
        switch text {
        case "yes", "true": self = true
        case "no", "false": self = false
        default: return nil
        }
    }
}
