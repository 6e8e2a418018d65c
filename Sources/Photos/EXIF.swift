import CExif
import Geo

/// What is of use in a photo's EXIF, read by libexif.
struct EXIF {
    let orientation: Orientation
    /// Where the photo was taken; nil where it does not say so completely.
    let position: Position?

    /// More than a JPEG can hold; other files' EXIF is cut to it.
    private static let sizeLimit = 65_527
    private static let latitudeTags: (ref: UInt32, value: UInt32) = (1, 2)
    private static let longitudeTags: (ref: UInt32, value: UInt32) = (3, 4)

    /// Reads a TIFF header and what follows, with or without `Exif\0\0` in front.
    init(_ bytes: ArraySlice<UInt8>) {
        let signature = Array("Exif\0\0".utf8)
        let tiff = bytes.starts(with: signature) ? bytes.dropFirst(signature.count) : bytes
        let file = signature + tiff.prefix(Self.sizeLimit)
        guard let data = exif_data_new() else {
            self.init(orientation: .upright, position: nil)
            return
        }
        defer { exif_data_unref(data) }
        exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
        exif_data_load_data(data, file, UInt32(file.count))
        let order = exif_data_get_byte_order(data)
        let main = Directory(content: data.pointee.ifd.0, order: order)
        let gps = Directory(content: data.pointee.ifd.3, order: order)
        self.init(
            orientation: main.short(EXIF_TAG_ORIENTATION.rawValue).flatMap(Orientation.init) ?? .upright,
            position: Self.position(gps))
    }

    private init(orientation: Orientation, position: Position?) {
        self.orientation = orientation
        self.position = position
    }

    private static func position(_ gps: Directory) -> Position? {
        guard let latitude = degrees(gps, latitudeTags, positive: "N", negative: "S"),
            let longitude = degrees(gps, longitudeTags, positive: "E", negative: "W")
        else { return nil }
        return Position(longitude: longitude, latitude: latitude)
    }

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

/// The entries of one of EXIF's directories.
private struct Directory {
    let content: UnsafeMutablePointer<ExifContent>?
    let order: ExifByteOrder

    func short(_ tag: UInt32) -> Int? {
        value(tag, EXIF_FORMAT_SHORT, size: 2) { data, _ in Int(exif_get_short(data, order)) }
    }

    func character(_ tag: UInt32) -> Unicode.Scalar? {
        value(tag, EXIF_FORMAT_ASCII, size: 1) { data, _ in Unicode.Scalar(data[0]) }
    }

    /// Nil where a denominator is 0.
    func rationals(_ tag: UInt32) -> [Double]? {
        value(tag, EXIF_FORMAT_RATIONAL, size: 8) { data, count in
            let values = (0..<count).compactMap { index -> Double? in
                let rational = exif_get_rational(data + 8 * index, order)
                return rational.denominator == 0 ? nil : Double(rational.numerator) / Double(rational.denominator)
            }
            return values.count == count ? values : nil
        }
    }

    /// What `read` makes of an entry's data and of how many values of `size` bytes it really holds, one at least.
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
