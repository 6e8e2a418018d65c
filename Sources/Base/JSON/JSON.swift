/// A JSON value for documents that are composed in code.
///
/// Renderers write features and rows.
package enum JSON: Sendable {
    case null
    case text(String)
    case boolean(Bool)
    case integer(Int)
    /// A number. Numbers that are not finite are written as null.
    case number(Double)
    case list([JSON])
    /// An object whose members are written in the order of their names in UTF-8.
    case object([String: JSON])
    /// An object whose members are written in this order.
    case ordered([Member])
    /// A value that is already JSON in UTF-8, such as a rendered feature.
    case verbatim([UInt8])

    /// A member of an object.
    package struct Member: Sendable {
        package var name: String
        package var value: JSON

        /// Creates a member.
        package init(_ name: String, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// Creates a text, or null.
    package init(_ text: String?) {
        self = text.map { .text($0) } ?? .null
    }

    /// The document in UTF-8, without white space.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.append(self)
        return writer.bytes
    }

    /// The document, without white space.
    package var text: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// Returns an object with the members of both objects.
    ///
    /// Members of `other` replace members with the same name. If one of the values is not an object with members in the
    /// order of their names, the result is `other`.
    package func merging(_ other: JSON) -> JSON {
        guard case .object(let mine) = self, case .object(let theirs) = other else { return other }
        return .object(mine.merging(theirs) { _, new in new })
    }
}

extension [JSON.Member] {
    /// The members as JSON, each after a comma, which continue an object.
    package var continuation: String {
        var writer = JSONWriter()
        for member in self { writer.append(following: member) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) {
        self = .text(value)
    }
    package init(booleanLiteral value: Bool) {
        self = .boolean(value)
    }
    package init(integerLiteral value: Int) {
        self = .integer(value)
    }
    package init(floatLiteral value: Double) {
        self = .number(value)
    }
    package init(arrayLiteral elements: JSON...) {
        self = .list(elements)
    }
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}
