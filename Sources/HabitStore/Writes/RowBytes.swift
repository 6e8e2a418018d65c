import Geo
import StoreEngine

/// The values of a row as bytes, which are equal for a stored row and a record with equal values.
///
/// Rows with different values have different bytes, because each value begins with a mark of its type and each text
/// with its length.
final class RowBytes {
    private enum Mark: UInt8 {
        case null
        case integer
        case number
        case text
        case blob
        case point
    }

    private let bytes = GrowableByteBuffer(capacity: 1 << 10)

    /// The bytes of the values that were appended since the last call of ``removeAll()``.
    var all: UnsafeRawBufferPointer { bytes.all }

    /// Removes the bytes of all values.
    func removeAll() { bytes.removeAll() }

    /// Appends the value of a column.
    func append(_ row: any Row, at index: Int) {
        switch row.storage(index) {
        case .null:
            bytes.append(Mark.null.rawValue)
        case .integer:
            add(.integer, row.integer(index))
        case .number:
            add(.number, row.number(index).bitPattern)
        case .text:
            _ = row.readText(index) { text in add(.text, text.bytes) }
        case .blob:
            if let position = row.position(index) {
                add(position)
            } else {
                add(.blob, row.blob(index).span.bytes)
            }
        }
    }

    /// Appends a value.
    func append(_ value: Value) {
        switch value {
        case .null:
            bytes.append(Mark.null.rawValue)
        case .integer(let value):
            add(.integer, value)
        case .number(let value):
            add(.number, value.bitPattern)
        case .text(let text):
            add(.text, text.utf8.span.bytes)
        case .blob(let value):
            add(.blob, value.span.bytes)
        case .point(let position):
            add(position)
        }
    }

    private func add(_ mark: Mark, _ value: some FixedWidthInteger & BitwiseCopyable) {
        bytes.append(mark.rawValue)
        bytes.append(value)
    }

    /// Appends the content after its length, so different rows never have the same bytes.
    private func add(_ mark: Mark, _ content: RawSpan) {
        add(mark, content.byteCount)
        content.withUnsafeBytes { content in
            _ = bytes.append(contentsOf: content)
        }
    }

    private func add(_ position: Position) {
        add(.point, position.longitude.bitPattern)
        bytes.append(position.latitude.bitPattern)
    }
}
