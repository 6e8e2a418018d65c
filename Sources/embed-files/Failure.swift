import Foundation

/// Ends the tool with a message for the person who builds the programs.
func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(1)
}

/// Returns the content of a file.
///
/// - Parameters:
///   - path: The path of the file.
///   - advice: The way to get a missing file.
/// - Returns: The content.
func content(of path: String, advice: String) -> Data {
    guard let content = FileManager.default.contents(atPath: path) else {
        fail("'\(path)' cannot be read: \(advice)")
    }
    return content
}
