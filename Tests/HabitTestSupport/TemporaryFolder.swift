import Foundation

/// A temporary folder that is removed with the object.
public final class TemporaryFolder: Sendable {
    /// The path of the folder.
    public let path: String

    /// Creates an empty folder with a unique name.
    public init() throws {
        var template = Array((NSTemporaryDirectory() + "/habitat-test-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        TestServer.remove(under: path)
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns the path of the file `name` in the folder.
    public func file(_ name: String) -> String { path + "/" + name }

    /// Writes a text file in UTF-8 and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        try write(Data(text.utf8), to: name)
    }

    /// Writes a file and returns its path.
    ///
    /// Creates the parent folders of the file if they do not exist.
    @discardableResult
    public func write(_ data: Data, to name: String) throws -> String {
        let file = file(name)
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: file))
        return file
    }

    /// Returns the contents of a file as UTF-8 text.
    public func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: file(name))), as: UTF8.self)
    }

    /// The sorted names of the files and folders in the folder, or an empty array if it cannot be read.
    public var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
    }
}
