import StoreEngine

/// The columns of a list of records in the order in which people read them: what the record is first, its ID last.
struct RecordColumns {
    /// The column whose text is the link to the record; `nil` if the link is the ID.
    let title: Column?
    /// Whether the second column shows photos.
    let hasPhotos: Bool
    /// The other columns, without the ID.
    private(set) var others: [Column]
    /// Whether the last column shows IDs.
    let showsID: Bool

    /// The columns that another column makes redundant.
    private static let redundant: [(name: String, ifShown: Set<String>)] = [
        ("label", ["title", "user"]),
        ("color", ["status"]),
        ("user_name", ["user"]),
        ("habit", ["title"]),
        ("item", ["name"]),
        ("unit", ["target_amount"]),
        ("has_photo", ["photo_url"]),
    ]
    /// The columns that the map shows.
    private static let coordinates: Set<String> = ["longitude", "latitude"]

    /// Chooses the columns.
    ///
    /// - Parameters:
    ///   - shape: The visible columns.
    ///   - records: The records of the page. If the request does not select columns, a column that all of them leave
    ///     empty is hidden.
    init(_ shape: ResultShape, of records: [ListedRecord]) {
        let names = Set(shape.columns.map(\.name))
        let titleName = ListedRecord.titles.first(where: names.contains)
        title = shape.columns.first { column in column.name == titleName }
        let isFilled = records.contains { record in record.isFilled("photo_url") }
        hasPhotos = names.contains("photo_url") && (isFilled || shape.isSelected)
        let idName = shape.identity.count == 1 ? shape.identity.first?.name : nil
        let leading = Set(["photo_url", titleName, idName].compactMap(\.self))
        let isSelected = idName.map(names.contains) ?? !shape.isSelected
        showsID = title != nil && isSelected
        others = shape.columns.filter { column in !leading.contains(column.name) }
        if !shape.isSelected { removeRedundant(names, records) }
    }

    private mutating func removeRedundant(_ names: Set<String>, _ records: [ListedRecord]) {
        var hidden = Self.coordinates
        for rule in Self.redundant where rule.ifShown.isSubset(of: names) {
            hidden.insert(rule.name)
        }
        others.removeAll { column in
            hidden.contains(column.name) || !records.contains { record in record.isFilled(column.name) }
        }
    }

    /// Whether a column shows times of a day.
    var haveTimes: Bool { others.contains(where: \.isInstant) }

    /// The columns of a page with one record, in their order.
    ///
    /// - Parameters:
    ///   - shape: The visible columns.
    ///   - record: The record, whose title is the heading of the page.
    /// - Returns: The columns with a value, without those that other parts of the page show.
    static func ofPage(_ shape: ResultShape, _ record: ListedRecord) -> [Column] {
        var hidden = coordinates.union(["photo_url", "has_photo", "color", "unit", "user_name"])
        for name in ListedRecord.titles where record.text(name) == record.title {
            hidden.insert(name)
        }
        return shape.columns.filter { column in
            !hidden.contains(column.name) && record.values[column.name] != nil
        }
    }

    /// Returns the heading of a column.
    static func heading(_ name: String) -> String {
        headings[name] ?? name.replacing("_", with: " ")
    }

    private static let headings = [
        "at": "time",
        "claimed_at": "claimed",
        "distance_m": "distance",
        "has_photo": "photo",
        "id": "ID",
        "posted_at": "posted",
        "read_at": PageText.Record.readUntil,
        "remind_at": "reminder",
        "requested_at": "requested",
        "sent_at": "sent",
        "streak_current": "streak",
        "streak_longest": "longest streak",
        "target_amount": "target",
    ]
}

extension ListedRecord {
    /// Whether a list shows something in a column.
    fileprivate func isFilled(_ name: String) -> Bool {
        switch values[name] {
        case nil, .boolean(false)?: false
        default: true
        }
    }
}

extension Column {
    /// Whether the values are instants.
    var isInstant: Bool {
        if case .instant = value { true } else { false }
    }
}
