/// The subject of a report, by which lists for people are grouped.
public enum ReportGroup: String, Sendable, CaseIterable {
    case day, habits, places, items, alerts, nights

    /// The heading of the group.
    public var title: String {
        switch self {
        case .day: "My day"
        case .habits: "Habits"
        case .places: "Places"
        case .items: "Items and posts"
        case .alerts: "Alerts"
        case .nights: "Nights"
        }
    }

    /// Whether the reports of the group are for the operator, who watches all users.
    public var isForOperator: Bool { self == .alerts || self == .nights }
}

extension Report {
    /// The group of a report whose header has no key `group`.
    var derivedGroup: ReportGroup {
        if alert != nil { return .alerts }
        return geometry == nil ? .habits : .places
    }
}
