import Base
import HabitModel

/// The content of `manifest.json`, which lists the files of a nightly run.
public struct NightlyManifest: Sendable, Equatable {
    /// The name of the manifest file.
    public static let name = "manifest.json"

    /// The report day.
    public var date: Day
    /// The period of the reports, whose last day is ``date``.
    public var period = NightlyPeriod.day
    /// The time zone of the report day.
    public var timeZone: String
    /// The version of the program that made the run.
    public var habitat: String
    /// The input of the run by name, for example a digest of the events or the version of tzdata.
    ///
    /// It is empty for runs of earlier versions.
    public var input: [String: String] = [:]
    /// The IDs of the users whose day was not over at the time of the run, sorted.
    public var preliminary: [String] = []
    /// The alerts of the run, sorted by report, or an empty array if the run has no alert rules.
    public var alerts: [NightlyAlert] = []
    /// The headline figures of the run by name: `due` and `done` habits of all users.
    ///
    /// It is empty without the report `nightly-summary`.
    public var figures: [String: Int] = [:]
    /// The files of the run, except the manifest.
    public var files: [File]

    /// A file of the run, except the manifest.
    public struct File: Sendable, Equatable {
        /// The name of the file in the folder of the run.
        public var name: String
        /// The SHA-256 digest of the file, as 64 lowercase hexadecimal digits.
        public var sha256 = ""
        /// The size of the file in bytes.
        public var bytes = 0
        /// The number of rows, or `nil` if the file does not consist of rows, as a summary.
        public var rows: Int?
        /// The ID of the report in the file, or `nil` if the file does not contain exactly one report.
        public var report: String?
        /// The name of the file's format.
        public var format: String
        /// The names of the columns that identify a row.
        public var key: [String]
        /// The arguments of the report, by parameter name.
        public var parameters: [String: String]

        /// Creates an entry without a size, a digest and a number of rows.
        ///
        /// - Parameters:
        ///   - name: The name of the file in the folder of the run.
        ///   - report: The ID of the report in the file, or `nil` if the file does not contain exactly one report.
        ///   - format: The name of the file's format.
        ///   - key: The names of the columns that identify a row.
        ///   - parameters: The arguments of the report, by parameter name.
        public init(
            _ name: String, report: String? = nil, format: String, key: [String] = [],
            parameters: [String: String] = [:]
        ) {
            self.name = name
            self.report = report
            self.format = format
            self.key = key
            self.parameters = parameters
        }
    }

    /// Creates a manifest.
    ///
    /// - Parameters:
    ///   - date: The report day.
    ///   - timeZone: The time zone of the report day.
    ///   - habitat: The version of the program that makes the run.
    ///   - files: The files of the run, except the manifest.
    public init(date: Day, timeZone: String, habitat: String, files: [File] = []) {
        self.date = date
        self.timeZone = timeZone
        self.habitat = habitat
        self.files = files
    }

    /// Whether `name` is a valid name for a file of a run.
    ///
    /// A valid name has 1 to 255 bytes, no path separators or control characters, no leading period, and is not the
    /// name of the manifest.
    static func isFileName(_ name: String) -> Bool {
        let bytes = name.utf8
        return !bytes.isEmpty && bytes.count <= 255 && bytes.first != UInt8(ascii: ".")
            && !bytes.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 || $0 == 0x7F } && name != self.name
    }
}
