import Base
import HabitModel
import HabitStore
import StoreEngine

/// The habits of the store by user and title, for tables that name habits by their titles.
struct HabitTitles {
    private var ids: [String: [String: [String]]] = [:]
    /// The owners of the stored habits by ID.
    private var owners: [String: String] = [:]

    /// Reads the titles of all habits.
    init(in session: any Session) throws {
        try HabitTitleQuery.forEach(in: session) { id, user, title in
            ids[title, default: [:]][user, default: []].append(id)
            owners[id] = user
        }
    }

    /// Finds the habit with a title.
    ///
    /// - Parameters:
    ///   - title: The complete title in any letter case.
    ///   - user: The ID of the owner, or `nil` to search the habits of all users.
    /// - Returns: The ID, or `nil` if not exactly one habit has the title.
    func id(of title: String, user: String?) -> String? {
        let users = ids[title.folded] ?? [:]
        let found: [String]
        if let user {
            found = users[user] ?? []
        } else {
            found = users.values.flatMap(\.self)
        }
        return found.count == 1 ? found[0] : nil
    }

    /// Finds the owner of a stored habit.
    ///
    /// - Parameter name: The ID of the habit, or its complete title in any letter case.
    /// - Returns: The ID of the owner, or `nil` if not exactly one user has such a habit.
    func owner(of name: String) -> String? {
        if let owner = owners[name] { return owner }
        let users = ids[name.folded] ?? [:]
        return users.count == 1 ? users.keys.first : nil
    }

    /// Adds a habit and returns its record.
    mutating func create(_ title: String, user: String) -> HabitRecord {
        let id = ImportID.digest([user, "habit", title.composed, "0"], of: CSVImporter.source)
        ids[title.folded, default: [:]][user, default: []].append(id)
        return HabitRecord(id: id, user: user, title: title, schedule: .everyDay)
    }
}
