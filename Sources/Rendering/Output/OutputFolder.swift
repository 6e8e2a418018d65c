/// A folder to which an export writes its files.
public protocol OutputFolder {
    /// Creates a folder in this folder.
    ///
    /// - Parameter name: The path of the new folder, relative to this folder.
    /// - Throws: `output-not-writable` or `no-space`.
    func makeFolder(_ name: String) throws

    /// Creates a file in this folder and opens it.
    ///
    /// Only one file is open at a time.
    ///
    /// - Parameter name: The path of the new file, relative to this folder.
    /// - Returns: A sink. Its `commit()` completes the file.
    /// - Throws: The errors of the output.
    func open(_ name: String) throws -> any OutputSink
}
