/// The EXIF data in a HEIF file (HEIC, AVIF): ISO/IEC 14496-12, sections 4.2 and 8.11; ISO/IEC 23008-12, annex A.
struct HEIFStructure {
    /// The TIFF header and its directories, with or without a leading `Exif\0\0`, or `nil` if the file has no EXIF data.
    private(set) var exif: [UInt8]?

    /// Maximum size of EXIF data, in bytes.
    private static let exifLimit = 1 << 20

    /// A box of the file.
    private struct Box {
        var type: String
        var content: Range<Int>
    }

    /// A contiguous part of an item.
    private struct Extent {
        var offset: Int
        var length: Int
        /// Whether the offset is relative to the content of the box `idat` instead of the file.
        var isInData: Bool
    }

    /// Whether a file begins with the box of an ISO media file.
    static func isHEIF(_ bytes: [UInt8]) -> Bool { bytes.count >= 12 && bytes[4..<8].elementsEqual("ftyp".utf8) }

    /// Finds the EXIF data of a file.
    ///
    /// - Throws: ``PhotoError`` if the file is truncated or damaged.
    init(_ bytes: [UInt8]) throws(PhotoError) {
        guard let meta = try Self.box("meta", in: bytes, bytes.indices) else { return }
        // The content of `meta` begins with its version and flags.
        let children = min(meta.lowerBound + 4, meta.upperBound)..<meta.upperBound
        guard let items = try Self.box("iinf", in: bytes, children),
            let locations = try Self.box("iloc", in: bytes, children),
            let item = try Self.exifItem(bytes, items)
        else { return }
        let data = try Self.box("idat", in: bytes, children)
        var content: [UInt8] = []
        for extent in try Self.extents(ofItem: item, bytes, locations) {
            let base = extent.isInData ? data ?? 0..<0 : bytes.indices
            guard extent.offset <= base.count, extent.length <= base.count - extent.offset,
                extent.length <= Self.exifLimit - content.count
            else { throw .truncated }
            // A length of 0 means the rest.
            let length = extent.length == 0 ? min(base.count - extent.offset, Self.exifLimit) : extent.length
            let start = base.lowerBound + extent.offset
            content += bytes[start..<start + length]
        }
        // The content begins with the number of bytes before the TIFF header.
        guard content.count > 4 else { return }
        let skipped = content[..<4].reduce(0) { number, byte in number << 8 | Int(byte) }
        guard skipped <= content.count - 4 else { return }
        exif = Array(content[(4 + skipped)...])
    }

    /// Returns the content of the first box of a type, or `nil` if it does not exist.
    private static func box(_ type: String, in bytes: [UInt8], _ range: Range<Int>) throws(PhotoError) -> Range<Int>? {
        var reader = PhotoReader(bytes, range)
        while let box = try next(&reader) {
            if box.type == type { return box.content }
        }
        return nil
    }

    /// Reads the header of the next box and skips its content, or returns `nil` at the end.
    private static func next(_ reader: inout PhotoReader) throws(PhotoError) -> Box? {
        // Some writers append fewer bytes than a header.
        guard reader.end - reader.offset >= 8 else { return nil }
        let start = reader.offset
        var size = try reader.bigEndian(4)
        let type = try reader.name()
        if size == 1 { size = try number(&reader, 8) }
        if size == 0 { size = reader.end - start }
        guard size >= reader.offset - start else { throw .damaged("a box of the HEIF file is too short") }
        return Box(type: type, content: try reader.range(size - (reader.offset - start)))
    }

    /// Returns the ID of the EXIF item in the box `iinf`, or `nil` if the file has no such item.
    private static func exifItem(_ bytes: [UInt8], _ items: Range<Int>) throws(PhotoError) -> Int? {
        var reader = PhotoReader(bytes, items)
        let version = try reader.byte()
        _ = try reader.range(3)
        _ = try reader.range(version == 0 ? 2 : 4)
        while let entry = try next(&reader) {
            guard entry.type == "infe" else { continue }
            var item = PhotoReader(bytes, entry.content)
            let version = try item.byte()
            _ = try item.range(3)
            guard version >= 2 else { continue }
            let id = try item.bigEndian(version == 2 ? 2 : 4)
            _ = try item.range(2)
            if try item.name() == "Exif" { return id }
        }
        return nil
    }

    /// Returns the parts of an item from the box `iloc`.
    private static func extents(
        ofItem id: Int, _ bytes: [UInt8], _ locations: Range<Int>
    ) throws(PhotoError) -> [Extent] {
        var reader = PhotoReader(bytes, locations)
        let version = try reader.byte()
        _ = try reader.range(3)
        let sizes = try reader.bigEndian(2)
        let offsetSize = sizes >> 12
        let lengthSize = sizes >> 8 & 15
        let baseSize = sizes >> 4 & 15
        let indexSize = version == 1 || version == 2 ? sizes & 15 : 0
        let count = try reader.bigEndian(version < 2 ? 2 : 4)
        for _ in 0..<count {
            let item = try reader.bigEndian(version < 2 ? 2 : 4)
            let method = version == 1 || version == 2 ? try reader.bigEndian(2) & 15 : 0
            _ = try reader.range(2)
            let base = try number(&reader, baseSize)
            let extentCount = try reader.bigEndian(2)
            guard item == id else {
                _ = try reader.range(extentCount * (indexSize + offsetSize + lengthSize))
                continue
            }
            // Other methods derive an item from other items.
            guard method <= 1 else { return [] }
            var extents: [Extent] = []
            for _ in 0..<extentCount {
                _ = try reader.range(indexSize)
                let offset = base.addingReportingOverflow(try number(&reader, offsetSize))
                guard !offset.overflow else { throw .truncated }
                let length = try number(&reader, lengthSize)
                extents.append(Extent(offset: offset.partialValue, length: length, isInData: method == 1))
            }
            return extents
        }
        return []
    }

    /// Reads a number of 0, 4 or 8 bytes.
    ///
    /// A number of 0 bytes is 0.
    private static func number(_ reader: inout PhotoReader, _ size: Int) throws(PhotoError) -> Int {
        switch size {
        case 0: return 0
        case 4: return try reader.bigEndian(4)
        case 8:
            let high = try reader.bigEndian(4)
            let low = try reader.bigEndian(4)
            guard high <= Int(Int32.max) else { throw .truncated }
            return high << 32 | low
        default: throw .damaged("the locations of the HEIF file are invalid")
        }
    }
}
