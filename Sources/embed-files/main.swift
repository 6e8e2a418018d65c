// embed-files OUTPUT NAME=PACKAGE=FILE…: writes a Swift file with the content of each FILE, compressed with gzip and in
// base64, keyed by NAME. PACKAGE is the Debian package that installs FILE; it is empty for a file of the project. The
// error message for a missing file names the package.

import CZlib
import Foundation

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(1)
}

/// Returns the gzip form (RFC 1952) of a content, or `nil` if zlib fails.
///
/// Equal contents have equal forms, because the header has no time.
func compressed(_ content: Data) -> Data? {
    var stream = z_stream()
    // zlib keeps a pointer to the stream.
    return withUnsafeMutablePointer(to: &stream) { stream in compressed(content, with: stream) }
}

func compressed(_ content: Data, with stream: UnsafeMutablePointer<z_stream>) -> Data? {
    // 15 selects the largest window, and 16 the gzip format.
    let windowBits: Int32 = 15 + 16
    let size = Int32(MemoryLayout<z_stream>.size)
    let level = Z_BEST_COMPRESSION
    let strategy = Z_DEFAULT_STRATEGY
    guard deflateInit2_(stream, level, Z_DEFLATED, windowBits, 8, strategy, ZLIB_VERSION, size) == Z_OK else {
        return nil
    }
    defer { deflateEnd(stream) }
    var input = [UInt8](content)
    let limit = deflateBound(stream, UInt(input.count))
    var output = [UInt8](repeating: 0, count: Int(limit))
    let status = input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = UInt32(output.count)
            return deflate(stream, Z_FINISH)
        }
    }
    guard status == Z_STREAM_END else { return nil }
    return Data(output.prefix(Int(stream.pointee.total_out)))
}

guard CommandLine.arguments.count > 2 else { fail("usage: embed-files OUTPUT NAME=PACKAGE=FILE…") }

var source = """
    /// The files of web pages, compressed with gzip and in base64, by name.
    enum EmbeddedFiles {
        static let all: [String: String] = [

    """
for argument in CommandLine.arguments.dropFirst(2) {
    let parts = argument.split(separator: "=", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else {
        fail("'\(argument)' is not NAME=PACKAGE=FILE: put '=' between the name, the package and the file")
    }
    let name = parts[0]
    let package = parts[1]
    let path = String(parts[2])
    guard let content = FileManager.default.contents(atPath: path) else {
        fail("'\(path)' cannot be read: install the Debian package \(package), or run .ci/install")
    }
    guard let compressed = compressed(content) else {
        fail("'\(path)' cannot be compressed: free some memory and try again")
    }
    source += "        \"\(name)\": \"\(compressed.base64EncodedString())\",\n"
}
source += "    ]\n}\n"
do {
    try source.write(toFile: CommandLine.arguments[1], atomically: true, encoding: .utf8)
} catch {
    fail("'\(CommandLine.arguments[1])' cannot be written: \(error.localizedDescription)")
}
