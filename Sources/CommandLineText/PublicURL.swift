import Base
import Foundation

/// The URL under which clients reach the server.
package enum PublicURL {
    /// The environment variable with the URL.
    package static let variable = "HABITAT_PUBLIC_URL"

    /// Returns the URL of the option, otherwise of the variable, or `nil` if neither has a value.
    ///
    /// - Parameter option: The value of the option.
    /// - Returns: The URL, which is not checked.
    package static func text(option: String?) -> String? {
        if let option { return option }
        let text = ProcessInfo.processInfo.environment[variable] ?? ""
        return text.isEmpty ? nil : text
    }

    /// Returns the problem of a text that is not a scheme, a host and perhaps a path, or `nil` for a valid URL.
    package static func problem(of text: String) -> String? {
        if let parts = URLComponents(string: text), isPublic(parts) { return nil }
        return "'\(text)' is not a public URL: write https://HOST or https://HOST/PATH"
    }

    /// Whether a URL consists of a scheme, a host and perhaps a path.
    private static func isPublic(_ url: URLComponents) -> Bool {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme) else { return false }
        let hasHost = url.host?.isEmpty == false
        let hasOtherParts = url.user != nil || url.query != nil || url.fragment != nil
        return hasHost && !hasOtherParts
    }

    /// Checks the URL under which clients reach the server.
    ///
    /// - Parameter text: The URL.
    /// - Returns: The URL.
    /// - Throws: `parameter-invalid`.
    package static func check(_ text: String) throws(HabitError) -> String {
        if let problem = problem(of: text) {
            throw HabitError(.parameterInvalid, problem, field: "public-url")
        }
        return text
    }

    /// Returns a URL without the slash at its end.
    package static func withoutSlash(_ url: String) -> String {
        url.hasSuffix("/") ? String(url.dropLast()) : url
    }
}
