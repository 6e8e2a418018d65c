import Base
import HabitModel

/// An importer of one file of Google's location history.
///
/// ``GoogleImporter`` combines the files of an archive.
protocol GoogleFileImporter: TrackImporter {
    /// Returns whether the file has the format, judged by its content.
    static func canRead(_ file: ImportFile, options: ImportOptions) throws -> Bool

    /// Reads all entries of a file.
    ///
    /// - Returns: The number of posts whose visit has an end in the file.
    func read(
        _ file: ImportFile,
        options: ImportOptions,
        _ receive: (ImportEntry) throws -> Void
    ) throws -> Int

    /// Reads the visits and the points of a file.
    func readTrack(
        _ file: ImportFile,
        options: ImportOptions,
        _ receive: (TrackItem) throws -> Void
    ) throws
}

extension GoogleFileImporter {
    static func canRead(_ input: ImportInput) throws -> Bool {
        guard let file = input.file else { return false }
        return try canRead(file, options: input.options)
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let file = input.file else { return }
        let ends = try read(file, options: input.options, receive)
        if let notice = ImportNotice.visitEnds(ends) { try receive(.notice(notice)) }
    }

    func track(of input: ImportInput, _ receive: (TrackItem) throws -> Void) throws {
        guard let file = input.file else { return }
        try readTrack(file, options: input.options, receive)
    }
}

extension EntryTime {
    /// Reads the member `name` with a time, or the member `nameMs` with milliseconds since 1970.
    init(google node: JSONNode?, _ name: String) {
        if let value = node?[name] {
            self.init(value)
        } else {
            self.init(milliseconds: node?[name + "Ms"])
        }
    }
}

extension EntryPosition {
    /// The difference between a coordinate and its value after an overflow of 32 bits.
    private static let overflow = 4_294_967_296.0

    /// Reads degrees times 10⁷.
    ///
    /// Some negative coordinates in Google's files are 2³² too large.
    init(latitudeE7 latitude: JSONNode?, longitudeE7 longitude: JSONNode?, _ options: ImportOptions) {
        if let error = Self.unreadable(latitude, longitude) {
            self = .invalid(error)
            return
        }
        guard var north = latitude?.number, var east = longitude?.number else {
            self = Self.incomplete(latitude: latitude?.number, longitude: longitude?.number)
            return
        }
        if north > 900_000_000 { north -= Self.overflow }
        if east > 1_800_000_000 { east -= Self.overflow }
        self.init(latitude: north / 1e7, longitude: east / 1e7, options)
    }

    /// Reads `"48.8°, 2.3°"`, `"geo:48.8,2.3"` or `"48.8, 2.3"`, also in the member `latLng` of an object.
    init(google node: JSONNode?, _ options: ImportOptions) {
        guard let node else {
            self = .missing
            return
        }
        let member = node["latLng"] ?? node["LatLng"]
        if let text = node.text ?? member?.text {
            self.init(google: text, options)
            return
        }
        let latitude = node["latitudeE7"] ?? node["latE7"]
        let longitude = node["longitudeE7"] ?? node["lngE7"]
        self.init(latitudeE7: latitude, longitudeE7: longitude, options)
    }

    /// Reads the text of a position.
    ///
    /// A text without digits and letters means "unknown".
    private init(google text: String, _ options: ImportOptions) {
        if let numbers = Self.numbers(in: text) {
            self.init(latitude: numbers.latitude, longitude: numbers.longitude, options)
        } else {
            let isKnown = text.contains(where: \.isNumber) || text.contains(where: \.isLetter)
            self = isKnown ? .invalid(XMLValues.positionInvalid(text)) : .missing
        }
    }

    /// Returns the two numbers of a position, or `nil` if the text has another form.
    static func numbers(in text: String) -> (latitude: Double, longitude: Double)? {
        var rest = Substring(text.trimmed)
        if rest.lowercased().hasPrefix("geo:") { rest = rest.dropFirst(4) }
        // Parameters of a geo URI follow the coordinates.
        rest = rest.prefix { character in character != ";" && character != "?" }
        // Numbers with a degree sign may have a decimal comma.
        let separator: Character = rest.contains("°") ? "°" : ","
        let parts = rest.split(separator: separator)
        guard parts.count >= 2 else { return nil }
        guard let latitude = number(parts[0]), let longitude = number(parts[1]) else { return nil }
        return (latitude, longitude)
    }

    /// Parses a number between separators and units, with a decimal comma or point.
    private static func number(_ text: Substring) -> Double? {
        var text = text.drop { character in character == "," || character.isWhitespace }
        while let last = text.last, last == "," || last.isWhitespace || !last.isASCII {
            text.removeLast()
        }
        let plain = text.map { character -> Character in
            switch character {
            case ",": "."
            case "\u{2212}": "-"
            default: character
            }
        }
        return Double(decimal: String(plain))
    }
}
