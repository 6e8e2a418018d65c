import Base
import Geo
import HabitModel

/// Parsers for the values in GPX, KML, TCX and Apple Health files.
enum XMLValues {
    /// Parses a latitude and a longitude in degrees, or returns `nil` if one is missing, malformed or out of range.
    static func position(latitude: String?, longitude: String?) -> Position? {
        guard let latitude, let longitude, let north = number(latitude), let east = number(longitude) else {
            return nil
        }
        return Position(longitude: east, latitude: north)
    }

    /// Parses a finite decimal number, or returns `nil`.
    static func number(_ text: String) -> Double? {
        Double(decimal: text) ?? Double(decimal: text.trimmed)
    }

    /// The error of a time that has no known form.
    static func instantInvalid(_ text: String) -> HabitError {
        HabitError(
            .instantInvalid, "'\(text.excerpt)' is not a time: write RFC 3339, such as 2026-11-20T07:15:00+01:00",
            field: Field.at.name)
    }

    /// The error of a position that is malformed or out of range.
    static func positionInvalid(_ text: String) -> HabitError {
        HabitError(
            .positionInvalid,
            "'\(text.excerpt)' is not a position: write a latitude from -90 to 90 and a longitude from -180 to 180",
            field: Field.latitude.name)
    }
}

/// The text of the element that a streaming reader collects, with the text of the elements in it.
struct XMLTextCollector<Target> {
    private var current: (target: Target, depth: Int)?
    private var bytes: [UInt8] = []

    /// Begins to collect the text of an element, unless the collector already collects the text of an outer element.
    mutating func begin(_ target: Target, depth: Int) {
        guard current == nil else { return }
        current = (target, depth)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Adds a part of the text if an element is being collected.
    ///
    /// - Throws: `xml-invalid` if the text exceeds ``XMLReader/textLimit``.
    mutating func add(_ text: Span<UInt8>) throws(HabitError) {
        guard current != nil else { return }
        guard bytes.count + text.count <= XMLReader.textLimit else { throw XMLReader.textTooLong }
        text.withUnsafeBufferPointer { part in bytes.append(contentsOf: part) }
    }

    /// Ends an element.
    ///
    /// - Returns: The trimmed text if the element is the collected one, otherwise `nil`.
    mutating func end(depth: Int) -> (target: Target, text: String)? {
        guard let current, current.depth == depth else { return nil }
        self.current = nil
        return (current.target, String(decoding: bytes, as: UTF8.self).trimmed)
    }
}
