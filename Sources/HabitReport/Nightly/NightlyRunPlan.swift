import HabitModel

/// The input of a nightly run before the run, compared with the archive.
public struct NightlyRunPlan: Sendable {
    /// The manifest of the run, without files.
    public let manifest: NightlyManifest
    /// The names of the inputs that differ from the run in the archive, or `nil` if the archive has no run of the date.
    public let changes: [String]?
    /// The alerts of the previous run, which are not raised again while they last.
    public let earlierAlerts: [NightlyAlert]
    /// The run of the same date in the archive.
    private let former: NightlyManifest?

    /// Compares the input of a run with the archive.
    ///
    /// - Parameters:
    ///   - manifest: The manifest with the input of the run.
    ///   - archive: The archive.
    ///   - runsAlerts: Whether the run has alert rules.
    /// - Throws: `input-unreadable` if the archive cannot be read.
    public init(_ manifest: NightlyManifest, in archive: NightlyArchive, runsAlerts: Bool) throws {
        var manifest = manifest
        let day = manifest.date
        let former = archive.manifest(of: day)
        var earlier: [NightlyAlert] = []
        if runsAlerts {
            if let previous = try archive.newest(before: day) {
                earlier = previous.alerts
                manifest.input["alerts"] = NightlyAlert.digest(earlier)
            } else {
                // If the previous run has been removed, the former run of the same date contains the earlier alerts.
                earlier = former?.alerts.filter { $0.raised < day } ?? []
                manifest.input["alerts"] = former?.input["alerts"] ?? NightlyAlert.digest([])
            }
        }
        self.manifest = manifest
        self.former = former
        changes = former.map { manifest.changes(since: $0) }
        earlierAlerts = earlier
    }

    /// Returns the alerts that other runs have raised: the former run of the same date and the next run.
    ///
    /// - Parameter archive: The archive.
    /// - Returns: The identities of the alerts.
    /// - Throws: `input-unreadable` if the archive cannot be read.
    public func alreadyRaised(in archive: NightlyArchive) throws -> Set<NightlyAlert.ID> {
        let others = try [former, archive.oldest(after: manifest.date)].compactMap(\.self)
        return Set(others.flatMap(\.alerts).map(\.id))
    }
}
