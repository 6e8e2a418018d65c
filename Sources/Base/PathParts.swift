extension StringProtocol {
    /// The folder of a path and the name after its last slash.
    ///
    /// The folder is `.` if the path has no slash.
    public var pathParts: (folder: String, name: String) {
        guard let slash = lastIndex(of: "/") else { return (".", String(self)) }
        return (slash == startIndex ? "/" : String(self[..<slash]), String(self[index(after: slash)...]))
    }
}
