import Geo
import HabitModel
import StoreEngine

/// Rows as a GeoJSON FeatureCollection (RFC 7946), one Feature a line; with `single` the one row as a Feature.
///
/// Rows without a place are left out, unless the options say otherwise. `bbox` comes last, since it is known last;
/// it is absent where nothing is located.
public final class GeoJSONRenderer: Renderer {
    public private(set) var rowCount = 0
    public private(set) var unlocatedCount = 0
    private let features: FeatureWriter
    private let isSingle: Bool
    private let output: OutputBuffer
    private var extent = Extent()

    init(_ features: FeatureWriter, _ options: RenderOptions, _ output: OutputBuffer) {
        self.features = features
        isSingle = options.single
        self.output = output
    }

    /// Features of whatever has no place too, with a geometry of null.
    public convenience init(features shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        self.init(FeatureWriter(anyOf: shape, options), options, output)
    }

    public func begin() throws {
        if !isSingle { output.append(literal: Self.opening) }
    }

    public func append(_ row: some Row) throws {
        let (place, isWritten) = features.place(of: row)
        guard isWritten else {
            unlocatedCount += 1
            return
        }
        if isSingle {
            guard rowCount == 0 else { throw HabitError.secondRow }
        } else if rowCount == 0 {
            output.append(UInt8(ascii: "\n"))
        } else {
            output.append(literal: ",\n")
        }
        features.append(row, at: place, to: output)
        if !isSingle { output.append(UInt8(ascii: "}")) }
        if let place { extent.add(place) }
        rowCount += 1
        try output.flushIfFull()
    }

    public func end() throws { try end(adding: "") }

    /// Ends the collection, or the feature, with more members: none, or each with a comma in front.
    public func end(adding members: String) throws {
        if isSingle, rowCount == 0 { output.append(literal: Self.opening) }
        if rowCount > 0, !isSingle { output.append(UInt8(ascii: "\n")) }
        if !isSingle || rowCount == 0 { output.append(UInt8(ascii: "]")) }
        if let box = extent.box {
            output.append(UInt8(ascii: ","))
            features.append(box, to: output)
        }
        output.append(members)
        output.append(literal: "}\n")
    }

    private static var opening: StaticString { #"{"type":"FeatureCollection","features":["# }
}
