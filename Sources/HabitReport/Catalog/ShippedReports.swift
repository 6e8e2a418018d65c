/// The reports that come with the program: each file in `reports`, embedded by the build.
enum ShippedReports {
    /// By id. A test holds it against the folder.
    static let files: [String: [UInt8]] = [
        "history": PackageResources.history_sql
    ]
}
