import Geo
import HTTPServing
import HabitModel
import HabitStore
import StoreEngine

/// The content of the page of a shared view: the newest records of each layer as texts, and their rounded positions.
package struct SharedViewContent: Sendable {
    /// A record on the page.
    package struct Record: Sendable {
        /// The title, or `nil` for a record without one.
        package let title: String?
        /// The other values for people, in the order of the columns.
        package let notes: [String]
        /// The rounded position, or `nil` for a record without a position that strangers see.
        package let position: Position?
        /// The word of the current status of the habit, or `nil` if the view does not show it.
        package let status: String?
    }

    /// The records of one kind.
    package struct Layer: Sendable {
        /// The kind of the records.
        package let kind: ViewDefinition.Layer
        /// The newest records.
        package let records: [Record]
        /// The number of all records.
        package let count: Int
        /// Whether the view has more than ``count`` records.
        package let isIncomplete: Bool
        /// The names of the files with all records.
        package let files: [String]
    }

    /// The maximum number of records of a layer on a page.
    package static let recordLimit = 500

    /// The layers that the server shows.
    package let layers: [Layer]
    /// The rounding of the positions.
    package let rounding: ViewDefinition.Rounding
    /// The addresses of the view.
    package let addresses: ViewAddresses
}

extension SharedViewReader {
    /// Reads the content of the page of a view.
    ///
    /// - Parameter call: The request.
    /// - Returns: The content.
    /// - Throws: The errors of ``openIgnoringParameters(_:)``.
    package func content(of call: Call) async throws -> SharedViewContent {
        let opened = try await openIgnoringParameters(call)
        let layers = try await read(for: call) { session in
            try opened.layers.map { layer in
                try SharedViewContent.Layer(layer, of: opened.view, in: session)
            }
        }
        return SharedViewContent(
            layers: layers,
            rounding: opened.view.definition.rounding,
            addresses: opened.addresses)
    }
}

extension SharedViewContent.Layer {
    /// Reads the newest records of a layer.
    fileprivate init(_ layer: SharedLayer, of view: SharedView, in session: any Session) throws {
        let summary = try view.summary(of: layer, in: session)
        var records: [SharedViewContent.Record] = []
        try view.forEach(layer, in: session) { record in
            records.append(SharedViewContent.Record(record, of: layer))
            return records.count < SharedViewContent.recordLimit
        }
        kind = layer.kind
        self.records = records
        count = summary.count
        isIncomplete = summary.isIncomplete
        files = SharedFile.all.filter { file in file.kind == layer.kind }.map(\.name)
    }
}

extension SharedViewContent.Record {
    fileprivate init(_ record: SharedRecord, of layer: SharedLayer) {
        title = record.text(layer.titleColumn)
        notes = layer.columns.dropFirst().compactMap { name in Self.note(name, of: record) }
        position = record.position
        status = record.text(HabitStatuses.column)
    }

    /// Returns the text of a column below the title of a record, or `nil` without a value.
    ///
    /// The unit of an amount follows the amount.
    private static func note(_ column: String, of record: SharedRecord) -> String? {
        guard let text = record.shownText(column), column != "unit" else { return nil }
        guard column == "amount", let unit = record.shownText("unit") else { return text }
        return "\(text) \(unit)"
    }
}
