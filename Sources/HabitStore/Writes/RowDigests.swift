import Geo
import StoreEngine

/// What the rows of a table hold, in 128 bits each, so that a load in which most rows come again finds them in memory
/// instead of each in the store.
///
/// The digests are two SipHashes with keys that only this process has: that a row which differs has the same ones is not to
/// be expected (2⁻¹²⁸ for each pair of rows, whoever wrote them). Memory: 32 to 48 bytes a row.
final class RowDigests {
    /// The columns that are compared: those that the load gives.
    private let places: [Int]
    private var numbers = KeyTable()
    /// By the rows' numbers.
    private var rows: [(key: Int64, second: UInt64)] = []
    private let bytes = ByteStack(capacity: 1 << 10)

    /// Reads all rows; `places` are those of the columns that count. Costs a walk over the table.
    init(_ session: any Session, table: String, columns: [String], places: [Int]) throws {
        self.places = places
        let names = places.map { columns[$0] }
        try session.query(SQL("SELECT id, \(names.joined(separator: ", ")) FROM \(table)")) { row in
            let (first, second) = digest(row)
            numbers.insert(first)
            rows.append((row.integer(0), second))
            return true
        }
    }

    /// The key of a row that held exactly these values when it was read; nil where there was none, or where other columns are
    /// given than those that were read.
    func key(_ values: [Value?]) -> Int64? {
        guard let (first, second) = digest(values) else { return nil }
        return numbers.firstCandidate(first) { number in
            let row = rows[number - 1]
            return row.second == second ? row.key : nil
        }
    }

    // MARK: The bytes of a row, the same for one that is stored and one that comes

    private enum Mark: UInt8 { case null, integer, number, text, blob, point }

    private func digest(_ row: any Row) -> (UInt64, UInt64) {
        bytes.removeAll()
        for index in 1...places.count {
            switch row.storage(index) {
            case .null: bytes.append(Mark.null.rawValue)
            case .integer: add(.integer, row.integer(index))
            case .number: add(.number, row.number(index).bitPattern)
            case .text: _ = row.readText(index) { add(.text, $0.bytes) }
            case .blob:
                if let position = row.position(index) {
                    add(position)
                } else {
                    add(.blob, row.blob(index).span.bytes)
                }
            }
        }
        return digest()
    }

    private func digest(_ values: [Value?]) -> (UInt64, UInt64)? {
        bytes.removeAll()
        var given = 0
        for place in values.indices {
            guard let value = values[place] else { continue }
            guard given < places.count, places[given] == place else { return nil }
            given += 1
            switch value {
            case .null: bytes.append(Mark.null.rawValue)
            case .integer(let value): add(.integer, value)
            case .number(let value): add(.number, value.bitPattern)
            case .text(let text): add(.text, text.utf8.span.bytes)
            case .blob(let value): add(.blob, value.span.bytes)
            case .point(let position): add(position)
            }
        }
        return given == places.count ? digest() : nil
    }

    private func add(_ mark: Mark, _ value: some FixedWidthInteger & BitwiseCopyable) {
        bytes.append(mark.rawValue)
        bytes.append(value)
    }

    /// The length goes first, so that no two rows have the same bytes.
    private func add(_ mark: Mark, _ content: RawSpan) {
        add(mark, content.byteCount)
        content.withUnsafeBytes { _ = bytes.append(contentsOf: $0) }
    }

    private func add(_ position: Position) {
        add(.point, position.longitude.bitPattern)
        bytes.append(position.latitude.bitPattern)
    }

    private func digest() -> (UInt64, UInt64) {
        var first = Hasher()
        first.combine(bytes: bytes.all)
        var second = Hasher()
        second.combine(true)
        second.combine(bytes: bytes.all)
        return (UInt64(bitPattern: Int64(first.finalize())), UInt64(bitPattern: Int64(second.finalize())))
    }
}
