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
            defer { previous = argument }
            guard hasPassword(argument) else { continue }
            let name = argument.hasPrefix("--") ? String(argument.prefix { $0 != "=" }) : previous
            let place = name.hasPrefix("--") ? "the URL of \(name)" : "a URL in the arguments"
            return
                "warning: other users of this machine can read the password in \(place) in the list of processes: store it in ~/.pgpass, or pass the URL in HABITAT_STORE"
        }
        return nil
    }

    private static func hasPassword(_ argument: String) -> Bool {
        for scheme in ["postgresql://", "postgres://"] {
            guard let start = argument.firstRange(of: scheme) else { continue }
            let url = argument[start.upperBound...]
            let authority = url.prefix { !"/?#".contains($0) }
            if let end = authority.lastIndex(of: "@"), let colon = authority[..<end].firstIndex(of: ":"),
                authority.index(after: colon) < end
            {
                return true
            }
            let query = url.drop { $0 != "?" }.dropFirst().split(separator: "&")
            return query.contains { $0.hasPrefix("password=") && $0.utf8.count > 9 }
        }
        return false
    }
}
