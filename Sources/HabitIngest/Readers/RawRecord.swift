import Base
import HabitModel

/// One record of an input: the value of each field before decoding, and its location in the input.
///
/// A reader fills the same record for each row, so that its storage is allocated once. A copy keeps its values.
public struct RawRecord: Sendable {
    /// The kind of the record.
    public private(set) var kind = RecordKind.users
    /// The line (from 1) on which the record begins.
    public private(set) var line = 0

    /// The error of a value that a converter could not read, or `nil` without an error.
    var problem: HabitError?
    /// Whether the record is from a file of rejected rows, which has every field of its kind.
    var isRejectedRow = false
    /// Whether an empty outcome means "not done", as in the tables of other programs.
    var isEmptyOutcomeNotDone = false

    private struct Slot {
        var value = RawValue.absent
        /// The byte offset of the value in the record, or a negative number if the offset is unknown.
        var offset: Int32 = Self.unknownOffset

        static let unknownOffset: Int32 = -1
    }

    /// The slot number (from 1) of each field, or 0 if the record has no value for the field.
    private var slotNumbers = [UInt8](repeating: 0, count: Field.allCases.count)
    /// The values in the order in which they were set.
    ///
    /// The first `count` slots belong to this record.
    ///
    /// A slot for each possible field would waste memory. A record has values for few fields, and many records are in
    /// memory at a time.
    private var slots: [Slot] = []
    private var count = 0
    private var bytes: [UInt8] = []

    /// Creates a record without values.
    public init() {}

    /// The value of `field`, or `.absent` if the record has no value for it.
    ///
    /// - Parameter field: The field to read.
    public subscript(field: Field) -> RawValue { slotIndex(of: field).map { slots[$0].value } ?? .absent }

    /// Whether the record has a value for `field`, which may be null.
    public func contains(_ field: Field) -> Bool { slotNumbers[field.rawValue] != 0 }

    /// Whether the record has no value for `field` or the value null.
    public func isMissingOrNull(_ field: Field) -> Bool {
        switch self[field] {
        case .absent, .null: true
        default: false
        }
    }

    private func slotIndex(of field: Field) -> Int? {
        let number = Int(slotNumbers[field.rawValue])
        return number == 0 ? nil : number - 1
    }

    /// The text of the record, without its line end.
    public var original: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns the line (from 1) on which the value of `field` begins.
    ///
    /// A CSV row may span several lines.
    public func line(of field: Field) -> Int {
        guard let offset = offset(of: field) else { return line }
        return line + lineEnds(in: bytes.span.extracting(first: offset))
    }

    /// Returns the column (from 1, in Unicode scalars) at which the value of `field` begins, or `nil` in JSON.
    public func column(of field: Field) -> Int? {
        guard let offset = offset(of: field) else { return nil }
        return columnNumber(of: offset, in: bytes.span)
    }

    private func offset(of field: Field) -> Int? {
        guard let index = slotIndex(of: field) else { return nil }
        let offset = slots[index].offset
        return offset >= 0 && Int(offset) <= bytes.count ? Int(offset) : nil
    }

    /// Removes all values and starts a record that begins on `line` and has the text `original`.
    mutating func begin(_ kind: RecordKind, line: Int, original: Span<UInt8>) {
        self.kind = kind
        self.line = line
        for index in slotNumbers.indices { slotNumbers[index] = 0 }
        count = 0
        problem = nil
        isRejectedRow = false
        isEmptyOutcomeNotDone = false
        bytes.removeAll(keepingCapacity: true)
        original.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    /// Sets the value of `field`, which begins `offset` bytes after the start of the record.
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

    /// Replaces the value of a field that the record contains.
    ///
    /// Its location is unchanged.
    mutating func replace(_ value: RawValue, for field: Field) {
        if let index = slotIndex(of: field) { slots[index].value = value }
    }
}
