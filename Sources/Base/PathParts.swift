extension StringProtocol {
    /// The folder of a path and the name after its last slash.
    ///
    /// The folder is `.` if the path has no slash.
    public var pathParts: (folder: String, name: String) {
        guard let slash = lastIndex(of: "/") else {
            return (".", String(self))
        }
        let nameStart = index(after: slash)
        let name = String(self[nameStart...])
        if slash == startIndex {
            return ("/", name)
        }
        let folder = String(self[..<slash])
        return (folder, name)
    }
}
