import CZlib
import Foundation

/// A color profile (ICC.1:2022) that a stored photo may have.
///
/// A profile contains texts and can have any content. The program therefore stores its own profile instead of a
/// known one, and removes all others. Without a profile, a photo has the colors of sRGB.
enum ColorProfile: CaseIterable {
    /// The colors of most phones.
    case displayP3
    /// Adobe RGB (1998).
    case adobeRGB

    /// Maximum size of a profile that is examined, in bytes.
    static let sizeLimit = 1 << 20
    /// The difference of coordinates up to which colors are equal.
    private static let tolerance = 0.002
    /// The difference of curves up to which they are equal.
    private static let curveTolerance = 0.02

    private var name: String {
        switch self {
        case .displayP3: "Display P3"
        case .adobeRGB: "Adobe RGB"
        }
    }

    /// The coordinates X, Y and Z of red, green and blue, adapted to D50.
    private var colors: [[Double]] {
        switch self {
        case .displayP3:
            [
                [0.51512, 0.2412, -0.00105],
                [0.29198, 0.69225, 0.04189],
                [0.1571, 0.06657, 0.78407],
            ]
        case .adobeRGB:
            [
                [0.60974, 0.31111, 0.01947],
                [0.20528, 0.62567, 0.06087],
                [0.14919, 0.06322, 0.74457],
            ]
        }
    }

