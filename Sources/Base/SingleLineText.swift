extension Unicode.Scalar {
    /// Whether a text on one line must not contain the scalar: a control character or a separator of lines.
    ///
    /// These are U+0000 to U+001F, U+007F to U+009F, U+2028 and U+2029.
    package var breaksLine: Bool {
        switch value {
        case 0...0x1f, 0x7f...0x9f, 0x2028, 0x2029: true
        default: false
        }
    }
}

extension String {
    /// Whether the text has one line and no control characters.
    public var isSingleLine: Bool {
        utf8.allSatisfy { (0x20...0x7e).contains($0) } || !unicodeScalars.contains(where: \.breaksLine)
    }

    /// The text with a space instead of each control character and each line break.
    ///
    /// A carriage return followed by a line feed is one line break.
    public var singleLine: String {
        guard !isSingleLine else {
            return self
        }
        var line = ""
        var previous: Unicode.Scalar?
        for scalar in unicodeScalars {
            if !scalar.breaksLine {
                line.unicodeScalars.append(scalar)
            } else if scalar != "\n" || previous != "\r" {
                line += " "
            }
            previous = scalar
        }
        return line
    }

    /// Checks that the text has one line and no control characters.
    ///
    /// - Parameter field: The name of the field that contains the text, for the error.
    /// - Throws: `text-invalid`.
    public func requireSingleLine(_ field: String) throws(HabitError) {
        guard !isSingleLine, let scalar = unicodeScalars.first(where: \.breaksLine) else {
            return
        }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let code = String(repeating: "0", count: 4 - digits.count) + digits
        throw HabitError(
            .textInvalid, "the \(field) contains a control character or a line break (U+\(code)): remove it",
            field: field)
    }
}
