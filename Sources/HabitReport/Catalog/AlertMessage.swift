import StoreEngine

/// The message of an alert: a text with the names of columns in braces, such as `{user} is quiet since {last_day}`.
///
/// A report with a message is an alert rule: each row of its result is an alert.
public struct AlertMessage: Sendable, Equatable {
    private enum Part: Sendable, Equatable {
        case text(String)
        case column(Int)
    }

    private let parts: [Part]

    /// Parses a message.
    ///
    /// - Parameters:
    ///   - text: The text of the header.
    ///   - columns: The names of the report's columns.
    /// - Throws: ``Fault`` if a name in braces is not a column, or if a brace has no partner.
    init(_ text: String, columns: [String]) throws {
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(where: { character in "{}".contains(character) }) {
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
                throw Fault(description: "a brace has no partner: write the name of a column as '{name}'")
            }
            let name = String(rest[rest.index(after: open)..<close])
            guard let index = columns.firstIndex(of: name) else {
                let nearest = columns.nearestSpelling(to: name)
                let suggestion = nearest.map { column in "did you mean '{\(column)}'?" }
                let hint = suggestion ?? "use a column of the report"
                throw Fault(description: "the message names the unknown column \(name.quoted): \(hint)")
            }
            parts.append(.column(index))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
    }

    /// The reason why a message is invalid.
    struct Fault: Error {
        var description: String
    }

    /// Returns the message of a row of the report's result.
    ///
    /// An empty value is replaced by `none`.
    func text(of row: any Row) -> String {
        let texts = parts.map { part in
            switch part {
            case .text(let text): text
            case .column(let index): Self.text(row.value(index))
            }
        }
        return texts.joined()
    }

    static func text(_ value: Value) -> String {
        switch value {
        case .null: "none"
        case .integer(let number): String(number)
        // At most four decimals, because the message is for people.
        case .number(let number): String((number * 10_000).rounded() / 10_000)
        case .text(let text): text
        case .blob, .point: ""
        }
    }
}
