import Base
import CommandLineText
import HabitModel

/// A value of the configuration file.
enum ConfigurationValue: Equatable {
    case text(String)
    case list([String])

    /// The value in one line; a list is separated by colons.
    var text: String {
        switch self {
        case .text(let text): text
        case .list(let items): items.joined(separator: ":")
        }
    }

    /// The value in TOML.
    var toml: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .list(let items): "[" + items.map(Self.quoted).joined(separator: ", ") + "]"
        }
    }

    /// Returns a basic string of TOML.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// A key of the configuration file.
enum ConfigurationKey: Equatable {
    case store
    case user
    case reports
    case color
    case publicURL
    /// The name of a place in the table `places`.
    case place(String)

    /// The names that messages list.
    static let names = ["store", "user", "reports", "color", "public-url", "places.NAME"]

    /// The names that a shell offers, with the beginning of the name of a place.
    static let suggested = ["store", "user", "reports", "color", "public-url", placePrefix]

    /// The words of the key `color`.
    static let colors = ["auto", "always", "never"]

    private static let placePrefix = "places."

    /// Creates a key from its name, such as `user` or `places.home`, or returns `nil` for an unknown name.
    init?(_ name: String) {
        switch name {
        case "store": self = .store
        case "user": self = .user
        case "reports": self = .reports
        case "color": self = .color
        case "public-url": self = .publicURL
        default:
            guard name.hasPrefix(Self.placePrefix) else { return nil }
            let place = String(name.dropFirst(Self.placePrefix.count))
            guard Self.isPlaceName(place) else { return nil }
            self = .place(place)
        }
    }

    /// Returns the message for a name that is not the name of a key.
    static func unknown(_ name: String) -> String {
        if let nearest = names.nearestSpelling(to: name) {
            return "unknown key '\(name)': did you mean '\(nearest)'?"
        }
        let all = names.joined(separator: ", ")
        return "unknown key '\(name)': use one of \(all)"
    }

    /// The name of the key, such as `places.home`.
    var name: String {
        switch self {
        case .store: "store"
        case .user: "user"
        case .reports: "reports"
        case .color: "color"
        case .publicURL: "public-url"
        case .place(let place): Self.placePrefix + place
        }
    }

    /// Whether a text can be the name of a place: 1 to 64 characters without control characters.
    private static func isPlaceName(_ text: String) -> Bool {
        let isPrintable = text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control
        }
        return isPrintable && (1...64).contains(text.count)
    }

    /// Returns the reason why a value is invalid, or `nil` for a valid value.
    ///
    /// - Parameter value: The value, or `nil` for a value that is neither a text nor a list of texts.
    /// - Returns: The reason in words.
    func problem(of value: ConfigurationValue?) -> String? {
        switch (self, value) {
        case (.reports, .list(let folders)):
            let isValid = folders.allSatisfy(Self.isFolder)
            return isValid
                ? nil : "a folder in 'reports' is empty or contains a colon: write [\"~/habit-reports\"]"
        case (.reports, _): return "'reports' is not a list of folders: write [\"~/habit-reports\"]"
        case (_, .text(let text)): return problem(ofText: text)
        case (_, .list), (_, nil): return "'\(name)' is not a text: write it between quotation marks"
        }
    }

    /// Whether a text can be a folder in a list that colons separate.
    private static func isFolder(_ text: String) -> Bool {
        if text.isEmpty { return false }
        return !text.contains(":") && !text.contains("\0")
    }

    private func problem(ofText text: String) -> String? {
        guard !text.isEmpty, !text.contains("\0") else {
            return "'\(name)' is empty: write a value or remove the line"
        }
        switch self {
        case .color where !Self.colors.contains(text):
            let words = Self.colors.joined(separator: ", ")
            return "'\(text)' is not a value of 'color': use \(words)"
        case .publicURL:
            return PublicURL.problem(of: text)
        case .place:
            let isPosition = (try? Parse.position(text, field: "places")) != nil
            return isPosition
                ? nil : "'\(text)' is not a position: write LATITUDE,LONGITUDE, such as 38.7223,-9.1393"
        default: return nil
        }
    }
}
