import Geo
import HabitModel

/// A file of places to ask about, each with an id: CSV with the columns id, longitude and latitude, or any other format
/// that holds located records.
public enum CenterFile {
    public struct Center: Sendable, Equatable {
        public var id: String
        public var position: Position
    }

    /// Throws an error that names the file and the line where a row is not such a place.
    public static func read(_ path: String) throws -> [Center] {
        // A post is what has an id, a place, and nothing else that must be there.
        let reader = try openReader(try ByteSource(path: path), ReaderOptions(kind: .posts))
        let columns = Set(reader.header.compactMap { Field(spelling: $0, in: .posts) })
        guard reader.header.isEmpty || columns.isSuperset(of: [.id, .longitude, .latitude]) else {
            throw HabitError(
                .headerInvalid, "a file of places needs the columns id, longitude and latitude", file: path, line: 1)
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
                        throw HabitError(.positionInvalid, "the place is missing", field: Field.longitude.name)
                    }
                    centers.append(Center(id: try record.id(.id), position: position))
                } catch {
                    var located = error
                    located.message = "\(path):\(record.line): \(error.message)"
                    (located.file, located.line) = (path, record.line)
                    throw located
                }
            }
        }
    }
}
