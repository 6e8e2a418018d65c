import ArgumentParser
import HabitModel
import HabitStore

extension CompletionKind {
    // MARK: Fixed values

    /// Any text, for which a shell offers nothing.
    static let anyText = list([])

    /// The days that need no number.
    static let days = ["today", "yesterday"] + Weekdays.names

    /// A day.
    static let day = list(days + ["today-7"])

    /// A period.
    static let period = list(periods)

    /// A day or a period.
    static let dayOrPeriod = list(days + ["today-7"] + periods)

    /// A state of items.
    static let itemState = list(ItemQuery.State.allCases.map(\.rawValue) + [ItemQuery.State.all])

    /// The file of a photo.
    static let photo = file(extensions: ["jpg", "jpeg", "png", "webp", "gif"])

    /// The periods that need no number.
    static let periods = ["this-week", "last-week", "this-month", "last-month"]

    // MARK: Values of the program and of the store

    /// A habit of the acting user.
    static let ownHabit = values { values in
        try values.names(.ownHabits)
    }

    /// A habit that the acting user can see.
    static let visibleHabit = values { values in
        try values.names(.visibleHabits)
    }

    /// An event of the acting user: a habit, or a habit and a day.
    static let event = values { values in
        try values.events()
    }

    /// A habit for `done` or `skip`, or a habit and a day.
    static let openHabit = values { values in
        try values.openHabits()
    }

    /// The value of a key of the configuration.
    static let configurationValue = values { values in
        try values.configurationValues()
    }

    /// An item on which the command can act.
    static let item = values { values in
        try values.items()
    }

    /// A post of the acting user.
    static let ownPost = values { values in
        try values.names(.ownPosts)
    }

    /// A post that the acting user can see.
    static let visiblePost = values { values in
        try values.names(.visiblePosts)
    }

    /// A user.
    static let user = values { values in
        try values.names(.users)
    }

    /// A user on whom the command of follows can act.
    static let followTarget = values { values in
        try values.followTargets()
    }

    /// An account, before it is known who acts.
    static let account = values { values in
        try values.accounts()
    }

    /// A report, by its ID or its file.
    static let report = values { values in
        try values.reports()
    }

    /// A position, by the name of a place.
    static let position = values { values in
        try values.positions()
    }

    /// A time zone.
    static let timeZone = values { values in
        values.timeZones()
    }

    /// Columns of the command.
    static let columns = values { values in
        try values.columns()
    }

    /// A token.
    static let token = values { values in
        try values.tokens()
    }

    private static func values(_ body: @Sendable @escaping (CompletionValues) throws -> [String]) -> CompletionKind {
        custom { words, index, _ in
            CompletionValues(words: CompletionWords(words, index: index)).offered(body)
        }
    }
}
