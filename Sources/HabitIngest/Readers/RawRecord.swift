import HabitModel

/// One record as the input has it: a value for each field, and where it stood.
///
/// Readers fill the same record again and again, so that its storage is made once; a copy keeps its values.
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

    /// One bit for each field that has a value, at its ordinal.
    private var present: UInt64 = 0
    /// The index of the slot of each of these fields, one for each bit: a new field needs no change here.
    private var places = InlineArray<64, UInt8>(repeating: 0)
    /// In the order in which they were set, the first `count` being this record's: few fields of all are in any record, and
    /// there are many records at a time.
    private var slots: [Slot] = []
    private var count = 0
    private var bytes: [UInt8] = []

    public init() {}

    public subscript(field: Field) -> RawValue { contains(field) ? slots[Int(places[field.ordinal])].value : .absent }

    /// Whether the record says anything about `field`, be it null.
    public func contains(_ field: Field) -> Bool { present & (1 << UInt64(field.ordinal)) != 0 }

    /// The record as it stood, without its line end.
    public var original: String { String(decoding: bytes, as: UTF8.self) }

    /// The line, from 1, on which the value of `field` begins: a row of CSV may go over several.
    public func line(of field: Field) -> Int {
        guard let offset = offset(of: field) else { return line }
        return bytes.withUnsafeBufferPointer { line + lineEnds(in: UnsafeBufferPointer(rebasing: $0[..<offset])) }
    }

    /// The place in its line, from 1, in Unicode scalars, where the value of `field` begins; nil in JSON.
    public func column(of field: Field) -> Int? {
        guard let offset = offset(of: field) else { return nil }
        return bytes.withUnsafeBufferPointer { columnNumber(of: offset, in: $0) }
    }

    private func offset(of field: Field) -> Int? {
        guard contains(field) else { return nil }
        let offset = slots[Int(places[field.ordinal])].offset
        return offset >= 0 && Int(offset) <= bytes.count ? Int(offset) : nil
    }

    /// Forgets all values: the record that begins on `line` is `original`.
    mutating func begin(_ kind: RecordKind, line: Int, original: UnsafeBufferPointer<UInt8>) {
        self.kind = kind
        self.line = line
        (present, count) = (0, 0)
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: original)
    }

    /// Sets a value that begins `offset` bytes into the record.
    mutating func set(_ value: RawValue, for field: Field, at offset: Int? = nil) {
        let slot = Slot(
            value: value, offset: offset.map { Int32(truncatingIfNeeded: $0) } ?? Slot.unknownOffset)
        if contains(field) {
            slots[Int(places[field.ordinal])] = slot
            return
        }
        present |= 1 << UInt64(field.ordinal)
        places[field.ordinal] = UInt8(count)
        if count < slots.count { slots[count] = slot } else { slots.append(slot) }
        count += 1
    }
}
