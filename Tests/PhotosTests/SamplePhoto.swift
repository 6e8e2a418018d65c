import Base
import CGd
import HabitModel
import HabitTestSupport
import Testing

@testable import Photos

/// Small images of each type, drawn by gd: noise from a seed, with four corners of known colors.
enum SamplePhoto: String, CaseIterable, CustomTestStringConvertible {
    case jpeg, progressiveJPEG, png, palettePNG, interlacedPNG, gif, animatedGIF, webp, losslessWebP, animatedWebP

    var testDescription: String { rawValue }

    static let size = PixelSize(width: 40, height: 24)
    /// The corners top left, top right, bottom left and bottom right, each a quarter of ``quarters(_:)``.
    static let corners: [(letter: Character, color: Int32)] = [
        ("R", 0xff_0000), ("G", 0x00_ff00), ("B", 0x00_00ff), ("W", 0xff_ffff),
    ]

    /// Returns the reproducible file.
    func bytes() throws -> [UInt8] {
        let picture = try Self.noise(Self.size)
        switch self {
        case .jpeg: return try picture.jpeg(quality: 80)
        case .progressiveJPEG:
            gdImageInterlace(picture.image, 1)
            return try picture.jpeg(quality: 80)
        case .png: return try picture.png()
        case .palettePNG:
            gdImageTrueColorToPalette(picture.image, 0, 20)
            gdImageColorTransparent(picture.image, 3)
            return try picture.png()
        case .interlacedPNG:
            gdImageInterlace(picture.image, 1)
            return try picture.png()
        case .gif: return picture.gif()
        case .animatedGIF: return Self.animatedGIF(picture, try Self.noise(Self.size, seed: 2))
        case .webp: return picture.webp(quality: 80)
        case .losslessWebP: return picture.webp(quality: Int32(gdWebpLossless))
        case .animatedWebP:
            let second = try Self.noise(PixelSize(width: 20, height: 12))
            return Self.animatedWebP(picture.webp(quality: 80), second.webp(quality: Int32(gdWebpLossless)))
        }
    }

    /// Returns an image that no format can compress, so that its file grows with its size.
    static func noise(_ size: PixelSize, seed: UInt64 = 1) throws(PhotoError) -> Picture {
        var generator = SeededGenerator(seed: seed)
        let picture = try Picture(size)
        for y in 0..<size.height {
            for x in 0..<size.width {
                gdImageSetPixel(picture.image, Int32(x), Int32(y), Int32.random(in: 0...0xff_ffff, using: &generator))
            }
        }
        return picture
    }

    /// Returns an image of four quarters with the corners' colors.
    static func quarters(_ size: PixelSize) throws(PhotoError) -> Picture {
        let picture = try Picture(size)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let corner = corners[(y * 2 / size.height) * 2 + x * 2 / size.width]
                gdImageSetPixel(picture.image, Int32(x), Int32(y), corner.color)
            }
        }
        return picture
    }

    private static func animatedGIF(_ first: borrowing Picture, _ second: borrowing Picture) -> [UInt8] {
        gdImageTrueColorToPalette(first.image, 0, 16)
        gdImageTrueColorToPalette(second.image, 0, 16)
        var length: Int32 = 0
        var file = copyAndFree(gdImageGifAnimBeginPtr(first.image, &length, 1, 0), length)
        file += copyAndFree(gdImageGifAnimAddPtr(first.image, &length, 0, 0, 0, 10, 1, nil), length)
        file += copyAndFree(gdImageGifAnimAddPtr(second.image, &length, 1, 0, 0, 10, 1, nil), length)
        return file + copyAndFree(gdImageGifAnimEndPtr(&length), length)
    }

    /// Returns an animation.
    ///
    /// The first frame fills the canvas, and the second is at (4, 2).
    private static func animatedWebP(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
        let sides = [UInt8(size.width - 1), 0, 0, UInt8(size.height - 1), 0, 0]
        let secondHeader: [UInt8] = [2, 0, 0, 1, 0, 0, 19, 0, 0, 11, 0, 0, 50, 0, 0, 0]
        let frames =
            webPChunk("ANMF", [0, 0, 0, 0, 0, 0] + sides + [50, 0, 0, 0] + first[12...])
            + webPChunk("ANMF", secondHeader + second[12...])
        return riff(
            webPChunk("VP8X", [0x02, 0, 0, 0] + sides) + webPChunk("ANIM", [0, 0, 0, 0, 0, 0]) + frames)
    }

    static func copyAndFree(_ file: UnsafeMutableRawPointer?, _ length: Int32) -> [UInt8] {
        defer { gdFree(file) }
        return file.map { Array(UnsafeRawBufferPointer(start: $0, count: Int(length))) } ?? []
    }
}

extension Picture {
    func gif() -> [UInt8] {
        gdImageTrueColorToPalette(image, 0, 64)
        var length: Int32 = 0
        let file = gdImageGifPtr(image, &length)
        return SamplePhoto.copyAndFree(file, length)
    }

