import HabitModel

/// One record as the input has it: the value of each field, and its position in the input.
///
/// A reader fills the same record for each row, so that the storage is allocated once. A copy keeps its values.
public struct RawRecord: Sendable {
    public private(set) var kind = RecordKind.users
    /// The line, from 1, on which the record begins.
    public private(set) var line = 0

    private struct Slot {
        var value = RawValue.absent
        /// Where in the record its value begins; negative where that is not known.
        var offset: Int32 = Self.unknownOffset

        static let unknownOffset: Int32 = -1
    }

    /// For each field, the number of its slot from 1, or 0 if the record has no value for it.
    private var slotNumbers = [UInt8](repeating: 0, count: Field.allCases.count)
    /// The values in the order in which they were set. The first `count` belong to this record: a record has few of all fields,
    /// and many records are in memory at a time.
    private var slots: [Slot] = []
    private var count = 0
    private var bytes: [UInt8] = []

    public init() {}

    public subscript(field: Field) -> RawValue { slotIndex(of: field).map { slots[$0].value } ?? .absent }

    /// Whether the record has a value for `field`, which may be null.
    public func contains(_ field: Field) -> Bool { slotNumbers[field.rawValue] != 0 }

    private func slotIndex(of field: Field) -> Int? {
        let number = Int(slotNumbers[field.rawValue])
        return number == 0 ? nil : number - 1
    }

    /// The record as it stood, without its line end.
    public var original: String { String(decoding: bytes, as: UTF8.self) }

    /// The line, from 1, on which the value of `field` begins: a row of CSV may go over several.
    public func line(of field: Field) -> Int {
        guard let offset = offset(of: field) else { return line }
        return line + lineEnds(in: bytes.span.extracting(first: offset))
    }

    /// The place in its line, from 1, in Unicode scalars, where the value of `field` begins; nil in JSON.
    public func column(of field: Field) -> Int? {
        guard let offset = offset(of: field) else { return nil }
        return columnNumber(of: offset, in: bytes.span)
    }

    private func offset(of field: Field) -> Int? {
        guard let index = slotIndex(of: field) else { return nil }
        let offset = slots[index].offset
        return offset >= 0 && Int(offset) <= bytes.count ? Int(offset) : nil
    }

    /// Forgets all values: the record that begins on `line` is `original`.
    mutating func begin(_ kind: RecordKind, line: Int, original: Span<UInt8>) {
        self.kind = kind
        self.line = line
        for index in slotNumbers.indices { slotNumbers[index] = 0 }
        count = 0
        bytes.removeAll(keepingCapacity: true)
        original.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    /// Sets a value that begins `offset` bytes into the record.
    mutating func set(_ value: RawValue, for field: Field, at offset: Int? = nil) {
        let slot = Slot(
            value: value, offset: offset.map { Int32(truncatingIfNeeded: $0) } ?? Slot.unknownOffset)
        if let index = slotIndex(of: field) {
            slots[index] = slot
            return
        }
        if count < slots.count { slots[count] = slot } else { slots.append(slot) }
        count += 1
        slotNumbers[field.rawValue] = UInt8(count)
    }
}
