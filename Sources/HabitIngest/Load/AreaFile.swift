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
        let source = try ByteSource(path: path)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try source.read(into: &piece)
            if count == 0 { break }
            bytes.append(contentsOf: piece[..<count])
            guard bytes.count <= Area.maximumBytes else {
                throw HabitError(.formatMismatch, "\(AreaError.tooLarge)", file: path)
            }
        }
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    }
}
