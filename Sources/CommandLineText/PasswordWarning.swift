/// A warning of a password in the arguments of a program.
///
/// Every user of the machine can read the arguments of a running program in the list of processes.
public enum PasswordWarning {
    /// Returns the warning of the first URL of PostgreSQL that contains a password, or `nil` if no URL does.
    ///
    /// The warning names the option and does not contain the URL.
    ///
    /// - Parameter arguments: The arguments of the program.
    /// - Returns: The warning.
    public static func text(for arguments: some Sequence<String>) -> String? {
        var previous = ""
        for argument in arguments {
            if let url = url(in: argument), hasPassword(url) {
                return """
                    warning: other users of this machine can read the password in \(name(of: argument, after: previous)) \
                    in the list of processes: store it in ~/.pgpass, or pass the URL in HABITAT_STORE
                    """
            }
            previous = argument
        }
        return nil
    }

    /// Returns the words that name a URL: its option, which is in its own argument or in the previous one, if it has one.
    private static func name(of argument: String, after previous: String) -> String {
        if argument.hasPrefix("--") {
            let option = argument.prefix { character in character != "=" }
            return "the URL of \(option)"
        }
        return previous.hasPrefix("--") ? "the URL of \(previous)" : "a URL in the arguments"
    }

    /// Returns the URL of PostgreSQL in an argument without its scheme, or `nil` for an argument without such a URL.
    private static func url(in argument: String) -> Substring? {
        for scheme in ["postgresql://", "postgres://"] {
            if let start = argument.firstRange(of: scheme) { return argument[start.upperBound...] }
        }
        return nil
    }

    private static func hasPassword(_ url: Substring) -> Bool {
        let authority = url.prefix { character in !"/?#".contains(character) }
        if hasPassword(inAuthority: authority) { return true }
        let query = url.drop { character in character != "?" }.dropFirst()
        let parameters = query.split(separator: "&")
        return parameters.contains(where: isPassword)
    }

    /// Whether the part of a URL before its path has the form `user:password@host`.
    private static func hasPassword(inAuthority authority: Substring) -> Bool {
        guard let end = authority.lastIndex(of: "@") else { return false }
        guard let colon = authority[..<end].firstIndex(of: ":") else { return false }
        return authority.index(after: colon) < end
    }

    /// Whether a parameter of a URL is a password that is not empty.
    private static func isPassword(_ parameter: Substring) -> Bool {
        let name = "password="
        return parameter.hasPrefix(name) && parameter.utf8.count > name.utf8.count
    }
}
