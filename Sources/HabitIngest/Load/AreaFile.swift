import Base
import Geo
import HabitModel

/// A GeoJSON file with an area.
public enum AreaFile {
    /// Reads the area in a file.
    ///
    /// The file can be compressed with gzip.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: The union of the polygons in the file.
    /// - Throws: `format-mismatch` with the file if it is not an area or is too large, and the errors of ``ByteSource``.
    public static func read(_ path: String) throws -> Area {
        let text = try text(of: path)
        do throws(AreaError) { return try Area(geoJSON: text) } catch {
            throw HabitError(.formatMismatch, "\(error)", file: path)
        }
    }

    /// Reads the text of an area in a file, without a byte order mark.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: The bytes of the text. They are not checked.
    /// - Throws: `format-mismatch` if the file is too large, and the errors of ``ByteSource``.
    static func text(of path: String) throws -> ArraySlice<UInt8> {
        guard let bytes = try ByteSource(path: path).contents(most: Area.maximumBytes) else {
            throw HabitError(.formatMismatch, "\(AreaError.tooLarge)", file: path)
        }
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    }
}
