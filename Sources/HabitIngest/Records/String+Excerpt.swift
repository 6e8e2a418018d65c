extension String {
    /// The text, truncated to 40 characters for a message.
    ///
    /// The user can still find the value in the input.
    var excerpt: String { count <= 40 ? self : prefix(39) + "…" }
}
