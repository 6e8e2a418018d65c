import Base
import HabitModel

/// A record that a name can stand for.
struct NamedRecord {
    /// The ID of the record.
    var id: String
    /// The title, name or caption.
    var name: String
    /// Whether the record belongs to the viewer.
    var isOwn: Bool
    /// Words that distinguish the record from others with the same name.
    var note: String
}

/// A search for the record that a name stands for, among records that the viewer can see.
///
/// The first step with a match decides: the whole name, the beginning of the name or of the ID, the beginning of a word
/// of the name. In each step, the viewer's records precede others.
///
/// The search keeps only a few records, so its memory does not depend on their number.
struct NameSearch {
    /// A step of the search in which the records of the viewer or of others match.
    private struct Step: Hashable, Comparable {
        enum Kind: Comparable { case whole, beginning, word }

        var kind: Kind
        var isOther: Bool

        static func < (a: Step, b: Step) -> Bool {
            (a.kind, a.isOther ? 1 : 0) < (b.kind, b.isOther ? 1 : 0)
        }
    }

    /// The records that match in a step.
    private struct Match {
        /// The first records, with at least two names if the records have several names.
        private(set) var records: [NamedRecord] = []
        private(set) var hasSeveralNames = false

        /// Adds a record, and keeps one more than an error lists, so that the error reports that more records match.
        mutating func add(_ record: NamedRecord) {
            let isNewName = records.contains { other in other.name.folded != record.name.folded }
            let isFull = records.count > NameSearch.listedCount
            if !isFull {
                records.append(record)
            } else if isNewName, !hasSeveralNames {
                records[0] = record
            }
            hasSeveralNames = hasSeveralNames || isNewName
        }
    }

    /// The maximum number of records that an error lists.
    private static let listedCount = 9
    /// The maximum number of records that are compared for a suggestion.
    private static let suggestedCount = 2000
    /// The minimum length of the beginning of an ID, in characters.
    private static let shortestID = 6

    private let text: String
    private let kind: AccessObject.Kind
    private let rule: NameLookup.Rule
    private let folded: String
    private let beginning: NameBeginning
    private let idBeginning: String?
    private var matches: [Step: Match] = [:]
    private var names: [String: String] = [:]

    /// Creates a search for the records of a kind that `text` stands for.
    init(_ text: String, kind: AccessObject.Kind, rule: NameLookup.Rule) {
        self.text = text
        self.kind = kind
        self.rule = rule
        folded = text.folded
        beginning = NameBeginning(text)
        idBeginning = text.count >= Self.shortestID ? text.composed : nil
    }

    /// Compares the text with the name and the ID of a record.
    mutating func add(_ record: NamedRecord) {
        guard let step = step(of: record) else {
            if names.count < Self.suggestedCount {
                names[record.name.folded] = record.name
            }
            return
        }
        matches[step, default: Match()].add(record)
    }

    private func step(of record: NamedRecord) -> Step? {
        guard let kind = stepKind(of: record) else {
            return nil
        }
        return Step(kind: kind, isOther: !record.isOwn)
    }

    private func stepKind(of record: NamedRecord) -> Step.Kind? {
        if !folded.isEmpty, record.name.folded == folded {
            return .whole
        }
        guard rule == .beginning else {
            return nil
        }
        let match = beginning.match(in: record.name)
        let hasID = idBeginning.map { beginning in record.id.utf8.starts(with: beginning.utf8) } ?? false
        if match == .name || hasID {
            return .beginning
        }
        return match == .word ? .word : nil
    }

    // MARK: Result

    /// Returns the only record of the first step with a match.
    ///
    /// - Returns: The record, or `nil` if no step has a match.
    /// - Throws: `usage` if the step has several matches.
    func record() throws(HabitError) -> NamedRecord? {
        guard let step = matches.keys.min(), let records = matches[step]?.records else {
            return nil
        }
        guard records.count == 1 else {
            throw ambiguous(records, step.kind)
        }
        return records.first
    }

    /// Returns the records of the first step with a match, which all have the same name.
    ///
    /// - Returns: The records, or an empty array if no step has a match.
    /// - Throws: `usage` if the names differ.
    func recordsOfOneName() throws(HabitError) -> [NamedRecord] {
        guard let step = matches.keys.min(), let match = matches[step] else {
            return []
        }
        guard !match.hasSeveralNames else {
            throw ambiguous(match.records, step.kind)
        }
        return match.records
    }

    /// The error if no step has a match, or `nil` if no name is similar to the text.
    var suggestion: HabitError? {
        guard let nearest = names.keys.sorted().nearestSpelling(to: folded), let name = names[nearest] else {
            return nil
        }
        return HabitError(
            .notFound,
            "no \(kind.rawValue) is called '\(text)'",
            field: kind.rawValue,
            .advice("did you mean '\(name)'?"))
    }

    private func ambiguous(_ records: [NamedRecord], _ step: Step.Kind) -> HabitError {
        let problem =
            switch step {
            case .whole: "several \(kind.rawValue)s have the \(nameOfName) '\(text)'"
            case .beginning: "'\(text)' is the beginning of several \(kind.rawValue)s"
            case .word: "'\(text)' is the beginning of a word in several \(kind.rawValue)s"
            }
        return Self.ambiguous(problem, records, field: kind.rawValue)
    }

    /// The word for the name of a record of the kind.
    private var nameOfName: String {
        switch kind {
        case .habit: "title"
        case .post: "caption"
        default: "name"
        }
    }

    /// Returns the error for a text that stands for several records.
    ///
    /// - Parameters:
    ///   - problem: The problem, to which the records are added.
    ///   - records: The records, of which the error lists at most nine.
    ///   - field: The field of the error.
    /// - Returns: The error.
    static func ambiguous(_ problem: String, _ records: [NamedRecord], field: String) -> HabitError {
        let counts = Dictionary(grouping: records, by: \.name.folded)
        let labels = records.prefix(listedCount).map { record in
            let isUnique = counts[record.name.folded]?.count == 1
            return isUnique ? label(record) : "\(record.id) (\(record.note))"
        }
        let more = records.count > listedCount ? ", …" : ""
        return HabitError(.usage, "\(problem): \(labels.joined(separator: ", "))\(more)", field: field)
    }

    private static func label(_ record: NamedRecord) -> String {
        record.isOwn ? record.name : "\(record.name) (\(record.note))"
    }
}
