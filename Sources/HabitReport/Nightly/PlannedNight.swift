import HabitModel

/// A nightly run that is not made yet: its input, and what other runs of the archive say about its alerts.
public struct PlannedNight: Sendable {
    /// The manifest of the run, without files.
    public let manifest: NightlyManifest
    /// The names of the inputs that differ from the run in the archive, or `nil` if the archive has no run of the date.
    public let changes: [String]?
    /// The alerts of the night before, which are not raised again while they last.
    public let earlierAlerts: [NightAlert]
    /// The alerts of the date that other runs have raised.
    public let alreadyRaised: Set<NightAlert.ID>

    /// Compares the input of a run with the archive.
    ///
    /// - Parameters:
    ///   - manifest: The manifest with the input of the run.
    ///   - nights: The archive.
    ///   - runsAlerts: Whether the run has alert rules.
    /// - Throws: `input-unreadable` if the archive cannot be read.
    public init(_ manifest: NightlyManifest, in nights: NightlyArchive, runsAlerts: Bool) throws {
        var manifest = manifest
        let day = manifest.date
        let former = nights.manifest(of: day)
        var (earlier, raised): ([NightAlert], Set<NightAlert.ID>) = ([], [])
        if runsAlerts {
            let previous = try nights.newest(before: day)
            // If the night before has been removed, the alerts that last since then are those of the former run.
            earlier = previous?.alerts ?? former?.alerts.filter { $0.raised < day } ?? []
            manifest.input["alerts"] =
                previous == nil ? former?.input["alerts"] ?? NightAlert.digest([]) : NightAlert.digest(earlier)
            raised = Set(try [former, nights.oldest(after: day)].compactMap(\.self).flatMap(\.alerts).map(\.id))
        }
        self.manifest = manifest
        changes = former.map { manifest.changes(since: $0) }
        (earlierAlerts, alreadyRaised) = (earlier, raised)
    }
}
