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

    func isNull(_ index: Int) -> Bool { PQgetisnull(result, self.index, Int32(index)) != 0 }

    func integer(_ index: Int) -> Int64 {
        guard let text = PQgetvalue(result, self.index, Int32(index)) else { return 0 }
        // The value of a boolean is 1 or 0, as in SQLite.
        if text[0] == CChar(bitPattern: UInt8(ascii: "t")) { return 1 }
        return strtoll(text, nil, 10)
    }

    func number(_ index: Int) -> Double { PQgetvalue(result, self.index, Int32(index)).map { strtod($0, nil) } ?? 0 }

    func readText(_ index: Int, _ body: (Span<UInt8>) -> Void) -> Bool {
        guard !isNull(index), let text = PQgetvalue(result, self.index, Int32(index)) else { return false }
        let count = Int(PQgetlength(result, self.index, Int32(index)))
        text.withMemoryRebound(to: UInt8.self, capacity: count) {
            body(UnsafeBufferPointer(start: $0, count: count).span)
        }
        return true
    }

    func position(_ index: Int) -> Position? { withText(index) { PointEWKB.position(hex: $0) } ?? nil }

    /// Decodes the hexadecimal format: `\x`, then two digits per byte.
    func blob(_ index: Int) -> [UInt8] {
        withText(index) { text in
            stride(from: 2, to: text.count - 1, by: 2).map { Hexadecimal.byte(text[$0], text[$0 + 1]) ?? 0 }
        } ?? []
    }

    func storage(_ index: Int) -> Storage {
        if isNull(index) { return .null }
        return switch PQftype(result, Int32(index)) {
        case PostGISType.bool, PostGISType.int2, PostGISType.int4, PostGISType.int8: .integer
        case PostGISType.float4, PostGISType.float8: .number
        // The sum of integers is numeric too.
        case PostGISType.numeric: text(index).flatMap { Int64($0) } == nil ? .number : .integer
        case PostGISType.bytea: .blob
        // The type of geometry has no fixed number. As in SQLite, a point is a BLOB.
        case PostGISType.firstOfExtensions... where position(index) != nil: .blob
        default: .text
        }
    }
}
