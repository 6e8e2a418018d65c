import CExif
import Geo

/// The EXIF values that the program uses, parsed by libexif.
struct EXIF {
    /// The orientation, or `.upright` if the tag is missing or invalid.
    let orientation: Orientation
    /// The GPS position of the photo, or `nil` if a coordinate is missing or invalid.
    let position: Position?
    /// Whether a coordinate has a value, but the position cannot be read.
    let hasUnreadablePosition: Bool
    /// The local time of the photo (`DateTimeOriginal`), or `nil` if the tag is missing.
    let taken: String?
    /// The UTC offset of ``taken`` (`OffsetTimeOriginal`), or `nil` if the tag is missing.
    let offset: String?
    /// The UTC date of the GPS position, or `nil` if the tag is missing.
    let gpsDate: String?
    /// The UTC hours, minutes and seconds of the GPS position, or `nil` if the tag is missing or invalid.
    let gpsTime: [Double]?
    /// Whether the time of the GPS position cannot be read.
    let hasUnreadableGPSTime: Bool
    /// The description of the photo, or `nil` if the tag is missing.
    let description: String?

    /// Maximum number of TIFF bytes to parse.
    ///
    /// The limit is the capacity of a JPEG segment after the signature. Longer EXIF data of other formats is truncated.
    private static let sizeLimit = 65_527
    /// The GPS tags of the latitude.
    private static let latitudeTags: (ref: UInt32, value: UInt32) = (1, 2)
    /// The GPS tags of the longitude.
    private static let longitudeTags: (ref: UInt32, value: UInt32) = (3, 4)

    /// The tag `OffsetTimeOriginal`, which older versions of libexif do not name.
    private static let offsetTag: UInt32 = 0x9011
    /// The GPS tags of the time and the date.
    private static let gpsTimeTags: (time: UInt32, date: UInt32) = (7, 29)

    /// Parses a TIFF header and its directories, with or without a leading `Exif\0\0`.
    init(_ bytes: ArraySlice<UInt8>) {
        let signature = Array("Exif\0\0".utf8)
        let tiff = bytes.starts(with: signature) ? bytes.dropFirst(signature.count) : bytes
        let file = signature + tiff.prefix(Self.sizeLimit)
        // Without memory for the data, all values are missing.
        let data = exif_data_new()
        defer { exif_data_unref(data) }
        exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
        exif_data_load_data(data, file, UInt32(file.count))
        let order = exif_data_get_byte_order(data)
        let main = Directory(content: data?.pointee.ifd.0, order: order)
        let exif = Directory(content: data?.pointee.ifd.2, order: order)
        let gps = Directory(content: data?.pointee.ifd.3, order: order)
        orientation = main.short(EXIF_TAG_ORIENTATION.rawValue).flatMap(Orientation.init) ?? .upright
        position = Self.position(gps)
        let hasCoordinate = [Self.latitudeTags, Self.longitudeTags].contains { tags in
            gps.numbers(tags.value).isPresent
        }
        hasUnreadablePosition = position == nil && hasCoordinate
        taken = exif.text(EXIF_TAG_DATE_TIME_ORIGINAL.rawValue)
        offset = exif.text(Self.offsetTag)
        gpsDate = gps.text(Self.gpsTimeTags.date)
        let gpsTime = gps.numbers(Self.gpsTimeTags.time)
        self.gpsTime = gpsTime.values(count: 3)
        hasUnreadableGPSTime = gpsTime.isPresent && self.gpsTime == nil
        description = main.text(EXIF_TAG_IMAGE_DESCRIPTION.rawValue)
    }

    private static func position(_ gps: Directory) -> Position? {
        guard let latitude = degrees(gps, latitudeTags, positive: "N", negative: "S"),
            let longitude = degrees(gps, longitudeTags, positive: "E", negative: "W")
        else { return nil }
        return Position(longitude: longitude, latitude: latitude)
    }

    /// Returns a coordinate in degrees, or `nil` if its hemisphere or its value is missing or invalid.
    ///
    /// The value tag contains degrees, and usually minutes and seconds. As in ExifTool, only the hemisphere decides the
    /// sign, because some programs write it in addition to the sign.
    private static func degrees(
        _ gps: Directory, _ tags: (ref: UInt32, value: UInt32), positive: Character, negative: Character
    ) -> Double? {
        guard case .values(let values) = gps.numbers(tags.value) else { return nil }
        let letters = [gps.letter(tags.ref), gps.letter(tags.value)].compactMap(\.self)
        guard let hemisphere = letters.first, hemisphere == positive || hemisphere == negative else { return nil }
        let parts = values.prefix(3).map { value in abs(value) } + [0, 0]
        guard parts[1] <= 60, parts[2] <= 60 else { return nil }
        let degrees = parts[0] + parts[1] / 60 + parts[2] / 3600
        return hemisphere == negative ? -degrees : degrees
    }
}

/// The entries of an EXIF directory (IFD).
private struct Directory {
    let content: UnsafeMutablePointer<ExifContent>?
    let order: ExifByteOrder

    /// The numbers of an entry.
    enum Numbers {
        case missing
        /// The entry has a type that has no numbers, or a value that is not a number.
        case unreadable
        /// The entry has at least one number.
        case values([Double])

        /// Whether the entry has a value.
        var isPresent: Bool {
            if case .missing = self { false } else { true }
        }

        /// Returns the numbers if the entry has exactly `count` numbers, otherwise `nil`.
        func values(count: Int) -> [Double]? {
            guard case .values(let values) = self, values.count == count else { return nil }
            return values
        }
    }

