/// The languages of the header Accept-Language with their qualities (RFC 9110, section 12.5.4).
package struct AcceptedLanguages {
    private let ranges: [WeightedName]

    package init(_ header: String?) { ranges = WeightedName.list(header) }

    /// Returns the language that the client prefers.
    ///
    /// The region of a language is ignored, so `pt-BR` selects `pt`.
    ///
    /// - Parameters:
    ///   - languages: The language tags without regions, in lower case.
    ///   - standard: The language for a client that prefers none of them.
    /// - Returns: One of the languages, or `standard`.
    package func best(of languages: [String], otherwise standard: String) -> String {
        var best = (language: standard, quality: 0.0)
        for range in ranges where range.quality > best.quality {
            let language = String(range.name.prefix { character in character != "-" })
            guard languages.contains(language) else { continue }
            best = (language, range.quality)
        }
        return best.language
    }
}
