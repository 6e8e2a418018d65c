import CZlib
import Foundation

/// The icon of the installed application: the check mark of `Web/icon.svg` on a full square, as a PNG picture.
///
/// A phone cuts the square into a form of its own. The mark is in the middle, which every form shows.
struct LargeIcon {
    private typealias Point = SIMD2<Double>
    /// The shares of red, green and blue, from 0 to 255.
    private typealias Color = SIMD3<Double>

    /// The width and the height in pixels.
    private static let side = 512
    /// The width and the height in the units of `Web/icon.svg`.
    private static let units = 32.0
    /// The corners of the mark in units.
    private static let mark = [
        Point(9, 16.5),
        Point(14, 21.5),
        Point(23, 11.5),
    ]
    /// Half the width of the line in units.
    private static let halfWidth = 1.75
    private static let ground = Color(0x1f, 0x6f, 0x4a)
    private static let white = Color(255, 255, 255)

    /// The picture, or `nil` if zlib fails.
    static var png: Data? {
        guard let pixels = pixels.compressed(.zlib) else { return nil }
        let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        let length = bytes(of: UInt32(side))
        // Eight bits for each of red, green and blue.
        let header = length + length + [8, 2, 0, 0, 0]
        return Data(signature) + chunk("IHDR", Data(header)) + chunk("IDAT", pixels) + chunk("IEND", Data())
    }

    /// The rows of pixels, each after the number of its filter.
    private static var pixels: Data {
        var data = Data()
        for row in 0..<side {
            data.append(0)
            for column in 0..<side {
                data.append(contentsOf: color(column: column, row: row))
            }
        }
        return data
    }

    /// Returns the color of a pixel; one at the edge of the mark is a mixture.
    private static func color(column: Int, row: Int) -> [UInt8] {
        let unit = units / Double(side)
        let corner = Point(Double(column), Double(row))
        let middle = (corner + 0.5) * unit
        let distances = zip(mark, mark.dropFirst()).map { start, end in
            distance(from: middle, start: start, end: end)
        }
        let depth = halfWidth - (distances.min() ?? .infinity)
        let share = min(max(depth / unit + 0.5, 0), 1)
        let mixed = ground + (white - ground) * share
        return mixed.indices.map { index in UInt8(mixed[index].rounded()) }
    }

    /// Returns the distance from a point to a line with two ends.
    private static func distance(from point: Point, start: Point, end: Point) -> Double {
        let line = end - start
        let way = point - start
        let share = (way * line).sum() / (line * line).sum()
        let offset = way - line * min(max(share, 0), 1)
        return (offset * offset).sum().squareRoot()
    }

    private static func chunk(_ type: String, _ content: Data) -> Data {
        let checked = [UInt8](type.utf8) + content
        let sum = crc32(0, checked, UInt32(checked.count))
        return Data(bytes(of: UInt32(content.count)) + checked + bytes(of: UInt32(sum)))
    }

    /// Returns the bytes of a number, the most significant byte first.
    private static func bytes(of number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { shift in UInt8(truncatingIfNeeded: number >> shift) }
    }
}
