import Base
import HabitModel
import StoreEngine

@testable import HabitIngest

/// The result of reading an input, in a form that tests can compare.
struct Reading: Equatable {
    struct Row: Equatable {
        var kind: RecordKind
        var line: Int
        var values: [Field: RawValue]
        var original: String

        subscript(field: Field) -> RawValue { values[field] ?? .absent }
    }

    var format: InputFormat
    var header: [String] = []
    var rows: [Row] = []
    var problems: [RowProblem] = []
    var unknownFields: [String] = []

    /// The values as text, which is equal in every format.
    var texts: [[Field: String]] {
        rows.map { row in
            row.values.compactMapValues { value in
                switch value {
                case .text(let text): text
                case .integer(let number): String(number)
                case .number(let number): String(number)
                case .boolean(let flag): String(flag)
                case .absent, .null, .nested: nil
                }
            }
        }
    }
}

extension RawRecord {
    var row: Reading.Row {
        let fields = Field.allCases.filter(contains)
        return Reading.Row(
            kind: kind, line: line, values: Dictionary(uniqueKeysWithValues: fields.map { ($0, self[$0]) }),
            original: original)
    }
}

/// Reads all bytes.
///
/// The source returns at most `chunk` bytes for each call.
func readAll(
    _ bytes: [UInt8], kind: RecordKind? = .events, format: InputFormat? = nil, strict: Bool = false,
    limit: Int = 1 << 20,
    chunk: Int = .max
) throws -> Reading {
    var options = ReaderOptions(kind: kind, format: format)
    options.strictColumns = strict
    options.recordLimit = limit
    return try readAll(source(bytes, chunk: chunk), options)
}

func readAll(
    _ text: String, kind: RecordKind? = .events, format: InputFormat? = nil, strict: Bool = false, limit: Int = 1 << 20,
    chunk: Int = .max
) throws -> Reading {
    try readAll(Array(text.utf8), kind: kind, format: format, strict: strict, limit: limit, chunk: chunk)
}

func readAll(_ source: ByteSource, _ options: ReaderOptions) throws -> Reading {
    let reader = try openReader(source, options)
    var reading = Reading(format: reader.format, header: reader.header)
    var record = RawRecord()
    while true {
        switch try reader.next(into: &record) {
        case .record: reading.rows.append(record.row)
        case .rejected(let problem): reading.problems.append(problem)
        case .end:
            reading.unknownFields = reader.unknownFields
            return reading
        }
    }
}

/// Returns a source that returns at most `chunk` bytes for each call.
func source(_ bytes: [UInt8], chunk: Int, name: String = "input") -> ByteSource {
    var position = 0
    return ByteSource(name: name, totalBytes: bytes.count) { buffer in
        let count = buffer.copyBeginning(of: bytes[position...].prefix(chunk))
        position += count
        return count
    }
}

/// Returns the error that `body` throws, or `nil` if it succeeds.
func failure(_ body: () throws -> Void) -> HabitError? {
    do {
        try body()
        return nil
    } catch {
        return error as? HabitError
    }
}

/// Returns `bytes` as one gzip member with stored blocks.
func gzipped(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    var rest = bytes[...]
    repeat {
        let block = rest.prefix(65_535)
        rest = rest.dropFirst(block.count)
        result.append(rest.isEmpty ? 1 : 0)
        result += littleEndian(UInt16(block.count)) + littleEndian(~UInt16(block.count)) + block
    } while !rest.isEmpty
    return result + littleEndian(checksum(bytes)) + littleEndian(UInt32(bytes.count))
}

private func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
}

/// Returns the CRC-32 of RFC 1952, section 8.
private func checksum(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
}
