import CSimdJSON

/// A value in a parsed JSON document.
///
/// A node is valid only until the parser parses the next text, and in the closures that receive it.
package struct JSONNode {
    private let node: habitat_json_node

    init(_ node: habitat_json_node) {
        self.node = node
    }

    /// Returns the member of an object, or `nil` if the node is not an object, or the member is missing or null.
    package subscript(name: String) -> JSONNode? {
        var name = name
        var member = habitat_json_node()
        let isFound = name.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                habitat_json_node_member(node, $0.baseAddress, $0.count, &member) != 0
            }
        }
        guard isFound else { return nil }
        let found = JSONNode(member)
        return found.isNull ? nil : found
    }

    /// Whether the value is null.
    package var isNull: Bool {
        habitat_json_node_value(node).type == HABITAT_JSON_NULL
    }

    /// The text, or `nil` if the value is not a string.
    package var text: String? {
        let value = habitat_json_node_value(node)
        guard value.type == HABITAT_JSON_TEXT else { return nil }
        return String(decoding: UnsafeRawBufferPointer(start: value.text, count: value.text_length), as: UTF8.self)
    }

    /// The Boolean, or `nil` if the value is not a Boolean.
    package var boolean: Bool? {
        switch habitat_json_node_value(node).type {
        case HABITAT_JSON_TRUE: true
        case HABITAT_JSON_FALSE: false
        default: nil
        }
    }

    /// Whether the value is a number, and not a string.
    package var isNumber: Bool {
        let type = habitat_json_node_value(node).type
        return type == HABITAT_JSON_INTEGER || type == HABITAT_JSON_DOUBLE
    }

    /// The number, also if it is written as a string, or `nil` if the value is not a finite number.
    package var number: Double? {
        let value = habitat_json_node_value(node)
        switch value.type {
        case HABITAT_JSON_INTEGER: return Double(value.integer)
        case HABITAT_JSON_DOUBLE: return value.number
        case HABITAT_JSON_TEXT: return text.flatMap { Double(decimal: $0) }
        default: return nil
        }
    }

    /// The integer, also if it is written as a string or as a decimal number without a fraction.
    package var integer: Int64? {
        let value = habitat_json_node_value(node)
        if value.type == HABITAT_JSON_INTEGER { return value.integer }
        if value.type == HABITAT_JSON_TEXT, let integer = text.flatMap({ Int64($0) }) { return integer }
        return number.flatMap { Int64(exactly: $0) }
    }

    /// The text, or the digits of a number, or `nil` for any other value.
    package var anyText: String? {
        let value = habitat_json_node_value(node)
        return switch value.type {
        case HABITAT_JSON_INTEGER: String(value.integer)
        case HABITAT_JSON_DOUBLE: String(value.number)
        default: text
        }
    }

    /// Whether the value is an array.
    package var isArray: Bool {
        var first = habitat_json_node()
        var end = habitat_json_node()
        return habitat_json_array(node, &first, &end) != 0
    }

    /// Whether the value is an object.
    package var isObject: Bool {
        var first = habitat_json_node()
        var end = habitat_json_node()
        return habitat_json_object(node, &first, &end) != 0
    }

    /// The items of an array, or an empty list if the value is not an array.
    package var items: [JSONNode] {
        var item = habitat_json_node()
        var end = habitat_json_node()
        guard habitat_json_array(node, &item, &end) != 0 else { return [] }
        var items: [JSONNode] = []
        while item.index != end.index {
            items.append(JSONNode(item))
            item = habitat_json_next_item(item)
        }
        return items
    }

    /// The members of an object in their order, or an empty list if the value is not an object.
    package var members: [(name: String, value: JSONNode)] {
        var member = habitat_json_node()
        var end = habitat_json_node()
        guard habitat_json_object(node, &member, &end) != 0 else { return [] }
        var members: [(name: String, value: JSONNode)] = []
        while member.index != end.index {
            var name: UnsafePointer<CChar>?
            var length = 0
            var value = habitat_json_node()
            member = habitat_json_next_member(member, &name, &length, &value)
            let text = String(decoding: UnsafeRawBufferPointer(start: name, count: length), as: UTF8.self)
            members.append((text, JSONNode(value)))
        }
        return members
    }
}
