import HTTPTypes
import HabitModel
import Hummingbird
import Rendering
import StoreEngine

/// The API document as a page for people (the link `service-doc` of OGC API - Features).
struct APIPage {
    private let document: JSON

    init(_ document: JSON) { self.document = document }

    private static let shape = ResultShape(
        columns: ["method", "path", "summary", "description", "parameters"].enumerated().map { index, name in
            Column(name, .text, at: index)
        })

    /// Returns the page.
    ///
    /// - Throws: An error of the renderer.
    func html() throws -> [UInt8] {
        var options = RenderOptions()
        options.page.title = "Habitat API"
        options.page.description =
            "The operations of the server. Programs read the OpenAPI document at the same address, without 'f=html'."
        let output = OutputBuffer()
        try OutputFormat.html.renderer(for: Self.shape, options: options, into: output).render(rows)
        return output.contents
    }

    /// One row for each operation, sorted by path.
    private var rows: [ValueRow] {
        paths.sorted { $0.key < $1.key }.flatMap { path, item -> [ValueRow] in
            guard case .object(let operations) = item else { return [] }
            return operations.sorted { $0.key < $1.key }.compactMap { method, operation in
                guard case .object = operation else { return nil }
                let texts = [
                    method.uppercased(), path, operation["summary"].text ?? "", operation["description"].text ?? "",
                    operation["parameters"].elements.compactMap { $0["name"].text }.joined(separator: ", "),
                ]
                return ValueRow(texts.map { .text($0) })
            }
        }
    }

    private var paths: [String: JSON] { if case .object(let paths) = document["paths"] { paths } else { [:] } }
}
