import ArgumentParser
import Base
import Foundation
import Geo
import HabitModel
import HabitReport
import HabitStore
import StoreEngine

/// The values that a shell offers for one argument.
///
/// They come from the store that the typed words, the environment and the configuration select, and contain only what
/// the acting user can see. The methods read, and neither migrate the store nor wait for a writer.
struct CompletionValues {
    /// The maximum number of values.
    static let limit = 200

    let words: CompletionWords

    private var typed: String { words.typed }

    /// Returns the values of `body` for the shell, or no values if it fails.
    func offered(_ body: (CompletionValues) throws -> [String]) -> [String] {
        guard let values = try? body(self) else {
            return []
        }
        var known: Set<String> = []
        let unique = values.filter { value in
            known.insert(value).inserted
        }
        return unique.prefix(Self.limit).map(ShellValue.text)
    }

    // MARK: Records

    /// Returns the names of records that complete the typed text.
    func names(_ listed: NameLookup.Listed) throws -> [String] {
        try read { names, clock in
            var values: [String] = []
            try names.forEach(listed, clock: clock) { id, name in
                let record = RecordName(id: id, name: name)
                if let value = record.completion(of: typed) {
                    values.append(value)
                }
                return values.count < Self.limit
            }
            return values
        }
    }

    /// Returns the titles of own habits, and the days of `HABIT@DAY` after a sign.
    func events() throws -> [String] {
        var days: [String] = []
        if let sign = typed.lastIndex(of: "@"), sign > typed.startIndex {
            let habit = typed[...sign]
            let events = CompletionKind.days.map { day in String(habit + day) }
            days = completing(events)
        }
        return try names(.ownHabits) + days
    }

    /// Returns the titles of own habits that are open today, otherwise those of all own habits with the days of
    /// `HABIT@DAY`.
    ///
    /// Another day has no open habits: its outcomes are not read.
    func openHabits() throws -> [String] {
        let isToday = words.value(of: "--day") == nil && words.value(of: "-d") == nil
        let open = isToday && !typed.contains("@") ? try namesOfOpenHabits() : []
        return open.isEmpty ? try events() : open
    }

    private func namesOfOpenHabits() throws -> [String] {
        try read { names, clock in
            let user = try ActingUser(names.viewer, clock: clock, in: names.session)
            let open = try HabitDay.toDo(of: user).filter(\.isOpen)
            return open.compactMap { habit in
                let record = RecordName(id: habit.habit, name: habit.title)
                return record.completion(of: typed)
            }
        }
    }

    /// Returns the values of the key of the configuration that precedes the typed word.
    func configurationValues() throws -> [String] {
        guard words.command.count > 2, let key = ConfigurationKey(words.command[2]) else { return [] }
        switch key {
        case .color: return completing(ConfigurationKey.colors)
        case .user: return try accounts()
        case .store, .reports, .publicURL, .place: return []
        }
    }

    /// Returns the items on which the command can act.
    func items() throws -> [String] {
        let scope: NameLookup.ItemScope =
            switch words.command.prefix(2) {
            case ["item", "claim"]: .claimable
            case ["item", "release"]: .claimed
            case ["item", "give"], ["item", "withdraw"], ["item", "edit"], ["item", "delete"]: .own
            case ["message", "list"], ["message", "send"]: .discussed
            default: .all
            }
        return try names(.items(scope))
    }

    /// Returns the users on whom a command of follows can act.
    func followTargets() throws -> [String] {
        switch words.command.prefix(2) {
        case ["follow", "accept"], ["follow", "reject"]: try names(.pendingFollowers)
        case ["follow", "drop"]: try names(.followers)
        case ["follow", "remove"]: try names(.followed)
        case ["user", "unblock"]: try names(.blockedUsers)
        default: try names(.users)
        }
    }

    /// Returns the IDs of all accounts, for a user who has yet to be chosen.
    func accounts() throws -> [String] {
        try read(as: .operator) { names, clock in
            var values: [String] = []
            try names.forEach(.users, clock: clock) { id, _ in
                if id.hasPrefix(typed) {
                    values.append(id)
                }
                return values.count < Self.limit
            }
            return values
        }
    }

    /// Returns the IDs of the valid tokens, for the operator.
    func tokens() throws -> [String] {
        guard words.value(of: "--as") == nil else { return [] }
        return try read(as: .operator) { names, clock in
            var values: [String] = []
            let selection = TokenQuery(viewer: .operator, clock: clock).selection
            try names.session.query(selection.sql) { row in
                values.append(row.text(0) ?? "")
                return true
            }
            return completing(values)
        }
    }

    /// Reads the store with the lookup of the acting user, or of `viewer`.
    private func read<Result>(
        as viewer: Viewer? = nil,
        _ body: (NameLookup, Clock) throws -> Result
    ) throws -> Result {
        let common = try commonOptions()
        let clock = try common.clock()
        return try common.open(.read).read { session in
            let viewer = try viewer ?? common.viewer(in: session)
            let names = common.names(for: viewer, in: session)
            return try body(names, clock)
        }
    }

    /// Returns the common options that are already typed.
    private func commonOptions() throws -> CommonOptions {
        var arguments = ["--wait", "1ms"]
        for option in ["--store", "--as", "--now", "--today", "--time-zone"] {
            guard var value = words.value(of: option), value != typed else {
                continue
            }
            if option == "--store" {
                value = UserFolders.process.expand(value)
            }
            arguments += [option, value]
        }
        if words.contains("--operator") {
            arguments.append("--operator")
        }
        return try CommonOptions.parse(arguments)
    }

    // MARK: Other values

    /// Returns the IDs of the reports in all folders, and the report files in the typed folder.
    func reports() throws -> [String] {
        let configuration = try Configuration.current.get()
        let folders = configuration.reports(option: words.values(of: "--reports"))
        let ids = try ReportCatalog(folders: folders.value).ids
        return completing(ids) + reportFiles()
    }

    private func reportFiles() -> [String] {
        var folder = ""
        if let slash = typed.lastIndex(of: "/") {
            folder = String(typed[...slash])
        }
        let path = folder.isEmpty ? "." : folder
        let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        let files = (names ?? []).sorted().filter { name in
            name.hasSuffix(".sql") && !name.hasPrefix(".")
        }
        let paths = files.map { name in folder + name }
        return completing(paths).filter(RecordName.isPlain)
    }

    /// Returns `last`, the places of the configuration, and cities from the second letter on.
    func positions() throws -> [String] {
        let configuration = try Configuration.current.get()
        var names = ["last"] + configuration.places.keys.sorted()
        if typed.count >= 2 {
            names += City.all.map(\.name)
        }
        return names.filter(RecordName.isPlain).compactMap { name in
            RecordName.completion(of: typed, by: name, \.foldedWithoutMarks)
        }
    }

    /// Returns the names of time zones that begin with the typed text.
    func timeZones() -> [String] { completing(TimeZoneDatabase.system.ids) }

    /// Returns the columns that the command lists, also after a comma.
    func columns() throws -> [String] {
        guard let list = ListedColumns(command: words.command) else {
            return []
        }
        let columns = try read { names, clock in
            try list.names(as: names.viewer, clock: clock, in: names.session)
        }
        var start = ""
        if let comma = typed.lastIndex(of: ",") {
            start = String(typed[...comma])
        }
        let words = ["all"] + columns
        return completing(words.map { word in start + word })
    }

    /// Returns the texts that begin with the typed text.
    private func completing(_ texts: [String]) -> [String] { texts.filter { text in text.hasPrefix(typed) } }
}
