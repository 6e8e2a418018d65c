import Foundation

/// The time zone that the machine is set to. It is the default of new accounts on the command line, and decides nothing else.
public enum MachineTimeZone {
    /// The identifier in `TZ`, else the zone that `/etc/localtime` links to, else `UTC`.
    ///
    /// A `TZ` that is a rule (`CET-1CEST`) and not an identifier is skipped, since an account needs an identifier.
    public static func id(
        environment: [String: String] = ProcessInfo.processInfo.environment, localTime: String = "/etc/localtime"
    ) -> String {
        let zone = environment["TZ"] ?? ""
        if let id = identifier(zone.hasPrefix(":") ? String(zone.dropFirst()) : zone) { return id }
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: localTime)
        return link.flatMap(identifier) ?? TimeZoneRules.utc.id
    }

    /// The identifier that a path in tzdata's folder ends with, or the text itself.
    private static func identifier(_ text: String) -> String? {
        var id = text
        if let folder = text.range(of: "/zoneinfo/", options: .backwards) { id = String(text[folder.upperBound...]) }
        for variant in ["posix/", "right/"] where id.hasPrefix(variant) { id.removeFirst(variant.count) }
        return TimeZoneRules(id)?.id
    }
}
