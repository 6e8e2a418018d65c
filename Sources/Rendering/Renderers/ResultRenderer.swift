import StoreEngine

/// A renderer for a result whose columns are known only after its query has begun.
public final class ResultRenderer {
    private let make: (ResultShape) throws -> any Renderer
    private var renderer: (any Renderer)?

    /// Creates a renderer of one document.
    ///
    /// - Parameter make: Returns the renderer for the columns of the result. It is called once, by ``begin(_:)``.
    public init(_ make: @escaping (ResultShape) throws -> any Renderer) { self.make = make }

    /// Number of rows written so far.
    public var rowCount: Int { renderer?.rowCount ?? 0 }

    /// Begins the document.
    ///
    /// - Throws: The errors of the closure that makes the renderer, and of the output.
    public func begin(_ shape: ResultShape) throws {
        renderer = try make(shape)
        try renderer?.begin()
    }

    /// Appends one row.
    ///
    /// - Throws: An error of the output.
    public func append(_ row: any Row) throws { try renderer?.append(row) }

    /// Ends the document, if it has begun.
    ///
    /// - Throws: An error of the output.
    public func end() throws { try renderer?.end() }
}
