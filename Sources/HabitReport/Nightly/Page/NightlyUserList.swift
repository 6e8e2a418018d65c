import Rendering

/// The list of all users of a nightly run, with links to their pages.
struct NightlyUserList {
    /// The dates of the run after a preposition, such as `on Friday, 2026-11-20`.
    let dates: String
    /// The users, with their figures if the run has them.
    let users: [(id: String, figures: NightlyFigures.User?)]
    /// The links to the lists before and after.
    let links: [RenderOptions.PageContent.Entry]

    /// Appends the page to a buffer.
    ///
    /// - Throws: An error of `OutputBuffer.flush()`.
    func write(into buffer: OutputBuffer) throws {
        var page = HTMLPage(title: NightlyText.Users.list(dates), subtitle: "", into: buffer)
        page.navigation = links + [.init(NightlyText.Frame.overview, NightlyRun.pageName)]
        try page.begin()
        page.append(
            """
            <div class="table" tabindex="0" role="region" aria-label="\(NightlyText.Frame.table(NightlyText.Users.users))">
            <table>
            <thead><tr><th scope="col">\(NightlyText.Frame.user)</th><th scope="col">\(NightlyText.Frame.name)</th>\
            <th scope="col" class="n">\(NightlyText.Frame.done)</th>\
            <th scope="col" class="n">\(NightlyText.Frame.rate)</th>\
            <th scope="col" class="n">\(NightlyText.Frame.streak)</th></tr></thead>
            <tbody>

            """)
        for user in users {
            page.append(row(user.id, user.figures))
            try buffer.flushIfFull()
        }
        page.append("</tbody>\n</table>\n</div>\n")
        try page.end()
    }

    private func row(_ id: String, _ figures: NightlyFigures.User?) -> HTML {
        """
        <tr><td><a href="\(FileNameEncoding.url(of: NightlyUserPages.name(of: id)))">\(isolated: id)</a></td>\
        <td>\(isolated: figures?.name ?? "")</td>\
        <td class="n">\(figures.map(Self.done) ?? "")</td>\
        <td class="n">\(figures.map(Self.rate) ?? "")</td><td class="n">\(figures.map { "\($0.streak)" } ?? "")</td></tr>

        """
    }

    private static func done(_ figures: NightlyFigures.User) -> String {
        NightlyText.Count.done(figures.done, of: figures.due)
    }

    private static func rate(_ figures: NightlyFigures.User) -> String {
        percent(figures.rate)
    }

    private static func percent(_ rate: Double?) -> String {
        guard let rate else { return "" }
        return ShareText.forPeople(rate)
    }

    /// Returns the figures of a user as tiles.
    static func tiles(_ figures: NightlyFigures.User) -> HTML {
        let share = NightlyHeadline.percent(figures.done, of: figures.due)
        let days = NightlyText.Count.days(figures.streak)
        let second: HTML =
            figures.events == nil
            ? "<div><dt>\(NightlyText.Figures.rateBefore)</dt><dd>\(percent(figures.previousRate))</dd></div>"
            : "<div><dt>\(NightlyText.Figures.fourWeeks)</dt><dd>\(rate(figures))</dd></div>"
        return """
            <dl class="tiles">
            <div><dt>\(NightlyText.Figures.done)</dt><dd>\(done(figures))<small>\(share)</small></dd></div>
            \(second)
            <div><dt>\(NightlyText.Figures.longestStreak)</dt>\
            <dd>\(days)<small>\(isolated: figures.streakTitle ?? "")</small></dd></div>
            </dl>

            """
    }
}
