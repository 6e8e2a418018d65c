/// A JSON value as its bytes, which are parsed only as far as the caller asks.
///
/// The parts of an object or an array are found without a parse of their content, so a part can be passed to another
/// parser, which reports its errors. The parts share the memory of the text.
package struct JSONSlice: Sendable {
    /// The bytes of the value, without white space around it.
    package let bytes: ArraySlice<UInt8>

    /// Creates a value from its bytes.
    ///
    /// - Parameter bytes: A JSON text, or a part of one.
    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    /// Whether the value is null.
    package var isNull: Bool {
        bytes.elementsEqual("null".utf8)
    }

    /// Whether the value begins as an array.
    package var isArray: Bool {
        bytes.first == UInt8(ascii: "[")
    }

    /// Whether the value begins as an object.
    package var isObject: Bool {
        bytes.first == UInt8(ascii: "{")
    }

    /// Returns the members of an object by name.
    ///
    /// - Throws: A fault if the value is not an object, or if a name occurs twice.
    package func members() throws(JSONReader.Fault) -> [String: JSONSlice] {
        var reader = JSONReader(bytes)
        var members: [String: JSONSlice] = [:]
        try reader.expect("{")
        if !reader.take("}") {
            repeat {
                let name = try JSONSlice(reader.value()).text()
                try reader.expect(":")
                let value = JSONSlice(try reader.value())
                guard members.updateValue(value, forKey: name) == nil else {
                    throw reader.fault(.repeatedName(name))
                }
            } while reader.take(",")
            try reader.expect("}")
        }
        try reader.expectEnd()
        return members
    }

    /// Returns the elements of an array.
    ///
    /// - Throws: A fault if the value is not an array.
    package func elements() throws(JSONReader.Fault) -> [JSONSlice] {
        var reader = JSONReader(bytes)
        var elements: [JSONSlice] = []
        try reader.expect("[")
        if !reader.take("]") {
            repeat { elements.append(JSONSlice(try reader.value())) } while reader.take(",")
            try reader.expect("]")
        }
        try reader.expectEnd()
        return elements
    }

    /// Returns the text of a JSON string, which may contain U+0000.
    ///
    /// - Throws: A fault if the value is not a string.
    package func text() throws(JSONReader.Fault) -> String {
        var reader = JSONReader(bytes)
        let text = try reader.text(allowsNUL: true)
        try reader.expectEnd()
        return text
    }

    /// Returns the number.
    ///
    /// - Throws: A fault if the value is not a finite number.
    package func number() throws(JSONReader.Fault) -> Double {
        var reader = JSONReader(bytes)
        let number = try reader.number()
        try reader.expectEnd()
        return number
    }
}
