import Base

extension StatusWord {
    /// The form of the status in its color, for the word that follows.
    var dot: HTML { "<i class=\"dot \(cssClass)\"></i>" }

    /// The form and the word.
    var html: HTML { "\(dot)\(rawValue)" }

    /// The form and the word, which stay on one line.
    package var element: HTML { "<span class=\"status\">\(html)</span>" }

    /// Returns a list of statuses with their forms, or an empty text without statuses.
    ///
    /// - Parameter statuses: The statuses, in any order.
    /// - Returns: The list.
    static func legend(of statuses: Set<StatusWord>) -> HTML {
        guard !statuses.isEmpty else { return "" }
        var entries: HTML = ""
        for status in allCases where statuses.contains(status) {
            entries += "<li>\(status.html)</li>"
        }
        return "<ul class=\"legend\">\(entries)</ul>\n"
    }
}

extension HTML {
    /// Returns the status of a habit as its symbol and its word.
    ///
    /// - Parameter word: The word in a column `status`.
    /// - Returns: The markup, or `nil` if the word is not a status of a habit.
    package static func status(_ word: String) -> HTML? {
        StatusWord(rawValue: word)?.element
    }
}
