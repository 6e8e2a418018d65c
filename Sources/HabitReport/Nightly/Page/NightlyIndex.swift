import Base
import Glibc
import HabitModel
import Rendering

/// The page `index.html` of a nightly archive, which lists the runs with their headline figures, newest first.
///
/// It depends only on the manifests of the runs. The pages of the runs link to it and not to each other: a run depends
/// only on the store and its day, so it does not know which other runs exist. A link to `#before-DATE` or `#after-DATE`
/// leads to the row of the run before or after a date, from which a script opens the run. The query `page` names another
/// page of the run to open.
struct NightlyIndex {
    /// The name of the page in the archive.
    static let name = "index.html"
    /// Text that identifies the page, so that another file is never replaced.
    private static let mark = "<table class=\"nights\">"
    private static let mostBytes = 1 << 24

    private let archive: NightlyArchive

    /// Creates the page of an archive.
    init(_ archive: NightlyArchive) { self.archive = archive }

    /// Returns the links from a page of a run to the same page of the runs before and after it, and to the list.
    ///
    /// - Parameters:
    ///   - day: The date of the run.
    ///   - page: The file name of the page.
    /// - Returns: The text and the target of each link.
    static func links(of day: Day, to page: String) -> [RenderOptions.PageContent.Entry] {
        let query = page == NightlyRun.pageName ? "" : "?page=\(FileNameEncoding.url(of: page))"
        return [
            .init(NightlyText.Frame.previous, "../\(name)\(query)#before-\(day)"),
            .init(NightlyText.Frame.allDates, "../\(name)#\(day)"),
            .init(NightlyText.Frame.next, "../\(name)\(query)#after-\(day)"),
        ]
    }

    private var path: String { archive.file(Self.name) }

    /// Checks that the page can be written without loss of another file.
    ///
    /// - Throws: `output-exists` if another file, a folder or a link has the name of the page.
    func check() throws {
        guard archive.kind(of: path) != nil else { return }
        let current = try? NightlyFileReader(path).contents(most: Self.mostBytes)
        guard let current, String(decoding: current, as: UTF8.self).contains(Self.mark) else {
            throw HabitError(
                .outputExists, "'\(path)' exists and is not the list of nightly runs: move it to another folder")
        }
    }

    /// Writes the page if its content has changed.
    ///
    /// - Throws: The errors of ``check()``; `output-not-writable`, `no-space` or `write-failed`.
    func write() throws {
        try check()
        let content = try self.content
        if (try? NightlyFileReader(path).contents(most: Self.mostBytes)) == content { return }
        let buffer = OutputBuffer(try AtomicFile(path, replaces: true, sharing: archive.sharing, followsLinks: false))
        buffer.append(content.span)
        try buffer.close()
    }

    // MARK: Content

    private static let script: StaticString = """
        const row = document.getElementById(location.hash.slice(1));
        if (row && /^#(before|after)-/.test(location.hash)) {
          const page = new URLSearchParams(location.search).get("page") || "";
          const run = row.closest("tr").querySelector("a").href;
          location.replace(/^user[-s][\\w.%~-]*\\.html$/.test(page) ? new URL(encodeURIComponent(page), run) : run);
        }
        """

    /// The source of the script in a content security policy.
    static var scriptSource: String { PageFrame.source(of: script) }

    private var content: [UInt8] {
        get throws {
            let buffer = OutputBuffer()
            let manifests = try archive.runDays.compactMap { archive.manifest(of: $0) }
            let period = manifests.last?.period ?? .day
            let title = Self.title(period)
            let label = NightlyText.Frame.table(title)
            var page = HTMLPage(title: title, subtitle: "", into: buffer)
            page.script = Self.script
            try page.begin()
            page.append("<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"\(label)\">\n")
            page.append("\(HTML(stringLiteral: Self.mark))\n")
            page.append(
                """
                <thead><tr>\(Self.heading(period))<th scope="col" class="n">\(NightlyText.Frame.done)</th>\
                <th scope="col" class="n">\(NightlyText.Frame.rate)</th></tr></thead>
                <tbody>

                """)
            for i in manifests.indices.reversed() {
                page.append(
                    row(
                        manifests[i], after: i > 0 ? manifests[i - 1].date : nil,
                        before: i + 1 < manifests.count ? manifests[i + 1].date : nil))
            }
            page.append("</tbody>\n</table>\n</div>\n")
            page.append("<p class=\"count\">\(Self.count(manifests.count, period))</p>\n")
            try page.end()
            return buffer.contents
        }
    }

    private static func title(_ period: NightlyPeriod) -> String {
        switch period {
        case .day: NightlyText.Index.nightly
        case .week: NightlyText.Index.weekly
        case .month: NightlyText.Index.monthly
        }
    }

    private static func count(_ count: Int, _ period: NightlyPeriod) -> String {
        switch period {
        case .day: NightlyText.Count.dates(count)
        case .week: NightlyText.Count.weeks(count)
        case .month: NightlyText.Count.months(count)
        }
    }

    /// Returns the headings of the columns before the figures.
    private static func heading(_ period: NightlyPeriod) -> HTML {
        let headings =
            switch period {
            case .day: [NightlyText.Frame.date, NightlyText.Frame.weekday]
            case .week: [NightlyText.Frame.week]
            case .month: [NightlyText.Frame.month]
            }
        return headings.reduce("" as HTML) { cells, heading in
            "\(cells)<th scope=\"col\">\(heading)</th>"
        }
    }

    /// Returns the date of a day, the dates of a week, or the name of a month.
    private static func name(of manifest: NightlyManifest) -> HTML {
        let day = manifest.date
        switch manifest.period {
        case .day: return "\(day.description)"
        case .week:
            let dates = NightlyText.Index.week(from: day.monday.description, to: day.description)
            return HTML.withUnbrokenDates(dates)
        case .month:
            let name = DateNames.months[day.civil.month - 1]
            return "\(NightlyText.Index.month(name, year: day.civil.year))"
        }
    }

    /// Returns the row of a run, with anchors for the runs next to it.
    private func row(_ manifest: NightlyManifest, after: Day?, before: Day?) -> HTML {
        let date = manifest.date.description
        var figures = ""
        var rate = ""
        if let done = manifest.figures["done"], let due = manifest.figures["due"] {
            figures = NightlyText.Count.done(done, of: due)
            rate = NightlyHeadline.percent(done, of: due)
        }
        let count = manifest.preliminary.count
        let note: HTML = count == 0 ? "" : "<small>\(NightlyText.Index.preliminary(count))</small>"
        var anchors: HTML = ""
        if let after { anchors += "<span id=\"after-\(after.description)\"></span>" }
        if let before { anchors += "<span id=\"before-\(before.description)\"></span>" }
        let weekday: HTML =
            manifest.period == .day ? "<td>\(DateNames.weekdays[manifest.date.weekday - 1])</td>" : ""
        return """
            <tr id="\(date)"><td>\(anchors)<a href="\(date)/\(NightlyRun.pageName)">\(Self.name(of: manifest))</a>\(note)</td>\
            \(weekday)<td class="n">\(figures)</td><td class="n">\(rate)</td></tr>

            """
    }
}
