import Foundation

/// The folders of custom reports that the user of a program specifies.
package enum ReportFolders {
    /// Returns the folders of the option `--reports`, or of `HABITAT_REPORTS` if the option is omitted.
    ///
    /// - Parameter option: The values of the option, in the order of priority.
    /// - Returns: The folders in the order of priority.
    package static func folders(of option: [String]) -> [String] {
        guard option.isEmpty else { return option }
        let named = ProcessInfo.processInfo.environment["HABITAT_REPORTS"] ?? ""
        return named.split(separator: ":").map(String.init)
    }
}
