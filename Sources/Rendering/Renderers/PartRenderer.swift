/// A renderer whose rows can be rendered in parts, so that several threads can render one document.
public protocol PartRenderer: Renderer {
    /// Creates a renderer for rows of the same document that writes to another buffer.
    ///
    /// Call neither `begin()` nor `end()` of the new renderer. Any thread can call this method, also while another
    /// thread appends rows to this renderer.
    func part(into buffer: OutputBuffer) -> Self

    /// Appends the rows of a part after the rows that are already written.
    ///
    /// The document has the same bytes as if the rows were appended one by one.
    ///
    /// - Parameters:
    ///   - part: A renderer that ``part(into:)`` has created.
    ///   - buffer: The buffer of the part.
    /// - Throws: The errors of `append(_:)` for a row.
    func append(_ part: Self, in buffer: OutputBuffer) throws
}

/// Some rows of a document, which one thread renders and another thread appends to the document.
public final class DocumentPart {
    /// The renderer of the rows.
    public let renderer: any Renderer
    private let append: () throws -> Void

    /// Creates an empty part of the document of `renderer`.
    ///
    /// - Returns: The part, or `nil` if the format has no parts.
    public init?(of renderer: any Renderer) {
        guard let renderer = renderer as? any PartRenderer else { return nil }
        let opened = Self.open(renderer)
        self.renderer = opened.part
        append = opened.append
    }

    private static func open<Whole: PartRenderer>(
        _ renderer: Whole
    ) -> (part: any Renderer, append: () throws -> Void) {
        let buffer = OutputBuffer()
        let part = renderer.part(into: buffer)
        return (part, { try renderer.append(part, in: buffer) })
    }

    /// Appends the rows to the document.
    ///
    /// - Throws: The errors of the document's renderer.
    public func finish() throws { try append() }
}
