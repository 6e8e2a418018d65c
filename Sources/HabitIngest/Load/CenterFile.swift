import Base
import Geo
import HabitModel

/// A file of positions for a distance search, each with an ID.
///
/// The file is CSV with the columns `id`, `longitude` and `latitude`, or any other input format with located records.
public enum CenterFile {
    /// A position with its ID.
    public struct Center: Sendable, Equatable {
        /// The ID of the position in the file.
        public var id: String
        /// The position to search around.
        public var position: Position
    }

    /// Opens the file.
    ///
    /// An error offers only remedies that apply to every command, because a file of positions has no options.
    private static func reader(of path: String) throws -> any RecordReader {
        do {
            return try openReader(try ByteSource(path: path), ReaderOptions(kind: .posts))
        } catch var error as HabitError {
            error.remedies.removeAll { if case .give = $0 { true } else { false } }
            throw error
        }
    }

    /// Reads the positions of a file.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: The positions in the order of the file.
    /// - Throws: An error with the file and line if a row has no valid ID or position, or an error of
    ///   ``openReader(_:_:)``.
    public static func read(_ path: String) throws -> [Center] {
        // The kind `posts` has an ID and a position. The reader does not check required fields, so `user` may be
        // missing.
        let reader = try reader(of: path)
        let columns = Set(reader.header.compactMap { Field(spelling: $0, in: .posts) })
        guard reader.header.isEmpty || columns.isSuperset(of: [.id, .longitude, .latitude]) else {
            throw HabitError(
                .headerInvalid, "the file has no columns id, longitude and latitude: add the missing columns",
                file: path, line: 1)
        }
        var centers: [Center] = []
        var record = RawRecord()
        while true {
            switch try reader.next(into: &record) {
            case .end: return centers
            case .rejected(let problem):
                throw HabitError(problem.code, problem.reason, field: problem.field, file: path, line: problem.line)
            case .record:
                do throws(HabitError) {
                    guard let position = try record.position().value else {
                        throw HabitError(
                            .positionInvalid, "the position is missing: add longitude and latitude",
                            field: Field.longitude.name)
                    }
                    centers.append(Center(id: try record.id(.id), position: position))
                } catch {
                    var located = error
                    located.file = path
                    located.line = record.line
                    throw located
                }
            }
        }
    }
}