    /// Returns an entry of type SHORT, or `nil` if the entry is missing or has another type.
    func short(_ tag: UInt32) -> Int? {
        guard let entry = entry(tag), entry.format == EXIF_FORMAT_SHORT, entry.count > 0 else { return nil }
        return Int(exif_get_short(entry.data, order))
    }

    /// Returns the first letter of a text in upper case, or `nil` if the entry has no text or no letter.
    func letter(_ tag: UInt32) -> Character? {
        let letter = text(tag)?.first { character in character.isLetter && character.isASCII }
        return letter?.uppercased().first
    }

    /// Returns the text of an entry up to its first NUL, or `nil` if the entry is missing or has numbers.
    ///
    /// The text is UTF-8, which many cameras write, or otherwise ISO 8859-1.
    func text(_ tag: UInt32) -> String? {
        guard let entry = entry(tag), entry.count > 0, Self.textFormats.contains(entry.format.rawValue) else {
            return nil
        }
        let bytes = UnsafeBufferPointer(start: entry.data, count: entry.count).prefix { byte in byte != 0 }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let scalars = bytes.map { byte in Unicode.Scalar(byte) }
        return String(String.UnicodeScalarView(scalars))
    }

    /// The types of texts.
    ///
    /// Some programs write the type of bytes without a meaning.
    private static let textFormats = [EXIF_FORMAT_ASCII, EXIF_FORMAT_UNDEFINED].map(\.rawValue)

    /// Returns the numbers of an entry of any numeric type, or in its text.
    func numbers(_ tag: UInt32) -> Numbers {
        if let text = text(tag) { return Self.numbers(in: text) }
        guard let entry = entry(tag), entry.count > 0 else { return .missing }
        let values = (0..<entry.count).compactMap { index in number(entry, index) }
        return values.count == entry.count && values.allSatisfy(\.isFinite) ? .values(values) : .unreadable
    }

    /// Returns the numbers in a text such as `38 42 0` or `38,42.5N`, with other signs between them.
    private static func numbers(in text: String) -> Numbers {
        guard !text.allSatisfy(\.isWhitespace) else { return .missing }
        // A comma between two numbers can separate decimals, and a slash means a fraction.
        let commaCount = text.count { character in character == "," }
        let hasOneComma = commaCount == 1
        let hasOther = text.contains { character in
            character == "." || character == " " || character.isLetter
        }
        guard !hasOneComma || hasOther, !text.contains("/"), !hasExponent(text) else { return .unreadable }
        let words = text.split { character in !isDigit(character) && character != "." }
        let values = words.compactMap { word in Double(word) }
        return values.isEmpty || values.count < words.count ? .unreadable : .values(values)
    }

    /// Whether a text has a number in scientific notation.
    private static func hasExponent(_ text: String) -> Bool {
        let characters = Array(text)
        return characters.indices.dropFirst().dropLast().contains { index in
            guard "eE".contains(characters[index]), isDigit(characters[index - 1]) else { return false }
            let next = characters[index + 1]
            return isDigit(next) || "+-".contains(next)
        }
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

    /// Returns a number of an entry, or `nil` for a denominator of 0 and for a type without numbers.
    private func number(_ entry: Entry, _ index: Int) -> Double? {
        let data = entry.data + index * entry.size
        switch entry.format {
        case EXIF_FORMAT_BYTE: return Double(data[0])
        case EXIF_FORMAT_SBYTE: return Double(Int8(bitPattern: data[0]))
        case EXIF_FORMAT_SHORT: return Double(exif_get_short(data, order))
        case EXIF_FORMAT_SSHORT: return Double(exif_get_sshort(data, order))
        case EXIF_FORMAT_LONG: return Double(exif_get_long(data, order))
        case EXIF_FORMAT_SLONG: return Double(exif_get_slong(data, order))
        case EXIF_FORMAT_RATIONAL:
            let rational = exif_get_rational(data, order)
            return rational.denominator == 0 ? nil : Double(rational.numerator) / Double(rational.denominator)
        case EXIF_FORMAT_SRATIONAL:
            let rational = exif_get_srational(data, order)
            return rational.denominator == 0 ? nil : Double(rational.numerator) / Double(rational.denominator)
        case EXIF_FORMAT_FLOAT: return Double(Float(bitPattern: exif_get_long(data, order)))
        case EXIF_FORMAT_DOUBLE:
            let first = UInt64(exif_get_long(data, order))
            let second = UInt64(exif_get_long(data + 4, order))
            let isBigEndian = order == EXIF_BYTE_ORDER_MOTOROLA
            return Double(bitPattern: isBigEndian ? first << 32 | second : second << 32 | first)
        default: return nil
        }
    }

    /// The data of an entry.
    private struct Entry {
        var format: ExifFormat
        var data: UnsafeMutablePointer<UInt8>
        /// Number of bytes of a value.
        var size: Int
        /// Number of values.
        ///
        /// It is limited to the values in the data, because the declared number can be larger.
        var count: Int
    }

    /// Returns an entry, or `nil` if it is missing or has an unknown type.
    private func entry(_ tag: UInt32) -> Entry? {
        guard let entry = exif_content_get_entry(content, ExifTag(rawValue: tag)), let data = entry.pointee.data else {
            return nil
        }
        let size = Int(exif_format_get_size(entry.pointee.format))
        guard size > 0 else { return nil }
        let count = min(Int(clamping: entry.pointee.components), Int(entry.pointee.size) / size)
        return Entry(format: entry.pointee.format, data: data, size: size, count: count)
    }
}
