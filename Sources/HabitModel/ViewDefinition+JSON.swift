import Base
import Geo

extension ViewDefinition {
    /// The members of the JSON text of a definition.
    enum Member: String, CaseIterable {
        case layers, habits, outcome, comment, from, to, days, bbox, rounding, status
    }

    /// Reads a definition.
    ///
    /// This is the only reader, for requests and for the store. A member that is null counts as missing.
    ///
    /// - Parameters:
    ///   - object: A JSON object.
    ///   - others: The names of the other members that the object may have.
    /// - Throws: `row-invalid` if the value is not an object; `field-missing` without layers; `field-invalid` for an
    ///   unknown member or a wrong value; `date-invalid` for a date; the errors of ``checked()``.
    package init(_ object: JSONNode, besides others: Set<String> = []) throws {
        guard object.isObject else {
            throw HabitError(.rowInvalid, "the view is not a JSON object: send one, such as {\"layers\": [\"events\"]}")
        }
        for member in object.members where Member(rawValue: member.name) == nil && !others.contains(member.name) {
            let known = Member.allCases.map(\.rawValue) + others.sorted()
            throw HabitError(
                .fieldInvalid,
                "unknown member '\(member.name.prefix(40))': use \(known.joined(separator: ", "))",
                field: String(member.name.prefix(40)))
        }
        let members = ViewMembers(object: object)
        let layers: [Layer]? = try members.choices(.layers)
        guard let layers else {
            throw HabitError(
                .fieldMissing,
                "field 'layers' is required: send a list such as [\"events\"]",
                field: Member.layers.rawValue)
        }
        var definition = try ViewDefinition(layers: layers)
        definition.habits = try members.texts(.habits) ?? []
        definition.outcome = try members.choice(.outcome)
        definition.comment = try members.text(.comment)
        definition.period = try members.period
        definition.box = try members.box
        definition.rounding = try members.choice(.rounding) ?? .street
        definition.showsStatus = try members.truth(.status) ?? false
        self = try definition.checked()
    }

    /// Reads a stored definition.
    ///
    /// - Parameter text: The JSON text of ``json``.
    /// - Throws: `row-invalid` if the text is not JSON, and the errors of ``init(_:besides:)``.
    package init(stored text: String) throws {
        self = try JSONParser.reading(text.utf8) { object in try ViewDefinition(object) }
    }

    /// The definition in its only JSON form: members in a fixed order, without those that have no effect.
    package var json: JSON {
        var members = [JSON.Member(Member.layers.rawValue, .list(layers.map { layer in .text(layer.rawValue) }))]
        func append(_ member: Member, _ value: JSON?) {
            guard let value else { return }
            members.append(JSON.Member(member.rawValue, value))
        }
        append(.habits, habits.isEmpty ? nil : .list(habits.map { habit in .text(habit) }))
        append(.outcome, outcome.map { outcome in .text(outcome.rawValue) })
        append(.comment, comment.map { comment in .text(comment) })
        switch period {
        case .always:
            break
        case .between(let first, let last):
            append(.from, first.map { day in .text(day.description) })
            append(.to, last.map { day in .text(day.description) })
        case .last(let days):
            append(.days, .integer(days))
        }
        append(
            .bbox, box.map { box in .list([box.west, box.south, box.east, box.north].map { side in .number(side) }) })
        append(.rounding, .text(rounding.rawValue))
        append(.status, showsStatus ? true : nil)
        return .ordered(members)
    }
}

/// Reads the members of a definition, each with its form.
private struct ViewMembers {
    typealias Member = ViewDefinition.Member

    let object: JSONNode

    func text(_ member: Member) throws -> String? {
        guard let node = object[member.rawValue] else { return nil }
        guard let text = node.text else {
            throw ViewDefinition.invalid(member, "the member '\(member.rawValue)' is not a text: put it in quotes")
        }
        return text
    }

    func truth(_ member: Member) throws -> Bool? {
        guard let node = object[member.rawValue] else { return nil }
        guard let truth = node.boolean else {
            let name = member.rawValue
            throw ViewDefinition.invalid(member, "the member '\(name)' is not true or false: send one of them")
        }
        return truth
    }

    func texts(_ member: Member) throws -> [String]? {
        guard let node = object[member.rawValue] else { return nil }
        let texts = node.items.map(\.text)
        let known = texts.compactMap(\.self)
        guard node.isArray, known.count == texts.count else {
            throw ViewDefinition.invalid(member, "the member '\(member.rawValue)' is not a list of texts: send a list")
        }
        return known
    }

    func choice<Choice>(_ member: Member) throws -> Choice?
    where Choice: RawRepresentable<String> & CaseIterable {
        try text(member).map { text in try Self.choice(text, of: member) }
    }

    func choices<Choice>(_ member: Member) throws -> [Choice]?
    where Choice: RawRepresentable<String> & CaseIterable {
        try texts(member).map { texts in
            try texts.map { text in try Self.choice(text, of: member) }
        }
    }

    private static func choice<Choice>(_ text: String, of member: Member) throws -> Choice
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw ViewDefinition.invalid(member, "'\(text.prefix(40))' is not one of \(known): use one of them")
        }
        return choice
    }

    var period: ViewDefinition.Period {
        get throws {
            let first = try day(.from)
            let last = try day(.to)
            guard let node = object[Member.days.rawValue] else {
                return first == nil && last == nil ? .always : .between(first, last)
            }
            guard first == nil, last == nil else {
                throw ViewDefinition.invalid(.days, "'days' excludes 'from' and 'to': omit 'days' or both of them")
            }
            guard node.isNumber, let days = node.integer.flatMap(Int.init(exactly:)) else {
                throw ViewDefinition.invalid(.days, "the member 'days' is not an integer: send a number such as 30")
            }
            return .last(days: days)
        }
    }

    private func day(_ member: Member) throws -> Day? {
        try text(member).map { text in try Parse.day(text, field: member.rawValue) }
    }

    var box: BoundingBox? {
        get throws {
            guard let node = object[Member.bbox.rawValue] else { return nil }
            let items = node.items
            let sides = items.compactMap { item in item.isNumber ? item.number : nil }
            guard node.isArray, items.count == 4, sides.count == 4,
                let box = BoundingBox(west: sides[0], south: sides[1], east: sides[2], north: sides[3])
            else {
                throw HabitError(
                    .positionInvalid,
                    "the member 'bbox' is not [west, south, east, north] in degrees: send four numbers, south below north",
                    field: Member.bbox.rawValue)
            }
            return box
        }
    }
}