    func webp(quality: Int32) -> [UInt8] {
        var length: Int32 = 0
        let file = gdImageWebpPtrEx(image, &length, quality)
        return SamplePhoto.copyAndFree(file, length)
    }
}

/// Returns all pixels of a decoded photo.
func pixels(_ bytes: [UInt8]) throws -> [Int32] {
    let picture = try PhotoStructure(bytes).decode(bytes)
    var result: [Int32] = []
    for y in 0..<picture.size.height {
        for x in 0..<picture.size.width { result.append(picture.color(x, y)) }
    }
    return result
}

// MARK: Building files

extension [UInt8] {
    /// Returns the array with `content` inserted before `index`, which counts from the end if negative.
    func inserting(_ content: [UInt8], at index: Int) -> [UInt8] {
        var result = self
        result.insert(contentsOf: content, at: index < 0 ? count + index : index)
        return result
    }
}

func bigEndian(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}

func littleEndian(_ number: Int, _ count: Int) -> [UInt8] { bigEndian(number, count).reversed() }

func jpegSegment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xff, marker] + bigEndian(content.count + 2, 2) + content
}

func pngChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    return bigEndian(content.count, 4) + body + bigEndian(PhotoStructure.pngChecksum(body, body.indices), 4)
}

func webPChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + littleEndian(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
}

func riff(_ chunks: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + littleEndian(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
}

/// Returns the part of a PNG for a chunk name.
func pngPart(_ name: String, _ bytes: [UInt8]) throws -> PhotoStructure.Part? {
    try PhotoStructure(bytes).parts.first { $0.name == name }
}

/// Returns a TIFF file with an orientation and, if given, a GPS directory.
func tiff(orientation: Int = 1, gps: [GPSEntry] = []) -> [UInt8] {
    let pointer = gps.isEmpty ? [] : bigEndian(0x8825, 2) + bigEndian(4, 2) + bigEndian(1, 4) + bigEndian(38, 4)
    let main =
        bigEndian(gps.isEmpty ? 1 : 2, 2) + bigEndian(0x0112, 2) + bigEndian(3, 2) + bigEndian(1, 4)
        + bigEndian(orientation, 2) + [0, 0] + pointer + bigEndian(0, 4)
    var directory = bigEndian(gps.count, 2)
    var data: [UInt8] = []
    for entry in gps {
        directory += bigEndian(entry.tag, 2) + bigEndian(entry.type, 2) + bigEndian(entry.count, 4)
        if entry.content.count <= 4 {
            directory += entry.content + Array(repeating: 0, count: 4 - entry.content.count)
        } else {
            directory += bigEndian(38 + 2 + 12 * gps.count + 4 + data.count, 4)
            data += entry.content
        }
    }
    return Array("MM\0*".utf8) + bigEndian(8, 4) + main + directory + bigEndian(0, 4) + data
}

struct GPSEntry {
    let tag: Int
    let type: Int
    let count: Int
    let content: [UInt8]

    static func ref(_ tag: Int, _ letter: String) -> GPSEntry {
        GPSEntry(tag: tag, type: 2, count: 2, content: Array(letter.utf8) + [0])
    }

    static func degrees(_ tag: Int, _ rationals: [(Int, Int)]) -> GPSEntry {
        let content = rationals.flatMap { bigEndian($0.0, 4) + bigEndian($0.1, 4) }
        return GPSEntry(tag: tag, type: 5, count: rationals.count, content: content)
    }
}

/// Returns the file with EXIF data added, if its type supports EXIF.
func withEXIF(_ bytes: [UInt8], _ tiff: [UInt8]) throws -> [UInt8] {
    let structure = try PhotoStructure(bytes)
    switch structure.format {
    case .jpeg:
        return bytes.inserting(jpegSegment(0xe1, Array("Exif\0\0".utf8) + tiff), at: 2)
    case .png: return bytes.inserting(pngChunk("eXIf", tiff), at: 33)
    case .gif: return bytes
    case .webp:
        var chunks = Array(bytes.dropFirst(12))
        if chunks.starts(with: "VP8X".utf8) {
            chunks[8] |= 0x08
        } else {
            let sides = littleEndian(structure.size.width - 1, 3) + littleEndian(structure.size.height - 1, 3)
            chunks = webPChunk("VP8X", [0x08, 0, 0, 0] + sides) + chunks
        }
        return riff(chunks + webPChunk("EXIF", tiff))
    }
}

/// Whether the error has the code, concerns the photo, and contains `text`.
func isRefusal(
    _ error: any Error,
    _ code: ErrorCode,
    containing text: String = "",
    remedy: Remedy? = nil
) -> Bool {
    guard let error = (error as? PhotoError).map(HabitError.init) else { return false }
    return error.code == code && error.field == "photo" && (text.isEmpty || error.message.contains(text))
        && (remedy.map(error.remedies.contains) ?? true)
}
