import Base
import Foundation
import HabitModel
import StoreEngine

/// The position of a row in a sorted result, used for keyset pagination.
///
/// A cursor contains the row's values in the sort columns. The last sort column is unique, so a cursor identifies one
/// row.
public struct Cursor: Sendable, Equatable, CustomStringConvertible {
    let values: [Value]

    /// Creates the cursor of `row`, which must be a row of `selection`.
    public init(of row: some Row, in selection: Selection) { values = selection.cursor.map(row.value) }

    /// The value of the first sort column if it is a date, otherwise `nil`.
    var day: Day? {
        guard case .text(let text)? = values.first else { return nil }
        return Day(text)
    }

    /// Parses the text form of a cursor.
    ///
    /// - Parameter text: A value of ``description``.
    /// - Throws: `parameter-invalid` if `text` is not a cursor.
    public init(_ text: String) throws {
        guard let data = Data(base64URLEncoded: text) else { throw Self.invalid }
        // The bytes are split before they become text, because a text may begin with a combining character.
        let words = data.split(separator: Self.separator, omittingEmptySubsequences: false)
        values = try words.map(Self.value)
    }

    /// The text form of the cursor, encoded as base64url.
    ///
    /// It is safe in a URL.
    public var description: String {
        let words = values.map { value in Array(Self.word(value).utf8) }
        let bytes = words.joined(separator: [Self.separator])
        return Data(bytes).base64URLEncoded
    }

    /// The byte between two values.
    private static let separator: UInt8 = 0x1F
    static let invalid = HabitError(
        .parameterInvalid, "the cursor does not belong to this list: use the next link of the list", field: "after")

    private static func word(_ value: Value) -> String {
        switch value {
        case .integer(let number): "i\(number)"
        case .number(let number): "n\(number)"
        case .text(let text): "t\(text)"
        case .null, .blob, .point: "0"
        }
    }

    private static func value(_ word: Data) throws -> Value {
        guard let rest = String(validating: word.dropFirst(), as: UTF8.self) else { throw invalid }
        switch word.first {
        case UInt8(ascii: "0") where rest.isEmpty: return .null
        case UInt8(ascii: "t"): return .text(rest)
        case UInt8(ascii: "i"):
            if let number = Int64(rest) { return .integer(number) }
        case UInt8(ascii: "n"):
            if let number = Double(rest), number.isFinite { return .number(number) }
        default: break
        }
        throw invalid
    }
}
