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
    subscript(name: String) -> XMLNode? { children.first { $0.name == name } }

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

    /// Maximum number of elements in a tree, because trees are in memory.
    private static let nodeLimit = 1_000_000

    /// Whether a tree is being built, so that the builder must receive all events.
    var isActive: Bool { !stack.isEmpty }

    /// Adds an event.
    ///
    /// The first event must be the start of the element to build.
    ///
    /// - Returns: The tree at the end of its element, otherwise `nil`.
    /// - Throws: `xml-invalid` if the tree has more than a million elements.
    mutating func add(_ event: XMLReader.Event) throws(HabitError) -> XMLNode? {
        switch event {
        case .start(let tag):
            nodeCount += 1
            guard nodeCount <= Self.nodeLimit else {
                throw HabitError(.xmlInvalid, "an element has more than \(Self.nodeLimit) elements")
            }
            stack.append(XMLNode(name: tag.name, attributes: tag.attributes))
        case .text(let bytes):
            if !stack.isEmpty { stack[stack.count - 1].text += String(decoding: bytes, as: UTF8.self) }
        case .end:
            guard let node = stack.popLast() else { return nil }
            if stack.isEmpty {
                nodeCount = 0
                return node
            }
            stack[stack.count - 1].children.append(node)
        }
        return nil
    }
}
