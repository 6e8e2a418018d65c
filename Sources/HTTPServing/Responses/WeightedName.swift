/// A name with its quality in a header such as `Accept` or `Accept-Language` (RFC 9110, section 12.4.2).
struct WeightedName {
    /// The name in lower case without spaces, such as `text/html` or `pt-br`.
    let name: String
    /// The preference of the client, from 0 to 1.
    let quality: Double

    private init(_ text: Substring) {
        let parts = text.split(separator: ";").map(Self.withoutSpaces)
        let weight = parts.dropFirst().first { part in part.hasPrefix("q=") }
        let quality = weight.flatMap { weight in Double(weight.dropFirst(2)) }
        name = parts.first ?? ""
        self.quality = quality ?? 1
    }

    private static func withoutSpaces(_ text: Substring) -> String {
        text.filter { character in !character.isWhitespace }
    }

    /// Returns the names in the value of a header, in their order.
    static func list(_ header: String?) -> [WeightedName] {
        let header = (header ?? "").lowercased()
        return header.split(separator: ",").map(WeightedName.init)
    }
}
