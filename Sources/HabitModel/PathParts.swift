extension StringProtocol {
    /// The folder of a path, `.` where it names none, and the name behind its last slash.
    public var pathParts: (folder: String, name: String) {
        guard let slash = lastIndex(of: "/") else { return (".", String(self)) }
        return (slash == startIndex ? "/" : String(self[..<slash]), String(self[index(after: slash)...]))
    }
}
