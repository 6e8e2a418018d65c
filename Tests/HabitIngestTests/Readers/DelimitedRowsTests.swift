import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests of reading CSV that the program has written.
@Suite(.engineIndependent) struct DelimitedRowsTests {
    private static func rows(_ text: String) throws -> [[String?]] {
        var reader = DelimitedRows(Array(text.utf8)[...])
        var rows: [[String?]] = []
        while let row = try reader.next() {
            let texts = row.map { cell in cell.map { String(decoding: $0, as: UTF8.self) } }
            rows.append(texts)
        }
        return rows
    }

    @Test func emptyCellIsNullAndQuotedEmptyCellIsText() throws {
        #expect(try Self.rows("a,b\n,\"\"\n") == [["a", "b"], [nil, ""]])
    }

    @Test func emptyLineIsRowOfOneNull() throws {
        #expect(try Self.rows("a\n\n") == [["a"], [nil]])
    }

    @Test func quotedCellMayContainLineEndsAndQuotes() throws {
        #expect(try Self.rows("\"a\r\n\"\"b\"\"\",c\r\n") == [["a\r\n\"b\"", "c"]])
    }

    @Test(arguments: ["a,b", "a\n\"b", "a\n\"b\"c\n", "a\nb\"c\n"]) func malformedRowIsRefused(text: String) {
        #expect(throws: DelimitedRows.MalformedRow.self) { try Self.rows(text) }
    }

    @Test func offsetsCountBytesOfText() throws {
        let text = Array("ab,c\n\"d\ne\",f\n".utf8)
        var reader = DelimitedRows(text[...])
        _ = try reader.next()
        #expect(reader.offset == 5)
        #expect(reader.line == 1)
        _ = try reader.next()
        #expect(reader.offset == text.count)
        #expect(reader.line == 2)
        #expect(try reader.next() == nil)
    }

    /// Offsets must refer to the input bytes, so nothing is decompressed.
    @Test func textWithGzipSignatureIsNotDecompressed() throws {
        let text: [UInt8] = [0x1F, 0x8B, UInt8(ascii: ","), UInt8(ascii: "x"), UInt8(ascii: "\n")]
        var reader = DelimitedRows(text[...])
        #expect(try reader.next() == [[0x1F, 0x8B], [UInt8(ascii: "x")]])
        #expect(reader.offset == text.count)
    }
}
