import Base
import HabitAPI

/// The names of the records to which the records of a page refer, and the times of the page.
struct ReferenceNames {
    /// The columns with the IDs of users.
    private static let ofUsers: Set<String> = [
        "user", "follower", "followee", "sender", "recipient", "claimed_by", "poster",
    ]

    /// Returns whether a column of a record contains the ID of a user.
    ///
    /// The column `follower` of a user is the status of a follow.
    static func isUser(_ column: String, of record: ListedRecord) -> Bool {
        let isStatus = column == "follower" && record.values["followee"] == nil
        return ofUsers.contains(column) && !isStatus
    }

    private var users: [String: String] = [:]
    private var items: [String: String] = [:]
    /// The dates and times in the zone of the reader.
    let times: LocalTimes

    /// Reads the names.
    ///
    /// - Parameters:
    ///   - records: The records of the page.
    ///   - names: The names that the page may show.
    /// - Throws: An error of a query.
    init(of records: [ListedRecord], _ names: RecordNames) throws {
        let zone = try names.zone()
        times = LocalTimes(zone: zone, today: names.today(in: zone))
        for record in records {
            addKnownName(of: record)
            try readUsers(of: record, names)
            try readItem(of: record, names)
        }
    }

    /// Adds the name of the user of a record, if the record contains it.
    private mutating func addKnownName(of record: ListedRecord) {
        guard let user = record.text("user") else {
            return
        }
        users[user] = record.text("user_name") ?? users[user]
    }

    private mutating func readUsers(of record: ListedRecord, _ names: RecordNames) throws {
        for column in Self.ofUsers where Self.isUser(column, of: record) {
            guard let user = record.text(column),
                users[user] == nil
            else { continue }
            users[user] = try names.user(user)
        }
    }

    private mutating func readItem(of record: ListedRecord, _ names: RecordNames) throws {
        guard let item = record.text("item"),
            items[item] == nil
        else { return }
        items[item] = try names.item(item)
    }

    /// Returns the name of a user, or the ID if the reader sees no name.
    func user(_ id: String) -> String {
        users[id] ?? id
    }

    /// Returns the name of an item, or `nil` if the reader cannot see the item.
    func item(_ id: String) -> String? {
        items[id]
    }
}
