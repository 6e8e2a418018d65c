import Base
import HabitAPI
import HabitModel
import Rendering

/// The home page of a person: the habits of today, the inbox, the newest events of friends, and the ways to all lists.
struct PersonPage {
    let home: Home
    let person: Home.Person

    /// Returns the page.
    func page(_ site: PageSite) -> WebPage {
        var page = WebPage(title: PageText.Home.today)
        page.description = person.plan.today.inWords
        page.content = """
            <div class="columns">
            <div>
            \(habits(site))</div>
            <div>
            \(inbox(site))\(friends(site))</div>
            </div>

            """
        page.content += HomeWay.section(ways(site), id: "ways", title: PageText.Home.ways, site)
        page.content += DeveloperLinks.fold(home.landing, site)
        return page
    }

    // MARK: Habits

    private func habits(_ site: PageSite) -> HTML {
        site.sections.contains(.habits) ? due(site) + statuses(site) : ""
    }

    private func due(_ site: PageSite) -> HTML {
        var content: HTML
        if person.plan.habits.isEmpty {
            let reason = person.plan.hasHabits ? PageText.Home.nothingDue : PageText.Home.noHabits
            content = "<p class=\"empty\">\(reason)</p>\n"
        } else {
            let items = person.plan.habits.reduce("" as HTML) { items, habit in items + item(habit, site) }
            content = """
                <p class="count">\(PageText.Home.progress(person.plan.doneCount, of: person.plan.dueCount))</p>
                <ul class="entries">
                \(items)</ul>

                """
        }
        return section("due", title: PageText.Home.due, content)
    }

    private func item(_ habit: Home.Person.DueHabit, _ site: PageSite) -> HTML {
        var details: HTML = "\(habit.mark.word)"
        if let progress = habit.progressText { details += ", \(isolated: progress)" }
        if habit.streak > 1 { details += ", \(PageText.Home.streak(habit.streak))" }
        return """
            <li>
            <div><span aria-hidden="true">\(habit.mark.symbol)</span>
            <a href="\(site.root)/collections/habits/items/\(habit.habit.urlEncoded)">\(isolated: habit.title)</a>
            <p class="note">\(details)</p></div>
            \(habit.status.element)
            </li>

            """
    }

    private func statuses(_ site: PageSite) -> HTML {
        guard person.plan.hasHabits else { return "" }
        let tiles = person.plan.statuses.reduce("" as HTML) { tiles, entry in
            tiles + "<div><dt>\(entry.status.element)</dt><dd>\(entry.count)</dd></div>\n"
        }
        return section(
            "statuses",
            title: PageText.Home.yourHabits,
            """
            <dl class="tiles">
            \(tiles)</dl>
            <p><a href="\(site.root)/collections/habits/items">\(PageText.Home.allHabits)</a></p>

            """)
    }

    // MARK: Other people

    private func inbox(_ site: PageSite) -> HTML {
        let address: HTML = "\(site.root)/inbox?f=html"
        guard !person.inbox.isEmpty else {
            let nothing: HTML = "<p class=\"empty\">\(PageText.Home.nothingWaits)</p>\n"
            return section("inbox", title: PageText.Home.waiting, nothing)
        }
        let items = person.inbox.reduce("" as HTML) { items, entry in
            items + "<li><a href=\"\(address)\">\(entry.inWords)</a></li>\n"
        }
        return section("inbox", title: PageText.Home.waiting, "<ul class=\"waiting\">\n\(items)</ul>\n")
    }

    private func friends(_ site: PageSite) -> HTML {
        guard site.sections.contains(.habits) else { return "" }
        let content: HTML
        if person.events.isEmpty {
            content = """
                <p class="empty">\(PageText.Home.noFriendEvents)</p>
                <p><a href="\(site.root)/collections/users/items">\(PageText.Home.findPeople)</a></p>

                """
        } else {
            let items = person.events.reduce("" as HTML) { items, event in items + item(event, site) }
            content = """
                <ul class="entries">
                \(items)</ul>
                <p><a href="\(site.root)/collections/events/items?scope=friends">\(PageText.Home.allFriendEvents)</a></p>

                """
        }
        return section("friends", title: PageText.Home.friends, content)
    }

    private func item(_ event: Home.Person.NewestEvent, _ site: PageSite) -> HTML {
        let times = LocalTimes(zone: person.zone, today: person.plan.today)
        let time = event.at.map { at in times.html(at.instant) } ?? times.html(event.day)
        let outcome: HTML = event.outcome == .skipped ? ", \(PageText.Home.skippedEvent)" : ""
        return """
            <li>
            <div><a href="\(site.root)/collections/events/items/\(event.id.urlEncoded)">\(isolated: event.title)</a>
            <p class="note">\(isolated: person.names[event.user] ?? event.user)\(outcome)</p></div>
            \(time)
            </li>

            """
    }

    // MARK: Ways

    /// The lists of the page, in their order.
    private static let lists = ["events", "habits", "items", "posts", "following", "messages"]

    private func ways(_ site: PageSite) -> [HomeWay] {
        let application = site.hasApplication ? [HomeWay.application] : []
        let lists = Self.lists.compactMap { id in
            home.collections.first { collection in collection.id == id }
        }
        return application + [.reports, .map] + lists.map(HomeWay.list) + [.account]
    }

    private func section(_ id: String, title: String, _ content: HTML) -> HTML {
        """
        <section id="\(id)">
        <h2>\(title)</h2>
        \(content)</section>

        """
    }
}

extension Home.InboxCount {
    /// The number with the kind, such as `2 follow requests`.
    fileprivate var inWords: String {
        switch kind {
        case "request": PageText.Home.requestCount(count)
        case "claim": PageText.Home.claimCount(count)
        default: PageText.Home.messageCount(count)
        }
    }
}

extension Home.Person.DueHabit.Mark {
    /// The word for the state.
    fileprivate var word: String {
        switch self {
        case .done: PageText.Home.done
        case .partlyDone: PageText.Home.partlyDone
        case .skipped: PageText.Home.skipped
        case .open: PageText.Home.open
        }
    }

    /// The symbol before the title.
    fileprivate var symbol: String {
        switch self {
        case .done: "✓"
        case .partlyDone: "◐"
        case .skipped: "–"
        case .open: "○"
        }
    }
}

extension Day {
    /// The date in words, such as `Friday, 20 November 2026`.
    fileprivate var inWords: String {
        let date = civil
        return "\(DateNames.weekdays[weekday - 1]), \(date.day) \(DateNames.months[date.month - 1]) \(date.year)"
    }
}
