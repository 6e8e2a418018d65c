import Base
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// The digests of a nightly run: for each user with a habit, a text and a page for mail.
///
/// A digest contains only what its user can see, as if the user had run the reports. The text contains only the user's own
/// records: the figures of the user as sentences, and a table for each other report in the text summary.
struct NightlyDigests {
    /// The name of the list of digests, with the addresses of the users.
    static let listName = "digests.csv"

    /// The reports of the run.
    let reports: [Report]
    /// The arguments of a report.
    let arguments: (Report) -> [String: String]
    /// The clock of the reports.
    let clock: Clock
    /// The limits of each query.
    let limits: QueryLimits
    /// The heading of each digest, such as `Habits on Friday, 2026-11-20`.
    let heading: String

    private static let shape = ResultShape(
        columns: ["user", "email", "text", "html", "name"].enumerated().map { index, name in
            Column(name, .text, at: index)
        },
        identity: ["user"])

    /// Writes the digests and their list, with reports that are embedded in the program.
    ///
    /// - Parameters:
    ///   - draft: The folder to write to.
    ///   - session: The session of the caller.
    ///   - crew: The other threads.
    /// - Throws: The error of the first report that fails, or of a write.
    func write(to draft: NightlyRunDraft, in session: any Session, crew: ReadCrew) throws {
        let users = try DigestRecipient.all(in: session)
        try write(to: draft, users) { task in try crew.run(users.count, in: session, task) }
    }

    /// Writes the digests and their list, each in a transaction that may run any report.
    ///
    /// - Parameters:
    ///   - draft: The folder to write to.
    ///   - engine: The engine of the store.
    /// - Throws: The error of the first report that fails, or of a write.
    func write(to draft: NightlyRunDraft, from engine: any Engine) throws {
        let users = try engine.read { session in try DigestRecipient.all(in: session) }
        try write(to: draft, users) { task in
            for (index, user) in users.enumerated() {
                try engine.analyze(as: user.viewer, clock: clock) { session in
                    let finish = try task(index, session)
                    try finish()
                }
            }
        }
    }

    /// Writes the digests and their list.
    ///
    /// - Parameters:
    ///   - draft: The folder to write to.
    ///   - users: The users.
    ///   - run: Calls a closure for each user, and then the closures that it returns in the order of the users.
    /// - Throws: The error of the first report that fails, or of a write.
    private func write(
        to draft: NightlyRunDraft, _ users: [DigestRecipient],
        running run: (@escaping (Int, any Session) throws -> () throws -> Void) throws -> Void
    ) throws {
        let list = NightlyManifest.File(Self.listName, format: OutputFormat.csv.rawValue, key: ["user"])
        try draft.write(list) { buffer in
            let target = ResultRenderer { shape in try OutputFormat.csv.renderer(for: shape, into: buffer) }
            try target.begin(Self.shape)
            try run { index, session in
                let user = users[index]
                let digest = DigestContent()
                try write(digest, for: user, in: session)
                let stem = Self.prefix + FileNameEncoding.encode(user.id)
                let textName = stem + ".txt"
                let pageName = stem + ".html"
                try write(digest.text, to: textName, format: .text, of: draft)
                try write(digest.html, to: pageName, format: .html, of: draft)
                return {
                    let cells = [user.id, user.email, textName, pageName, user.name]
                    try target.append(ValueRow(cells.map { cell in .text(cell) }))
                }
            }
            try target.end()
            return target.rowCount
        }
    }

    private func write(
        _ content: OutputBuffer, to name: String, format: OutputFormat, of draft: NightlyRunDraft
    ) throws {
        try draft.write(NightlyManifest.File(name, format: format.rawValue)) { buffer in
            buffer.append(content)
            return nil
        }
    }

    /// Returns the figures of the user's own records.
    private func figures(of user: DigestRecipient, in session: any Session) throws -> NightlyFigures {
        let figures = NightlyFigures()
        let summary = reports.filter(NightlyFigures.isSummary)
        for report in summary {
            guard let reader = figures.reader(of: report.id) else { continue }
            let rows = DigestRows(reader, of: user.id, onlyOwn: true)
            try run(report, for: user, in: session).write(to: [rows], in: session)
        }
        return figures
    }

    /// Writes the page and the text of a digest.
    private func write(_ digest: DigestContent, for user: DigestRecipient, in session: any Session) throws {
        let figures = try figures(of: user, in: session)
        let others = reports.filter { report in !NightlyFigures.isSummary(report) }
        let sections = others.filter { report in report.nightly.contains(.html) }
        let name = user.name ?? user.id
        let page = HTMLPage(
            title: heading,
            subtitle: NightlyText.Run.digestSentence(for: name),
            sections: sections.map { report in .init(report.title, report.id) },
            into: digest.html)
        let text = digest.text
        try page.begin()
        text.append("\(heading)\n\(NightlyText.Run.digest(for: name))\n")
        if let own = figures.users?.first {
            page.append(NightlyUserList.tiles(own))
            text.append("\n")
            for line in NightlyHeadline.lines(of: own) {
                text.append(paragraph: line, width: NightlyRun.summaryWidth)
            }
        }
        for report in others {
            try write(report, for: user, to: page, and: text, in: session)
        }
        try page.end()
    }

