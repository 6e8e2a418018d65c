import Base
import HTTPServing
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// A file with the records of a layer of a shared view.
package struct SharedFile: Sendable {
    /// The kind of the records.
    let kind: ViewDefinition.Layer
    /// The format, which is also the end of the name.
    let format: OutputFormat

    /// The files of all layers, in the order of their names.
    package static let all: [SharedFile] = ViewDefinition.Layer.allCases.flatMap { kind in
        [OutputFormat.geojson, .csv, .parquet].map { format in
            SharedFile(kind: kind, format: format)
        }
    }

    /// The name of the file, such as `events.geojson`.
    package var name: String { "\(kind.rawValue).\(format.rawValue)" }

    /// Writes the records.
    ///
    /// - Parameters:
    ///   - layer: The layer of the kind.
    ///   - view: The view with the layer.
    ///   - session: The session in which the records are read.
    ///   - output: The buffer of the body.
    /// - Throws: The errors of the query and of the buffer.
    func write(_ layer: SharedLayer, of view: SharedView, in session: any Session, to output: OutputBuffer) throws {
        var options = RenderOptions()
        options.includeUnlocated = true
        // A reader of the file may open it in a spreadsheet, and the owner is a stranger to the reader.
        options.spreadsheetSafe = true
        let renderer = try format.renderer(for: layer.shape, options: options, into: output)
        try renderer.begin()
        try view.forEach(layer, in: session) { record in
            try renderer.append(record.row)
            return true
        }
        try renderer.end()
    }
}