    /// The parameters of the curve: an exponent, or the curve of sRGB.
    private var curve: [Double] {
        switch self {
        case .displayP3: [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
        case .adobeRGB: [563.0 / 256]
        }
    }

    // MARK: Recognition

    /// Recognizes a profile by its colors and its curve, or returns `nil`.
    init?(_ profile: [UInt8]) {
        guard let profile = ParsedProfile(profile) else { return nil }
        let found = Self.allCases.first { known in known.matches(profile) }
        guard let found else { return nil }
        self = found
    }

    /// Returns whether a profile has the same colors and the same curve.
    private func matches(_ profile: ParsedProfile) -> Bool {
        let pairs = zip(colors.joined(), profile.colors)
        let hasColors = pairs.allSatisfy { own, other in abs(own - other) < Self.tolerance }
        let middle = Self.value(of: curve, at: 0.5)
        return hasColors && abs(middle - profile.middle) < Self.curveTolerance
    }

    /// Returns the value of a curve with one or five parameters (ICC.1:2022, section 10.18, types 0 and 3).
    fileprivate static func value(of curve: [Double], at x: Double) -> Double {
        guard curve.count == 5 else { return power(x, curve.first ?? 1) }
        return x >= curve[4] ? power(curve[1] * x + curve[2], curve[0]) : curve[3] * x
    }

    private static func power(_ base: Double, _ exponent: Double) -> Double { base > 0 ? pow(base, exponent) : 0 }

    // MARK: The stored profile

    /// The profile that is stored.
    var bytes: [UInt8] {
        let tags = tags
        var table = Self.number(tags.count)
        var contents: [UInt8] = []
        let start = Self.headerSize + 4 + 12 * tags.count
        for tag in tags {
            table += Self.text(tag.name) + Self.number(start + contents.count) + Self.number(tag.content.count)
            contents += tag.content
            // Each element begins at a multiple of four bytes.
            while contents.count % 4 != 0 { contents.append(0) }
        }
        return Self.header(size: start + contents.count) + table + contents
    }

    /// The elements of the profile.
    private var tags: [(name: String, content: [UInt8])] {
        let curve = encodedCurve
        let adaptation = Self.text("sf32") + Self.number(0) + Self.adaptation.flatMap(Self.fixed)
        return [
            ("desc", Self.localized(name)),
            ("cprt", Self.localized("CC0")),
            ("wtpt", Self.color(Self.whitePoint)),
            ("chad", adaptation),
            ("rXYZ", Self.color(colors[0])),
            ("gXYZ", Self.color(colors[1])),
            ("bXYZ", Self.color(colors[2])),
            ("rTRC", curve),
            ("gTRC", curve),
            ("bTRC", curve),
        ]
    }

    private var encodedCurve: [UInt8] {
        let type: [UInt8] = curve.count == 5 ? [0, 3, 0, 0] : [0, 0, 0, 0]
        return Self.text("para") + Self.number(0) + type + curve.flatMap(Self.fixed)
    }

    fileprivate static let headerSize = 128
    private static let whitePoint = [0.9642, 1, 0.8249]
    /// The adaptation from D65 to D50 by Bradford's method.
    private static let adaptation = [
        1.04788, 0.02292, -0.05022, 0.02959, 0.99048, -0.01707, -0.00925, 0.01508, 0.75168,
    ]

    private static func header(size: Int) -> [UInt8] {
        var header = number(size) + number(0) + [4, 0x30, 0, 0] + text("mntrRGB XYZ ")
        header += [0x07, 0xe8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + text("acsp")
        header += [UInt8](repeating: 0, count: 28) + whitePoint.flatMap(fixed)
        return header + [UInt8](repeating: 0, count: headerSize - header.count)
    }

    private static func localized(_ text: String) -> [UInt8] {
        let units = text.utf16.flatMap { unit in [UInt8(unit >> 8), UInt8(unit & 255)] }
        let header = Self.text("mluc") + number(0) + number(1) + number(12)
        let record = Self.text("enUS") + number(units.count) + number(28)
        return header + record + units
    }

    private static func color(_ coordinates: [Double]) -> [UInt8] {
        text("XYZ ") + number(0) + coordinates.flatMap(fixed)
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func number(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { shift in UInt8(truncatingIfNeeded: number >> shift) }
    }

    private static func fixed(_ value: Double) -> [UInt8] { number(Int((value * 65_536).rounded())) }
}

/// The colors and the curve of an RGB profile.
private struct ParsedProfile {
    /// The coordinates of red, green and blue.
    var colors: [Double] = []
    /// The value of the curve of red at one half.
    var middle = 0.0

    private let bytes: [UInt8]

    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard bytes.count > ColorProfile.headerSize + 4, bytes.count <= ColorProfile.sizeLimit,
            text(at: 16) == "RGB ", text(at: 20) == "XYZ ", text(at: 36) == "acsp"
        else { return nil }
        for name in ["rXYZ", "gXYZ", "bXYZ"] {
            guard let element = element(name), element.count >= 20, text(at: element.lowerBound) == "XYZ " else {
                return nil
            }
            for index in 0..<3 { colors.append(fixed(at: element.lowerBound + 8 + 4 * index)) }
        }
        guard let curve = element("rTRC"), let middle = middle(of: curve) else { return nil }
        self.middle = middle
    }

    private func middle(of element: Range<Int>) -> Double? {
        let start = element.lowerBound
        switch text(at: start) {
        case "para" where element.count >= 16:
            let count = number16(at: start + 8) == 0 ? 1 : 5
            guard [0, 3].contains(number16(at: start + 8)), element.count >= 12 + 4 * count else { return nil }
            let parameters = (0..<count).map { index in fixed(at: start + 12 + 4 * index) }
            return ColorProfile.value(of: parameters, at: 0.5)
        case "curv" where element.count >= 12:
            let count = number(at: start + 8)
            guard count >= 0, count <= (element.count - 12) / 2 else { return nil }
            switch count {
            case 0: return 0.5
            case 1: return ColorProfile.value(of: [Double(number16(at: start + 12)) / 256], at: 0.5)
            default: return Double(number16(at: start + 12 + 2 * (count / 2))) / 65_535
            }
        default: return nil
        }
    }

    /// Returns the range of an element of the profile.
    private func element(_ name: String) -> Range<Int>? {
        let count = number(at: ColorProfile.headerSize)
        guard count >= 0, count <= 100 else { return nil }
        for index in 0..<count {
            let entry = ColorProfile.headerSize + 4 + 12 * index
            guard entry + 12 <= bytes.count else { return nil }
            guard text(at: entry) == name else { continue }
            let start = number(at: entry + 4)
            let size = number(at: entry + 8)
            guard start >= 0, size >= 12, start <= bytes.count - size else { return nil }
            return start..<start + size
        }
        return nil
    }

    private func text(at offset: Int) -> String { String(decoding: bytes[offset..<offset + 4], as: UTF8.self) }

    private func number16(at offset: Int) -> Int { Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }

    private func number(at offset: Int) -> Int { number16(at: offset) << 16 | number16(at: offset + 2) }

    private func fixed(at offset: Int) -> Double {
        Double(Int32(truncatingIfNeeded: number(at: offset))) / 65_536
    }
}

// MARK: Files

extension PhotoStructure {
    /// The first bytes of the content of a JPEG segment with a part of a profile: a name, a number and a count.
    private static let segmentHeader = Array("ICC_PROFILE\0".utf8) + [1, 1]

    /// Replaces the color profile of the file by the stored profile, or removes it.
    ///
    /// - Throws: ``PhotoError/invalid(_:)`` if a compressed profile is larger than ``ColorProfile/sizeLimit``.
    mutating func replaceColorProfile(_ bytes: [UInt8]) throws(PhotoError) {
        let segments = parts.indices.filter { index in parts[index].kind == .colorProfile }
        guard let first = segments.first else { return }
        let known = ColorProfile(try colorProfile(bytes, segments))
        for index in segments { parts[index].kind = .metadata }
        if let known {
            parts[first].kind = .colorProfile
            parts[first].replacement = try part(with: known)
        } else if format == .webp {
            clearWebPProfileFlag()
        }
    }

    private func colorProfile(_ bytes: [UInt8], _ segments: [Int]) throws(PhotoError) -> [UInt8] {
        switch format {
        case .jpeg:
            let header = Self.segmentHeader.count
            let payloads = segments.map { index in parts[index].payload }
            let numbered = payloads.filter { payload in payload.count > header }
            let sorted = numbered.sorted { first, second in
                bytes[first.lowerBound + header - 2] < bytes[second.lowerBound + header - 2]
            }
            return sorted.flatMap { payload in bytes[payload].dropFirst(header) }
        case .png:
            // A name, a NUL, the compression method, and the compressed profile.
            let content = bytes[parts[segments[0]].payload]
            guard let end = content.prefix(80).firstIndex(of: 0), end + 2 <= content.endIndex else { return [] }
            return try Self.inflated(Array(content[(end + 2)...]))
        case .webp: return Array(bytes[parts[segments[0]].payload])
        case .gif: return []
        }
    }

    private static func inflated(_ bytes: [UInt8]) throws(PhotoError) -> [UInt8] {
        var length = uLongf(ColorProfile.sizeLimit)
        var profile = [UInt8](repeating: 0, count: ColorProfile.sizeLimit)
        let status = uncompress(&profile, &length, bytes, uLong(bytes.count))
        guard status != Z_BUF_ERROR || Int(length) < ColorProfile.sizeLimit else {
            throw .damaged("its color profile is too large")
        }
        return status == Z_OK ? Array(profile.prefix(Int(length))) : []
    }

    private func part(with profile: ColorProfile) throws(PhotoError) -> [UInt8] {
        let content = profile.bytes
        switch format {
        case .jpeg:
            let length = 2 + Self.segmentHeader.count + content.count
            return [0xff, 0xe2, UInt8(length >> 8), UInt8(length & 255)] + Self.segmentHeader + content
        case .png:
            var length = compressBound(uLong(content.count))
            var data = [UInt8](repeating: 0, count: Int(length))
            guard compress2(&data, &length, content, uLong(content.count), 9) == Z_OK else {
                throw PhotoError.failed("zlib cannot compress a color profile: free some memory and try again")
            }
            return Self.pngChunk("iCCP", Array("RGB\0\0".utf8) + data.prefix(Int(length)))
        case .webp:
            let length = [0, 8, 16, 24].map { shift in UInt8(truncatingIfNeeded: content.count >> shift) }
            let padding: [UInt8] = content.count % 2 == 1 ? [0] : []
            return Array("ICCP".utf8) + length + content + padding
        case .gif: return []
        }
    }

    /// Encodes a chunk of a PNG with its length and checksum.
    static func pngChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        func bigEndian(_ number: Int) -> [UInt8] {
            [24, 16, 8, 0].map { shift in UInt8(truncatingIfNeeded: number >> shift) }
        }
        let body = Array(name.utf8) + content
        return bigEndian(content.count) + body + bigEndian(pngChecksum(body, body.indices))
    }
}
