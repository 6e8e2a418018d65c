import Base
import HabitModel

/// An element of an XML document with its complete content.
struct XMLNode {
    /// The local name.
    var name: String
    /// The attributes by local name.
    var attributes: [String: String]
    /// The elements in this element, in their order.
    var children: [XMLNode] = []
    /// The text in this element, without the text of its children.
    var text = ""

    /// Returns the first child with a local name, or `nil` if there is no such child.
    subscript(name: String) -> XMLNode? {
        children.first { child in child.name == name }
    }

    /// Returns the trimmed text of the first child with a local name, or `nil` if it is missing or blank.
    func text(of name: String) -> String? {
        guard let text = self[name]?.text.trimmed, !text.isEmpty else { return nil }
        return text
    }
}

/// A builder of the trees of selected elements, from the events of an ``XMLReader``.
struct XMLTreeBuilder {
    private var stack: [XMLNode] = []
    private var nodeCount = 0
    /// The size of the names, the attributes and the texts in the tree, in bytes.
    private var size = 0

    /// Maximum number of elements in a tree, because trees are in memory.
    private static let nodeLimit = 1_000_000
    /// Maximum size of the names, the attributes and the texts in a tree, in bytes.
    private static let sizeLimit = 16 << 20

    /// Whether a tree is being built, so that the builder must receive all events.
    var isActive: Bool { !stack.isEmpty }

    /// Adds an event.
    ///
    /// The first event must be the start of the element to build.
    ///
    /// - Returns: The tree at the end of its element, otherwise `nil`.
    /// - Throws: `xml-invalid` if the tree has more than a million elements, an element with a text above 1 MiB, or more
    ///   than 16 MiB of names, attributes and texts.
    mutating func add(_ event: XMLReader.Event) throws(HabitError) -> XMLNode? {
        switch event {
        case .start(let tag):
            nodeCount += 1
            guard nodeCount <= Self.nodeLimit else {
                throw HabitError(
                    .xmlInvalid, "an element has more than \(Self.nodeLimit) elements: export the file again")
            }
            let node = XMLNode(name: tag.name, attributes: tag.attributes)
            try addSize(node.name.utf8.count)
            for attribute in node.attributes {
                try addSize(attribute.key.utf8.count + attribute.value.utf8.count)
            }
            stack.append(node)
        case .text(let bytes):
            guard !stack.isEmpty else { return nil }
            try addSize(bytes.count)
            stack[stack.count - 1].text += String(decoding: bytes, as: UTF8.self)
            guard stack[stack.count - 1].text.utf8.count <= XMLReader.textLimit else { throw XMLReader.textTooLong }
        case .end:
            guard let node = stack.popLast() else { return nil }
            if stack.isEmpty {
                nodeCount = 0
                size = 0
                return node
            }
            stack[stack.count - 1].children.append(node)
        }
        return nil
    }

    private mutating func addSize(_ count: Int) throws(HabitError) {
        size += count
        guard size <= Self.sizeLimit else {
            throw HabitError(
                .xmlInvalid, "an element contains more than \(Self.sizeLimit >> 20) MiB: export the file again")
        }
    }
}
