extension Substring {
    /// Whether the line of Swift code is a comment.
    ///
    /// A regular expression takes too long for all lines of the sources.
    public var isCommentLine: Bool {
        utf8.drop { character in character == UInt8(ascii: " ") }.starts(with: "//".utf8)
    }
}
