import Foundation
import Geo
import HabitModel

/// From what people type to values; what cannot be meant is refused with how to write it.
enum Parse {
    static func day(_ text: String, option: String) throws -> Day {
        guard let day = Day(text) else {
            throw HabitError(.dateInvalid, "'\(text)' is not a date: write YYYY-MM-DD", field: option)
        }
        return day
    }

    static func instant(_ text: String, option: String) throws -> OffsetInstant {
        guard let instant = OffsetInstant(text) else {
            throw HabitError(
                .dateInvalid, "'\(text)' is not an instant: write RFC 3339, such as 2026-11-20T18:00:00Z", field: option
            )
        }
        return instant
    }

    static func position(_ text: String, option: String) throws -> Position {
        if let position = Position(latitudeCommaLongitude: text) { return position }
        let text = text.trimmingCharacters(in: .whitespaces)
        let turned = text.split(separator: ",").reversed().joined(separator: ",")
        let hint = Position(latitudeCommaLongitude: turned) == nil ? "" : "; the latitude comes first"
        throw HabitError(
            .positionInvalid,
            "'\(text)' is not a position: write LATITUDE,LONGITUDE in degrees, such as 38.7223,-9.1393\(hint)",
            field: option)
    }

    static func distance(_ text: String, option: String) throws -> Distance {
        guard let distance = Distance(text) else {
            throw HabitError(
                .distanceInvalid, "'\(text)' is not a distance: write a number with a unit, such as 5km, 800m or 3mi",
                field: option)
        }
        return distance
    }

    static func box(_ text: String) throws -> BoundingBox {
        guard let box = BoundingBox(text) else {
            throw HabitError(
                .positionInvalid,
                "'\(text.trimmingCharacters(in: .whitespaces))' is not a bounding box: write WEST,SOUTH,EAST,NORTH in degrees, south below north, such as -9.3,38.6,-9.0,38.9",
                field: "bbox")
        }
        return box
    }

    /// The bytes of a file that is to be held in memory, `limit` at most.
    static func file(
        _ path: String, option: String, limit: Int, tooLarge: ErrorCode = .recordTooLong
    ) throws -> [UInt8] {
        guard !path.isEmpty else {
            throw HabitError(.inputNotFound, "the file's name is empty: name one with --\(option)", field: option)
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw HabitError(.inputNotFound, "there is no file '\(path)'", field: option, file: path)
        }
        guard !isFolder.boolValue else {
            throw HabitError(.inputNotFound, "'\(path)' is a folder: name a file in it", field: option)
        }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw HabitError(
                .inputUnreadable, "the file '\(path)' cannot be read: its permissions forbid it", field: option)
        }
        guard let data = try? file.read(upToCount: limit + 1) ?? Data() else {
            throw HabitError(.inputUnreadable, "reading '\(path)' failed", field: option)
        }
        guard data.count <= limit else {
            throw HabitError(
                tooLarge, "the file '\(path)' has more than \(limit >> 20) MiB: give a smaller one", field: option
            )
        }
        return Array(data)
    }

    static func searchText(_ text: String, option: String) throws -> String {
        guard !text.isEmpty else {
            throw HabitError(
                .searchTextEmpty, "the text to look for is empty: write what the comment holds", field: option)
        }
        return text
    }

    static func count(_ number: Int?, option: String) throws -> Int? {
        guard let number else { return nil }
        guard number > 0 else {
            throw HabitError(.parameterInvalid, "--\(option) must be 1 or more, not \(number)", field: option)
        }
        return number
    }
}
