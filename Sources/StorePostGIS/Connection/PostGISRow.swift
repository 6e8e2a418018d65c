import Base
import CPostgres
import Foundation
import Geo
import StoreEngine

/// The current row of a result, in the text format of the server.
struct PostGISRow: Row {
    let result: OpaquePointer
    /// The index of the row in `result`.
    var index: Int32 = 0

    /// Returns the text of a column with a NUL at its end, or `nil` if the result has no such row or column.
    private func value(_ column: Int) -> UnsafeMutablePointer<CChar>? {
        PQgetvalue(result, index, Int32(column))
    }

    func isNull(_ index: Int) -> Bool {
        PQgetisnull(result, self.index, Int32(index)) != 0
    }

    func integer(_ index: Int) -> Int64 {
        guard let text = value(index) else { return 0 }
        // The value of a boolean is 1 or 0, as in SQLite.
        if text[0] == CChar(bitPattern: UInt8(ascii: "t")) { return 1 }
        return strtoll(text, nil, 10)
    }

    func number(_ index: Int) -> Double {
        guard let text = value(index) else { return 0 }
        return strtod(text, nil)
    }

    func readText(_ index: Int, _ body: (Span<UInt8>) -> Void) -> Bool {
        guard !isNull(index), let text = value(index) else { return false }
        let count = Int(PQgetlength(result, self.index, Int32(index)))
        text.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
            body(UnsafeBufferPointer(start: bytes, count: count).span)
        }
        return true
    }

    func position(_ index: Int) -> Position? {
        let position = withText(index) { text in
            PointEWKB.position(hex: text)
        }
        return position ?? nil
    }

    /// Decodes the hexadecimal format: `\x`, then two digits per byte.
    func blob(_ index: Int) -> [UInt8] {
        let bytes = withText(index) { text in
            stride(from: 2, to: text.count - 1, by: 2).map { digit in
                Hexadecimal.byte(of: text, at: digit) ?? 0
            }
        }
        return bytes ?? []
    }

    func storage(_ index: Int) -> Storage {
        if isNull(index) { return .null }
        return switch PQftype(result, Int32(index)) {
        case PostGISType.bool, PostGISType.int2, PostGISType.int4, PostGISType.int8: .integer
        case PostGISType.float4, PostGISType.float8: .number
        case PostGISType.numeric: isInteger(index) ? .integer : .number
        case PostGISType.bytea: .blob
        // The type of geometry has no fixed number. As in SQLite, a point is a BLOB.
        case PostGISType.firstOfExtensions... where position(index) != nil: .blob
        default: .text
        }
    }

    /// Returns whether the text of a numeric value is an integer, like the sum of integers.
    private func isInteger(_ index: Int) -> Bool {
        guard let text = text(index) else { return false }
        return Int64(text) != nil
    }
}
