import Base
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// The GeoJSON features of the records that clients copy.
enum SyncedFeature {
    /// Returns the feature of a row, which a line of a stream or of NDJSON can contain.
    ///
    /// - Parameters:
    ///   - row: The row of a record.
    ///   - shape: The shape of the row.
    /// - Returns: The feature in one line.
    /// - Throws: An error of the renderer.
    static func bytes(_ row: any Row, _ shape: ResultShape) throws -> [UInt8] {
        let output = OutputBuffer()
        try SingleFeature.write(row, shape: shape, adding: "", to: output)
        let newline = UInt8(ascii: "\n")
        let feature = output.contents.trimmingSuffix { byte in byte == newline }
        return Array(feature)
    }
}
