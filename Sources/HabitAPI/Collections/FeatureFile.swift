import Base
import HTTPServing
import HTTPTypes
import HabitStore
import Rendering
import StoreEngine

/// All features of a list as one Parquet file, for one viewer.
///
/// The file has the features, the properties and the geometries that the pages of the list have as GeoJSON. It comes from
/// the same query, so a viewer sees the same records and positions in both, and the statistics of the file cover no others.
struct FeatureFile: Sendable {
    let view: FeatureView
    /// The parsed request, whose form is ``FeatureForm/parquet``.
    let request: FeatureRequest

    /// Maximum number of features in a file, which is larger than any store.
    private static let maximumLimit = 1_000_000_000

    /// Returns the features of a file: all features, or as many as the parameter `limit` requests.
    ///
    /// - Parameter parameters: The query parameters of the request.
    /// - Returns: The only page of the list.
    /// - Throws: `parameter-invalid` if the request has a cursor, or if its limit is not a number.
    static func page(_ parameters: RequestParameters) throws -> Page {
        guard parameters[.after] == nil else {
            throw Problem.invalid(
                FeatureParameter.after.rawValue,
                "'after' does not apply to Parquet, which has no pages: omit it to get all features")
        }
        let limit = try FeatureRequest.count(parameters[.limit], .limit)
        return Page(limit: min(limit ?? maximumLimit, maximumLimit))
    }

    /// The header fields of the response.
    var headers: HTTPFields {
        let name = "\(view.collection.id).\(OutputFormat.parquet.fileEnding)"
        return [
            .contentType: request.form.mediaType.text,
            .contentDisposition: "attachment; filename=\"\(name)\"",
        ]
    }

    /// Writes the file while the rows are read, so that memory use depends only on the size of a row group.
    ///
    /// - Parameters:
    ///   - session: The session in which the rows are read.
    ///   - begin: Starts the response with the given header fields and returns the buffer of its body.
    /// - Throws: `parameter-invalid` for an unknown or repeated property, the errors of the query and those of `begin`.
    func write(in session: any Session, begin: (HTTPFields) throws -> OutputBuffer) throws {
        let selection = try view.list(try resolved(in: session), in: session)
        let shape = try shape(of: selection)
        let output = try begin(headers)
        let renderer = try ParquetRenderer(shape, request.renderOptions, output)
        try renderer.begin()
        let feature = view.rows(of: selection.shape)
        _ = try selection.read(request.page, in: session) { row in
            try renderer.append(feature(row))
        }
        try renderer.end()
    }

    /// Returns the request with its position and its condition.
    ///
    /// A file with a limit reads only the circle that contains its features, as a page does.
    private func resolved(in session: any Session) throws -> FeatureRequest {
        let isLimited = request.page.limit < Self.maximumLimit
        return isLimited ? try view.page(of: request, in: session) : try view.resolved(request, in: session)
    }

    /// Returns the requested properties and the geometry, which a file has like a feature of GeoJSON.
    private func shape(of selection: Selection) throws -> ResultShape {
        var shape = try view.shape(of: selection, properties: request.properties)
        let hasGeometry = shape.columns.contains { column in column.isCoordinate }
        let coordinate = view.columns(of: selection.shape).columns.first { column in column.isCoordinate }
        if !hasGeometry, let coordinate { shape.columns.append(coordinate) }
        return shape
    }
}

extension Column {
    /// Whether the geometry of a Parquet file replaces the column.
    fileprivate var isCoordinate: Bool { value == .longitude || value == .latitude }
}
