import ArgumentParser
import Base
import Foundation
import HabitModel
import HabitReport
import HabitStore
import Rendering
import StoreEngine

struct Nightly: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nightly",
        abstract: "Render the nightly reports of a day into a folder.",
        discussion: """
            The command creates the folder OUTPUT/DATE with summary.txt, index.html, manifest.json and one CSV or \
            GeoJSON file for each nightly report. A report is nightly if its header contains the key 'nightly'. The \
            folder appears only after all files are complete. The symbolic link OUTPUT/latest points to the newest \
            folder, and OUTPUT/index.html lists all folders.

            The same store and date produce the same bytes once the day is over for all users. A day ends for each \
            user in the user's own time zone. Before that, an undone habit of the user is open and not missed, and the \
            run is preliminary for the user.

            --since renders the missing reports from a day on, and again those whose input has changed: late events, \
            schedules, time zones, report files, or users whose day is over now. The log names the changes.

            --alerts also runs the reports with an 'alert' line, and writes alerts.csv and alerts.json. An alert is \
            raised once, in the first of consecutive nights that contain it. The exit status is 2 if the run raises an \
            alert. --notify passes raised alerts to a command as JSON on its standard input.

            --every week or month renders the reports of the last week (Monday to Sunday) or month that ends on or before \
            --date, into a folder named by its last day. --per-user also writes a text and a page for each user with a \
            habit, with only what the user can see, and their list digests.csv for a mail program.

            Dates such as 'yesterday' are in --time-zone (default: UTC, or with a configuration file the time zone of \
            its user, if the store has this user). A cron job at local midnight needs one of them; otherwise its day can be one day too early.

            --diff compares the reports of two days, given as dates or folders, and lists the changes.

            Examples:
              habitat nightly --output nights
              habitat nightly --output nights --date 2026-11-20 --quiet
              habitat nightly --output nights --since today-7 --keep 30 \\
                --time-zone Europe/Lisbon
              habitat nightly --output weeks --every week --per-user
              habitat nightly --output weeks --every week --date 2026-11-15
              habitat nightly --output nights --diff 2026-11-19 2026-11-20 --format csv
            """)

    enum LogFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Folder of the nightly reports; created if it does not exist (default with a configuration file: nights in your data folder).",
            valueName: "folder"),
        completion: .directory)
    var output: String?

    @OptionGroup var access: SharingOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Day of the reports, before today: 2026-11-20, yesterday, mon or -7d (default: yesterday). With --every, the last week or month that ends on or before the day.",
            valueName: "date"), completion: .day)
    var date: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "First day of a range: renders only missing reports and those whose input has changed.", valueName: "date"),
        completion: .day)
    var since: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Number of newest folders to keep; older folders are removed, except the folder of --date.",
            valueName: "number"), completion: .anyText)
    var keep: Int?

    @Option(parsing: .unconditional, help: ArgumentHelp("Period of the reports.", valueName: "period"))
    var every = NightlyPeriod.day

    @Flag(help: "Write a digest for each user with a habit.")
    var perUser = false

    @Flag(help: "Run the alert rules; exit with status 2 if the run raises an alert.")
    var alerts = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Command of the shell that gets raised alerts as JSON on standard input; implies --alerts.",
            valueName: "command"), completion: .anyText)
    var notify: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Two dates or folders whose reports are compared; renders no reports.", valueName: "date date"),
        completion: .day)
    var diff: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Output format of --diff (default: text).", valueName: "format"))
    var format: OutputFormat?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Format of the log on the standard error.", valueName: "form"))
    var logFormat = LogFormat.text

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Maximum run time of each report and of --notify, such as 5s or 2m.", valueName: "time"),
        completion: .anyText)
    var timeout = "60s"

    @OptionGroup var threads: ThreadOption
    @OptionGroup var reports: ReportOptions
    @OptionGroup var analyst: AnalystOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        let user = common.asOperator ? nil : try Configuration.current.get().user(option: common.as).value
        try common.requireOperator("nightly")
        let output = try folder()
        guard diff.isEmpty else { return try showDifference(in: output) }
        guard format == nil else {
            throw HabitError(
                .usage, "--format applies only to --diff: set the formats of a nightly report in its header",
                field: "format"
            )
        }
        if let keep, keep < 1 {
            throw HabitError(.parameterInvalid, "--keep must be 1 or more, not \(keep)", field: "keep")
        }
        let zone = try zone(of: user)
        let range = try self.days(in: zone)
        let days = range.filter { day in every.days(around: day).upperBound == day }
        // An unreadable report is an error, because it might belong to the run.
        let all = try reports.catalog().all().map { entry in try entry.report.get() }
        let ofPeriod = all.filter { report in report.periods.contains(every) }
        let chosen = ofPeriod.filter { report in !report.nightly.isEmpty }
        let rules = runsAlerts ? ofPeriod.filter { report in report.alert != nil } : []
        for report in chosen + rules {
            try report.requireNightlyParameters()
        }
        let team = try threads.team { try common.openForAnalysis(analyst) }
        let limits = try QueryOptions.limits(timeout, common)
        let archive = try NightlyArchive(output, sharing: access.sharing)
        let writer = try archive.lock()
        try requireSamePeriod(archive)
        // A day ends in each user's own time zone. --time-zone only selects the days.
        var runClock = try common.clock()
        runClock.timeZone = nil
        let inputs = try team.read { session, crew in
            try NightlyInputs(
                chosen + rules,
                options: fileOptions,
                days: range,
                timeZone: zone,
                runClock: runClock,
                in: session,
                crew: crew)
        }
        var raised = 0
        var isCurrent = true
        var failure: (any Error)?
        // The command does not render a day whose folder it would remove again.
        let kept = try keep.map { count in
            try archive.remaining(count, after: days, and: range.upperBound)
        }
        for day in days where kept?.contains(day) ?? true {
            do {
                let runPlan = try plan(day, inputs, in: archive)
                // Without a range, the user has requested exactly this day.
                guard since == nil || runPlan.changes != [] else { continue }
                isCurrent = false
                let run = NightlyRun(
                    chosen, alerts: runsAlerts ? AlertRules(rules, earlier: runPlan.earlierAlerts) : nil,
                    on: every.days(around: day), writesDigests: perUser, runClock: runClock, limits: limits)
                raised += try make(run, by: runPlan, from: team, to: writer, isLast: day == days.last)
            } catch let error as HabitError where since != nil && error.code != .timeout {
                // The days after it may succeed.
                failure = failure ?? error
                logFailure(day, error)
            } catch {
                failure = failure ?? error
                break
            }
        }
        if isCurrent { logCurrent(since: range.lowerBound) }
        func attempt(_ step: () throws -> Void) {
            do { try step() } catch { failure = failure ?? error }
        }
        attempt {
            if let notify, let delivery = try PendingAlerts(of: archive).deliver(to: notify, timeout: limits.timeout) {
                log(delivery)
            }
        }
        attempt {
            guard let keep else { return }
            for day in try writer.keep(keep, and: range.upperBound) {
                logRemoved(day)
            }
        }
        attempt { try writer.writeIndex() }
        if let failure { throw failure }
        if raised > 0 { throw ExitCode(Self.raisedStatus) }
    }

    /// Returns the input of the run of a day, compared with the archive.
    private func plan(_ day: Day, _ inputs: NightlyInputs, in archive: NightlyArchive) throws -> NightlyRunPlan {
        var manifest = inputs.manifest(of: day)
        manifest.period = every
        return try NightlyRunPlan(manifest, in: archive, runsAlerts: runsAlerts)
    }

    /// Checks that the archive contains no runs of another period.
    ///
    /// - Throws: `output-exists` if the newest run has another period.
    private func requireSamePeriod(_ archive: NightlyArchive) throws {
        guard let period = try archive.newest()?.period, period != every else { return }
        throw HabitError(
            .outputExists,
            "'\(archive.path)' contains the reports of each \(period.rawValue): choose another folder for each \(every.rawValue)",
            field: "every")
    }

    /// The exit status of a run that raises an alert.
    private static let raisedStatus: Int32 = 2

    /// The options that determine which files a run has.
    private var fileOptions: String {
        var options = ["every \(every.rawValue)"]
        if perUser { options.append("per-user") }
        if runsAlerts { options.append("alerts") }
        return options.joined(separator: ", ")
    }

    private var runsAlerts: Bool { alerts || notify != nil }

    /// Returns the folder of the option, or with a configuration file the folder in the data folder of the user.
    ///
    /// - Throws: `usage` without both.
    private func folder() throws -> String {
        if let output { return output }
        guard try Configuration.current.get().file != nil, let nights = UserFolders.process.nights else {
            throw HabitError(.usage, "Missing expected argument '--output <folder>': see 'habitat help nightly'")
        }
        try PrivateFile.makeFolder(of: nights)
        return nights
    }

    /// Returns the time zone of the report days, which is the same for all users.
    ///
    /// - Parameter user: The user of the variable or of the configuration file, whose zone counts only with a file.
    /// - Returns: The name of the time zone, which is UTC if the store does not have the user.
    /// - Throws: An error of the store.
    private func zone(of user: String?) throws -> String {
        if let zone = common.timeZone { return zone }
        guard let user, try Configuration.current.get().file != nil else { return TimeZoneRules.utc.id }
        let zone = try common.open(.read).read { session in
            try UserZoneQuery.zone(of: user, in: session)
        }
        return zone ?? TimeZoneRules.utc.id
    }

    /// Returns the current date in a time zone.
    private func today(in zone: String) throws -> Day {
        try common.clock().today(in: TimeZoneRules.named(zone, field: "time-zone"))
    }

    /// Returns the first and the last day for which reports are requested.
    ///
    /// Both are relative to the same current date.
    ///
    /// - Throws: `date-invalid` if a day is invalid or not over, or if the range is longer than 3660 days.
    private func days(in zone: String) throws -> ClosedRange<Day> {
        let today = try today(in: zone)
        let last = try DayExpression(date ?? "yesterday", field: "date").day(today: today)
        guard last < today else {
            throw HabitError(
                .dateInvalid, "\(last) is not over yet: choose a day up to \(today.advanced(by: -1))", field: "date")
        }
        let first =
            try since.map { try DayExpression($0, field: "since").day(today: today) } ?? every.lastEnd(upTo: last)
        guard first <= last else {
            throw HabitError(.dateInvalid, "--since \(first) is after \(last): choose an earlier day", field: "since")
        }
        guard first.distance(to: last) <= 3660 else {
            throw HabitError(
                .dateInvalid, "--since \(first) is more than 3660 days before \(last): choose a later day",
                field: "since")
        }
        return first...max(first, every.lastEnd(upTo: last))
    }

    /// Makes a nightly run and returns the number of alerts that it raises.
    private func make(
        _ run: NightlyRun,
        by runPlan: NightlyRunPlan,
        from team: ReadTeam,
        to writer: NightlyArchiveWriter,
        isLast: Bool
    ) throws -> Int {
        let manifest = runPlan.manifest
        let start = ContinuousClock.now
        var outcomes: [NightlyRun.Outcome] = []
        var raised: [NightlyAlert] = []
        func record(_ alerts: [NightlyAlert]) throws {
            raised = try PendingAlerts(of: writer.archive).update(
                manifest.date, alerts, alreadyRaised: runPlan.alreadyRaised(in: writer.archive),
                isDelivered: notify != nil)
        }
        var alerts: [NightlyAlert] = []
        try writer.publish(manifest) { draft in
            outcomes = try run.fill(draft, from: team)
            alerts = draft.manifest.alerts
            // The alerts are stored before the folder of the run appears. Otherwise a killed run could lose them.
            if notify != nil { try record(alerts) }
        }
        // Without a command, only a complete run raises alerts.
        if notify == nil, runsAlerts { try record(alerts) }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let page = page(of: manifest.date, isLast: isLast)
        logMade(runPlan, outcomes: outcomes, seconds: (seconds * 1000).rounded() / 1000, page: page)
        for alert in raised { logAlert(alert) }
        return raised.count
    }

    /// Returns the page of a run, if the configuration file determines the folder.
    ///
    /// - Parameters:
    ///   - day: The day of the run.
    ///   - isLast: Whether the command makes no later run. The page of the newest run is in the folder `latest`.
    /// - Returns: The path of the page.
    private func page(of day: Day, isLast: Bool) -> String? {
        guard output == nil, let nights = UserFolders.process.nights else { return nil }
        let link = "\(nights)/latest"
        let newest = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
        let folder = isLast && newest == "\(day)" ? link : "\(nights)/\(day)"
        return UserFolders.process.abbreviate("\(folder)/index.html")
    }

    // MARK: Log

    /// Writes a line of the log, unless `--quiet` is given.
    ///
    /// - Parameters:
    ///   - text: The line as text.
    ///   - object: The line as JSON.
    private func log(_ text: String, json object: [String: JSON]) {
        guard logFormat == .json else { return common.notice(text) }
        guard !common.quiet else { return }
        ErrorReport.write(ErrorReport.jsonLine(object))
    }

    private func logAlert(_ alert: NightlyAlert) {
        log(
            "Alert: \(alert.message)",
            json: [
                "level": "warning",
                "event": "alert-raised",
                "night": "\(alert.raised)",
                "report": .text(alert.report),
                "key": .text(alert.key),
                "message": .text(alert.message),
            ])
    }

    private func log(_ delivery: PendingAlerts.Delivery) {
        let nights = delivery.nights
        let dates =
            nights.count > 2 ? "\(nights[0]) to \(nights[nights.count - 1])" : nights.joined(separator: " and ")
        let count = delivery.count == 1 ? "1 alert" : "\(delivery.count) alerts"
        log(
            "Passed \(count) of \(dates) to the command.",
            json: [
                "level": "info",
                "event": "alerts-delivered",
                "count": .integer(delivery.count),
                "nights": .list(nights.map { night in .text(night) }),
            ])
    }

    private func logFailure(_ day: Day, _ error: HabitError) {
        log(
            "The nightly reports of \(day) were not made: \(error.message)",
            json: [
                "level": "error",
                "event": "night-failed",
                "night": "\(day)",
                "message": .text(error.message),
            ])
    }

    private func logCurrent(since day: Day) {
        log(
            "The nightly reports since \(day) are up to date.",
            json: ["level": "info", "event": "nights-current", "since": "\(day)"])
    }

    private func logRemoved(_ day: Day) {
        log(
            "Removed the nightly reports of \(day)",
            json: ["level": "info", "event": "night-removed", "night": "\(day)"])
    }

    /// Logs a complete run.
    ///
    /// - Parameters:
    ///   - runPlan: The plan of the run.
    ///   - outcomes: The number of rows of each report.
    ///   - seconds: The duration of the run.
    ///   - page: The path of the page, or `nil` if the log does not contain it.
    private func logMade(_ runPlan: NightlyRunPlan, outcomes: [NightlyRun.Outcome], seconds: Double, page: String?) {
        let day = runPlan.manifest.date
        let changes = runPlan.changes ?? []
        let rows = outcomes.map(\.rows).reduce(0, +)
        var text = "Rendered the nightly reports of \(day): \(outcomes.count) reports, \(rows) rows, \(seconds) s"
        if !changes.isEmpty { text += "; changed: \(changes.joined(separator: ", "))" }
        if let page { text += " · \(page)" }
        let reports = outcomes.map { outcome in (outcome.report, JSON.integer(outcome.rows)) }
        log(
            text,
            json: [
                "level": "info",
                "event": "night-made",
                "night": "\(day)",
                "seconds": .number(seconds),
                "rows": .integer(rows),
                "changed": .list(changes.map { change in .text(change) }),
                "reports": .object(Dictionary(uniqueKeysWithValues: reports)),
            ])
    }

    // MARK: Difference

    private func showDifference(in output: String) throws {
        guard diff.count == 2, date == nil, since == nil, keep == nil else {
            throw HabitError(
                .usage,
                "--diff requires two dates or folders and excludes --date, --since and --keep: write --diff 2026-11-19 2026-11-20",
                field: "diff")
        }
        let format = format ?? .text
        let today = try common.clock().today(in: .utc)
        let runs = try diff.map { text in
            // Any other text is the name of a folder.
            let trimmed = text.trimmingCharacters(in: .whitespaces)
            guard let day = try? DayExpression(trimmed, field: "diff"), day.isRelative else { return text }
            return try day.day(today: today).description
        }
        let rows = try NightlyDiff(from: runs[0], to: runs[1], in: NightlyArchive(output, forReading: true)).rows()
        let buffer = OutputBuffer(try OutputDestination.standardOutput.open())
        var options = RenderOptions()
        options.width = OutputOptions.terminalWidth ?? options.width
        try format.renderer(for: NightlyDiff.shape, options: options, into: buffer).render(rows)
        try buffer.close()
        if rows.isEmpty { common.notice("The nightly reports are equal.") }
    }
}
