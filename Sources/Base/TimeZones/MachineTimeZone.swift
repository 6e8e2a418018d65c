import Foundation

/// The time zone setting of the machine.
///
/// It is only the default of new accounts on the command line.
public enum MachineTimeZone {
    /// Returns the identifier in `TZ`, else the zone that `/etc/localtime` links to, else `UTC`.
    ///
    /// A `TZ` that is a rule (`CET-1CEST`) and not an identifier is skipped, because an account needs an identifier.
    ///
    /// - Parameters:
    ///   - environment: The environment variables.
    ///   - localTime: The path of the symbolic link to the zone's file.
    /// - Returns: The IANA identifier of a time zone.
    public static func id(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        localTime: String = "/etc/localtime"
    ) -> String {
        let setting = environment["TZ"] ?? ""
        if let id = identifier(inSetting: setting) {
            return id
        }
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: localTime)
        if let link, let id = identifier(link) {
            return id
        }
        return TimeZoneRules.utc.id
    }

    /// Returns the value of `TZ` if it is set and ``id(environment:localTime:)`` skips it, otherwise `nil`.
    ///
    /// - Parameter environment: The environment variables.
    /// - Returns: The value, or `nil`.
    public static func skippedSetting(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        let setting = environment["TZ"] ?? ""
        guard !setting.isEmpty, setting != ":" else {
            return nil
        }
        let isUsed = identifier(inSetting: setting) != nil
        return isUsed ? nil : setting
    }

    /// Returns the identifier in the value of `TZ`, which can begin with a colon.
    private static func identifier(inSetting setting: String) -> String? {
        guard setting.hasPrefix(":") else {
            return identifier(setting)
        }
        return identifier(String(setting.dropFirst()))
    }

    /// Returns the identifier in `text`, or `nil` if it does not name a time zone.
    ///
    /// `text` is an identifier or the path of a tzdata file.
    private static func identifier(_ text: String) -> String? {
        var id = text
        if let folder = text.range(of: "/zoneinfo/", options: .backwards) {
            id = String(text[folder.upperBound...])
        }
        for variant in ["posix/", "right/"] where id.hasPrefix(variant) {
            id.removeFirst(variant.count)
        }
        return TimeZoneRules(id)?.id
    }
}
