import Base
import HabitModel
import HabitStore

/// The habits of an import, with their IDs.
struct ImportedHabits {
    /// A habit of the import or of the store.
    struct Habit {
        var id: String
        /// The habit of the source, or `nil` for a stored habit that the import does not change.
        var draft: ImportedHabit?
        /// The input of the habit.
        var part: Int
        /// Whether the habit is written only if it has events.
        var isImplied = false
        /// Whether an event was rejected, which the user can correct and load.
        ///
        /// An implied habit is then written even if it has no other events.
        var hasRejectedEvents = false
        /// The reason why the habit is rejected.
        var isRejected = false
        /// The days of the first and the last event.
        var days: ClosedRange<Day>?

        /// Adds the day of an event.
        mutating func add(_ day: Day) {
            let first = min(days?.lowerBound ?? day, day)
            let last = max(days?.upperBound ?? day, day)
            days = first...last
        }
    }

    private let account: ImportAccount
    private(set) var all: [Habit] = []
    private var indexByID: [String: Int] = [:]
    private var indexByKey: [String: Int] = [:]
    /// The number of habits of the input with each title.
    private var titleCounts: [String: Int] = [:]
    private var storedByID: [String: Int] = [:]
    private var storedByTitle: [String: [Int]] = [:]

    init(_ account: ImportAccount) {
        self.account = account
        for (index, habit) in account.habits.enumerated() {
            storedByID[habit.id] = index
            storedByTitle[habit.foldedTitle, default: []].append(index)
        }
    }

    subscript(index: Int) -> Habit {
        get { all[index] }
        _modify { yield &all[index] }
    }

    /// Begins the next input, in which keys and titles have a new meaning.
    mutating func beginInput() {
        indexByKey = [:]
        titleCounts = [:]
    }

    /// Returns the stored start of a habit, or `nil` if the habit is not stored or has no start.
    func storedStart(of id: String) -> Day? {
        guard let index = storedByID[id] else { return nil }
        return account.habits[index].start
    }

    /// Whether the user has a stored habit with this ID.
    func isStored(_ id: String) -> Bool { storedByID[id] != nil }

    /// Returns the ID of the stored habit with an ID or a complete title, or `nil` if there is not exactly one.
    func storedID(of name: String) -> String? {
        let name = name.trimmed.singleLine.composed
        if storedByID[name] != nil { return name }
        let titled = storedByTitle[name.folded] ?? []
        guard titled.count == 1, let index = titled.first else { return nil }
        return account.habits[index].id
    }

    /// Adds a habit of the source and returns its index, and whether it is new in this import.
    mutating func add(
        _ draft: ImportedHabit,
        source: String,
        part: Int,
        isImplied: Bool = false
    ) -> (index: Int, isNew: Bool) {
        if let index = indexByKey[draft.key] {
            if !isImplied { all[index].isImplied = false }
            return (index, false)
        }
        let id = id(of: draft, source: source)
        titleCounts[draft.title.trimmed.composed, default: 0] += 1
        if let index = indexByID[id] {
            // Another input contains the same habit. A complete description takes precedence.
            indexByKey[draft.key] = index
            let isIncomplete = all[index].draft?.keepsStored != false
            if isIncomplete, !draft.keepsStored { all[index].draft = draft }
            return (index, false)
        }
        let habit = Habit(id: id, draft: draft, part: part, isImplied: isImplied)
        return (insert(habit, key: draft.key), true)
    }

    private func id(of draft: ImportedHabit, source: String) -> String {
        if let id = draft.id { return ImportID.unique(id, of: source) }
        return derivedID(of: draft, source: source)
    }

    /// Returns the ID of a habit whose source has no globally unique IDs.
    private func derivedID(of draft: ImportedHabit, source: String) -> String {
        let title = draft.title.trimmed.composed
        let number = titleCounts[title, default: 0]
        return ImportID.digest([account.id, "habit", title, String(number)], of: source)
    }

    private mutating func insert(_ habit: Habit, key: String) -> Int {
        let index = all.count
        all.append(habit)
        indexByID[habit.id] = index
        indexByKey[key] = index
        return index
    }

    /// Returns the index of the habit with a key of the input, or `nil` if the input has no such habit.
    func index(ofKey key: String) -> Int? { indexByKey[key] }

    /// Finds a stored habit by its ID or its complete title.
    ///
    /// - Returns: The index, or `nil` if the user has no such habit.
    /// - Throws: `unknown-reference` if several habits have the title.
    mutating func index(ofStored name: String, part: Int) throws(HabitError) -> Int? {
        let key = "stored:" + name.folded
        if let index = indexByKey[key] { return index }
        guard let id = try storedID(ofIDOrTitle: name) else { return nil }
        if let index = indexByID[id] {
            indexByKey[key] = index
            return index
        }
        return insert(Habit(id: id, part: part), key: key)
    }

    /// Returns the ID of the stored habit with an ID or a title, or `nil` if the user has no such habit.
    ///
    /// - Throws: `unknown-reference` if several habits have the title.
    private func storedID(ofIDOrTitle name: String) throws(HabitError) -> String? {
        if let stored = storedByID[name] { return account.habits[stored].id }
        let titled = storedByTitle[name.folded] ?? []
        guard let stored = titled.first else { return nil }
        guard titled.count == 1 else {
            throw HabitError(
                .unknownReference,
                "\(titled.count) habits have the title '\(name)': write the id of one of them",
                field: Field.habit.name)
        }
        return account.habits[stored].id
    }

    /// Finds the stored habit that the title of a habit of the source names, by its ID or its complete title.
    ///
    /// - Parameters:
    ///   - draft: The habit of the source.
    ///   - source: The beginning of the IDs of the source.
    ///   - part: The index of the input.
    /// - Returns: The index, or `nil` if the user has no such habit, or if several have the title and an earlier import of
    ///   the same source has created one of them.
    /// - Throws: `unknown-reference` if several other habits have the title.
    mutating func index(
        ofStoredNamedBy draft: ImportedHabit,
        source: String,
        part: Int
    ) throws(HabitError) -> Int? {
        let name = draft.title.trimmed.composed.singleLine
        let titled = storedByTitle[name.folded] ?? []
        if storedByID[name] == nil, titled.count > 1 {
            let id = derivedID(of: draft, source: source)
            let isKnown = titled.contains { index in account.habits[index].id == id }
            if isKnown { return nil }
        }
        guard let index = try index(ofStored: name, part: part) else { return nil }
        indexByKey[draft.key] = index
        return index
    }
}