    private func run(_ report: Report, for user: DigestRecipient, in session: any Session) throws -> ReportRun {
        let run = try ReportRun(report, arguments(report), viewer: user.viewer, clock: clock, in: session)
        return run.limited(limits)
    }

    private func write(
        _ report: Report,
        for user: DigestRecipient,
        to page: HTMLPage,
        and text: OutputBuffer,
        in session: any Session
    ) throws {
        var targets: [any RowTarget] = []
        let run = try run(report, for: user, in: session)
        if report.nightly.contains(.html) {
            var options = RenderOptions()
            options.ratesAsPercent = true
            options.page = report.page(run)
            // The heading contains the dates.
            options.page.parameters.removeAll { parameter in
                ["date", "from"].contains(parameter.name)
            }
            let section = ResultRenderer { shape in page.section(report.id, of: shape, options: options) }
            targets.append(DigestRows(section, of: user.id, onlyOwn: false))
        }
        let table = OutputBuffer()
        if report.nightly.contains(.text) {
            let renderer = ResultRenderer { shape in
                try OutputFormat.text.renderer(for: shape, options: NightlyRun.summaryOptions, into: table)
            }
            targets.append(DigestRows(renderer, of: user.id, onlyOwn: true))
        }
        if !targets.isEmpty { try run.write(to: targets, in: session) }
        let content = table.contents
        guard !content.isEmpty else { return }
        text.append("\n")
        text.append(paragraph: report.title, width: NightlyRun.summaryWidth)
        text.append(content.span)
    }

    /// The beginning of the names of digests.
    static let prefix = "digest-"

    /// Returns whether a file of a run is a digest.
    static func isDigest(_ name: String) -> Bool { name.hasPrefix(prefix) }
}

/// The page and the text of a digest.
private struct DigestContent {
    let html = OutputBuffer()
    let text = OutputBuffer()
}

/// A target for the rows of a digest, without the ID of its user.
private final class DigestRows: RowTarget {
    private let target: any RowTarget
    private let user: String
    private let onlyOwn: Bool
    private var column: Int?
    private var label: Int?

    /// Creates a target.
    ///
    /// - Parameters:
    ///   - target: The receiver of the rows.
    ///   - user: The ID of the digest's user.
    ///   - onlyOwn: Whether rows of other users and the column `user` are omitted.
    init(_ target: any RowTarget, of user: String, onlyOwn: Bool) {
        self.target = target
        self.user = user
        self.onlyOwn = onlyOwn
    }

    func begin(_ shape: ResultShape) throws {
        column = shape.columns.first { column in column.name == "user" }?.index
        label = shape.columns.first { column in column.name == "label" }?.index
        var shape = shape
        if onlyOwn, shape.identity.map(\.name) != ["user"] {
            shape.columns.removeAll { column in column.name == "user" }
            shape.table.removeAll { column in column.name == "user" }
        }
        try target.begin(shape)
    }

    func append(_ row: any Row) throws {
        if onlyOwn, let column, row.text(column) != user { return }
        try target.append(OwnRow(row, label: label, prefix: "\(user): "))
    }

    func end() throws { try target.end() }
}

extension ReportRun {
    /// Runs the report and passes its rows to all targets.
    ///
    /// - Parameters:
    ///   - targets: The receivers of the rows, which this function begins and ends.
    ///   - session: A session on the state of the store that the report reads.
    /// - Returns: The number of rows.
    /// - Throws: The errors of ``run(in:_:)`` and of the targets, with the ID of the report.
    @discardableResult
    func write(to targets: [any RowTarget], in session: any Session) throws -> Int {
        var count = 0
        do {
            try run(in: session) { shape in
                for target in targets { try target.begin(shape) }
                return { row in
                    count += 1
                    for target in targets { try target.append(row) }
                }
            }
            for target in targets { try target.end() }
        } catch let error as HabitError {
            throw report.naming(error)
        }
        return count
    }

    /// Returns the run with limits.
    ///
    /// The error of an unresponsive query names the report.
    func limited(_ limits: QueryLimits) -> ReportRun {
        var run = self
        run.query.limits = limits
        if let end = limits.onUnresponsive {
            run.query.limits.onUnresponsive = { [report] error in end(report.naming(error)) }
        }
        return run
    }
}

extension Report {
    /// Returns the error with the ID of the report.
    func naming(_ error: HabitError) -> HabitError {
        var error = error
        if !error.parameters.contains(.report(id)) { error.parameters.append(.report(id)) }
        return error
    }
}
