import CExif
import Geo

/// The EXIF values that the program uses, parsed by libexif.
struct EXIF {
    /// The orientation, or `.upright` if the tag is missing or invalid.
    let orientation: Orientation
    /// The GPS position of the photo, or `nil` if a coordinate is missing or invalid.
    let position: Position?
    /// The local time of the photo (`DateTimeOriginal`), or `nil` if the tag is missing.
    let taken: String?
    /// The UTC offset of ``taken`` (`OffsetTimeOriginal`), or `nil` if the tag is missing.
    let offset: String?
    /// The UTC date of the GPS position, or `nil` if the tag is missing.
    let gpsDate: String?
    /// The UTC hours, minutes and seconds of the GPS position, or `nil` if the tag is missing or invalid.
    let gpsTime: [Double]?
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
        taken = exif.text(EXIF_TAG_DATE_TIME_ORIGINAL.rawValue)
        offset = exif.text(Self.offsetTag)
        gpsDate = gps.text(Self.gpsTimeTags.date)
        gpsTime = gps.rationals(Self.gpsTimeTags.time).flatMap { $0.count == 3 ? $0 : nil }
        description = main.text(EXIF_TAG_IMAGE_DESCRIPTION.rawValue)
    }

    private static func position(_ gps: Directory) -> Position? {
        guard let latitude = degrees(gps, latitudeTags, positive: "N", negative: "S"),
            let longitude = degrees(gps, longitudeTags, positive: "E", negative: "W")
        else { return nil }
        return Position(longitude: longitude, latitude: latitude)
    }

    /// Returns a coordinate in degrees, or `nil` if its hemisphere tag or its value tag is missing or invalid.
    ///
    /// The value tag contains degrees, minutes and seconds.
    private static func degrees(
        _ gps: Directory, _ tags: (ref: UInt32, value: UInt32), positive: Unicode.Scalar, negative: Unicode.Scalar
    ) -> Double? {
        guard let ref = gps.character(tags.ref), ref == positive || ref == negative,
            let values = gps.rationals(tags.value), values.count == 3,
            values.allSatisfy({ $0 >= 0 }), values[1] <= 60, values[2] <= 60
        else { return nil }
        return (ref == negative ? -1 : 1) * (values[0] + values[1] / 60 + values[2] / 3600)
    }
}

/// The entries of an EXIF directory (IFD).
private struct Directory {
    let content: UnsafeMutablePointer<ExifContent>?
    let order: ExifByteOrder

    /// Returns an entry of type SHORT, or `nil` if the entry is missing or has another type.
    func short(_ tag: UInt32) -> Int? {
        value(tag, EXIF_FORMAT_SHORT, size: 2) { data, _ in Int(exif_get_short(data, order)) }
    }

    /// Returns the first character of an entry of type ASCII, or `nil` if the entry is missing or has another type.
    func character(_ tag: UInt32) -> Unicode.Scalar? {
        value(tag, EXIF_FORMAT_ASCII, size: 1) { data, _ in Unicode.Scalar(data[0]) }
    }

    /// Returns an entry of type ASCII up to its first NUL, or `nil` if the entry is missing or has another type.
    ///
    /// The text is UTF-8, which many cameras write, or otherwise ISO 8859-1.
    func text(_ tag: UInt32) -> String? {
        value(tag, EXIF_FORMAT_ASCII, size: 1) { data, count in
            let bytes = UnsafeBufferPointer(start: data, count: count).prefix { $0 != 0 }
            return String(validating: bytes, as: UTF8.self)
                ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }

    /// Returns the values of an entry of type RATIONAL.
    ///
    /// Returns `nil` if the entry is missing, has another type, or contains a denominator of 0.
    func rationals(_ tag: UInt32) -> [Double]? {
        value(tag, EXIF_FORMAT_RATIONAL, size: 8) { data, count in
            let values = (0..<count).compactMap { index -> Double? in
                let rational = exif_get_rational(data + 8 * index, order)
                return rational.denominator == 0 ? nil : Double(rational.numerator) / Double(rational.denominator)
            }
            return values.count == count ? values : nil
        }
    }

    /// Calls `read` with the data and the number of values of an entry, and returns the result.
    ///
    /// The number of values is at least 1. It is limited to the number of values of `size` bytes in the data, because
    /// the declared count can be larger. Returns `nil` if the entry is missing, empty, or has another format.
    private func value<Value>(
        _ tag: UInt32, _ format: ExifFormat, size: Int, _ read: (UnsafeMutablePointer<UInt8>, Int) -> Value?
    ) -> Value? {
        guard let entry = exif_content_get_entry(content, ExifTag(rawValue: tag)), entry.pointee.format == format,
            let data = entry.pointee.data
        else { return nil }
        let count = min(Int(clamping: entry.pointee.components), Int(entry.pointee.size) / size)
        return count > 0 ? read(data, count) : nil
    }
}
