import Rendering

/// The list of all users of a nightly run, with links to their pages.
struct NightlyUserList {
    /// The dates of the run after a preposition, such as `on Friday, 2026-11-20`.
    let dates: String
    /// The users, with their figures if the run has them.
    let users: [(id: String, figures: NightlyFigures.User?)]
    /// The links to the lists before and after.
    let links: [RenderOptions.Page.Entry]

    /// Appends the page to a buffer.
    ///
    /// - Throws: An error of `OutputBuffer.flush()`.
    func write(into buffer: OutputBuffer) throws {
        var page = HTMLPage(title: "Users \(dates)", subtitle: "", into: buffer)
        page.navigation = links + [.init("Overview", NightlyRun.pageName)]
        try page.begin()
        page.append(
            """
            <div class="table" tabindex="0" role="region" aria-label="Table: Users">
            <table>
            <thead><tr><th scope="col">user</th><th scope="col">name</th><th scope="col" class="n">done</th>\
            <th scope="col" class="n">rate</th><th scope="col" class="n">streak</th></tr></thead>
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
        <td class="n">\(figures.map { "\($0.done) of \($0.due)" } ?? "")</td>\
        <td class="n">\(figures.map(Self.rate) ?? "")</td><td class="n">\(figures.map { "\($0.streak)" } ?? "")</td></tr>

        """
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
        let days = NightlyHeadline.count(figures.streak, "day")
        let second: HTML =
            figures.events == nil
            ? "<div><dt>Rate before</dt><dd>\(percent(figures.previousRate))</dd></div>"
            : "<div><dt>Four weeks</dt><dd>\(rate(figures))</dd></div>"
        return """
            <dl class="tiles">
            <div><dt>Done</dt><dd>\(figures.done) of \(figures.due)<small>\(share)</small></dd></div>
            \(second)
            <div><dt>Longest current streak</dt><dd>\(days)<small>\(isolated: figures.streakTitle ?? "")</small></dd></div>
            </dl>

            """
    }
}
