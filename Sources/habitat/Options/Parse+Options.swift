import Base
import Foundation
import Geo
import HabitModel

extension Parse {
    /// Reads a file into memory.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - option: The name of the option for the file, without dashes.
    ///   - limit: The maximum size, in bytes.
    ///   - tooLarge: The error code for a larger file.
    /// - Returns: The bytes of the file.
    /// - Throws: `input-not-found`, `input-unreadable`, and `tooLarge` for a larger file.
    static func file(
        _ path: String, option: String, limit: Int, tooLarge: ErrorCode = .recordTooLong
    ) throws -> [UInt8] {
        guard !path.isEmpty else {
            throw HabitError(.inputNotFound, "the file name is empty: pass a file with --\(option)", field: option)
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw HabitError(.inputNotFound, "the file does not exist", field: option, file: path)
        }
        guard !isFolder.boolValue else {
            throw HabitError(.inputNotFound, "'\(path)' is a folder: pass a file", field: option)
        }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw HabitError(
                .inputUnreadable, "no permission to read file '\(path)': change its permissions", field: option)
        }
        guard let data = try? file.read(upToCount: limit + 1) ?? Data() else {
            throw HabitError(.inputUnreadable, "reading '\(path)' failed", field: option)
        }
        guard data.count <= limit else {
            throw HabitError(
                tooLarge, "file '\(path)' is larger than \(limit >> 20) MiB: choose a smaller file", field: option,
                parameters: [.limit(limit)])
        }
        return Array(data)
    }

    /// Parses a duration of at most one day with its unit: `500ms`, `90s`, `20min` (or `20m`) or `1h`.
    ///
    /// - Throws: `parameter-invalid`.
    static func duration(_ text: String, option: String) throws -> Duration {
        let number = text.prefix { $0.isNumber || $0 == "." }
        let unit: Double? =
            switch text.dropFirst(number.count) {
            case "ms": 0.001
            case "s": 1
            case "m", "min": 60
            case "h": 3600
            default: nil
            }
        guard let value = Double(number), let unit, value * unit <= 86_400 else {
            let isNumber = Double(number) != nil && number.count == text.count
            throw HabitError(
                .parameterInvalid,
                isNumber
                    ? "the duration '\(text)' has no unit: write 500ms, 90s, 20min or 1h"
                    : "'\(text)' is not a duration of at most 24h: write 500ms, 90s, 20min or 1h",
                field: option)
        }
        return .seconds(value * unit)
    }

    /// Parses a number of bytes with its unit: `500kB`, `20MB`, `8GB` or `1TB`, in powers of 1,000.
    ///
    /// - Throws: `parameter-invalid`, also for more than 1,000 TB.
    static func size(_ text: String, option: String) throws -> Int {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit: Double? =
            switch text.dropFirst(number.count).lowercased() {
            case "b": 1
            case "kb": 1e3
            case "mb": 1e6
            case "gb": 1e9
            case "tb": 1e12
            default: nil
            }
        guard let value = Double(number), let unit, value * unit <= 1e15 else {
            throw HabitError(
                .parameterInvalid, "'\(text)' is not a size: write a number with a unit, such as 500MB or 20GB",
                field: option)
        }
        return Int(value * unit)
    }

    static func count(_ number: Int?, option: String) throws -> Int? {
        guard let number else { return nil }
        guard number > 0 else {
            throw HabitError(.parameterInvalid, "--\(option) must be 1 or more, not \(number)", field: option)
        }
        return number
    }
}
