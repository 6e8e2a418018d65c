import Base
import Geo
import HabitModel
import HabitStore
import StoreEngine

/// The viewer, time and store state for which parameters are evaluated.
public struct ReportContext {
    /// The clock of the report.
    public var clock: Clock
    /// The date to which relative dates refer.
    public var today: Day
    /// The user who runs the report, or the operator.
    public var viewer: Viewer
    /// A session on the state of the store that the report reads.
    public var session: any Session
    /// The texts that stand for the records that parameters name.
    public var nameRule = NameLookup.Rule.whole
    /// The names of places that stand for positions.
    public var places = PlaceNames.none

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - clock: The clock of the report.
    ///   - today: The date to which relative dates refer.
    ///   - viewer: The user who runs the report, or the operator.
    ///   - session: A session on the state of the store that the report reads.
    public init(clock: Clock, today: Day, viewer: Viewer, session: any Session) {
        self.clock = clock
        self.today = today
        self.viewer = viewer
        self.session = session
    }

    /// The lookup of the records that parameters name.
    var names: NameLookup { NameLookup(viewer: viewer, rule: nameRule, in: session) }
}

extension ReportParameter {
    /// A value, parsed as far as possible without a store.
    enum Reading: Equatable {
        case value(Value)
        case position(Position)
        case lastPosition
        case me
        case user(String)
        case habit(String)
    }

    /// Returns the values of ``sqlNames`` for a parameter.
    ///
    /// - Parameters:
    ///   - text: The given text, or `nil` if the parameter is omitted.
    ///   - context: The context in which `text` is evaluated.
    /// - Returns: A value for each name. The values are NULL if an optional parameter is omitted.
    /// - Throws: `parameter-missing`, `parameter-invalid`, `date-invalid`, `position-invalid`, `distance-invalid`,
    ///   `not-found`, `not-signed-in` or `location-unavailable`. The field of the error is the parameter's option.
    public func bindings(for text: String?, _ context: ReportContext) throws -> [String: Value] {
        guard let text = try text ?? defaultText() else {
            return Dictionary(uniqueKeysWithValues: sqlNames.map { ($0, .null) })
        }
        do {
            switch try read(text, today: context.today, places: context.places) {
            case .value(let value): return [name: value]
            case .position(let position): return bindings(for: position)
            case .lastPosition:
                return bindings(for: try context.viewer.position(text, field: optionName, in: context.session))
            case .me: return [name: .text(try me(context))]
            case .user(let text):
                let id = context.nameRule == .beginning ? try context.names.userID(text) : text
                try AccessChecker(viewer: context.viewer, in: context.session).require(.view, on: .user, id: id)
                return [name: .text(id.composed)]
            case .habit(let habit):
                return [name: .text(try context.names.habitID(habit))]
            }
        } catch var error as HabitError {
            error.field = optionName
            throw error
        }
    }

    /// Returns the default value of an omitted parameter, or `nil` for NULL.
    private func defaultText() throws -> String? {
        switch need {
        case .required:
            throw HabitError(
                .parameterMissing, "the report requires a value for '\(optionName)' (\(meaning))", field: optionName,
                remedy)
        case .optional: nil
        case .default(let text): text
        }
    }

    /// The remedy of a missing value.
    var remedy: Remedy { .giveParameter(optionName, isPosition: kind == .position) }

    /// Parses `text` without access to the store.
    func read(_ text: String, today: Day, places: PlaceNames = .none) throws -> Reading {
        guard !text.utf8.contains(0) else {
            throw invalid("contains a NUL character: remove it")
        }
        switch kind {
        case .text: return .value(.text(try choice(text.composed)))
        case .integer: return .value(.integer(try integer(text)))
        case .number: return .value(.number(try number(text)))
        case .boolean: return .value(.boolean(try boolean(text)))
        case .date: return .value(.day(try DayExpression(text, as: bound, field: optionName).day(today: today)))
        case .instant: return .value(.integer(try Parse.instant(text, field: optionName).instant.microseconds))
        case .distance: return .value(.number(try Parse.distance(text, field: optionName).meters))
        case .position where text == "last": return .lastPosition
        case .position: return .position(try places.position(text, field: optionName))
        case .area: return .value(.text(try area(text).geoJSON))
        case .user: return text == "me" ? .me : .user(text)
        case .habit: return .habit(text)
        }
    }

    /// The role of a date in a range: the parameters `from` and `to` are the bounds of one.
    private var bound: DayExpression.Bound {
        switch name {
        case "from": .first
        case "to": .last
        default: .single
        }
    }

    /// Returns the area in the text of a GeoJSON object.
    func area(_ text: String) throws -> Area {
        do throws(AreaError) { return try Area(geoJSON: text.utf8) } catch {
            throw HabitError(.parameterInvalid, "\(error)", field: optionName)
        }
    }

    private func bindings(for position: Position) -> [String: Value] {
        Dictionary(
            uniqueKeysWithValues: zip(sqlNames, [.number(position.longitude), .number(position.latitude)]))
    }

    private func me(_ context: ReportContext) throws -> String {
        guard case .user(_, let id) = context.viewer else {
            throw HabitError(
                .notSignedIn, "'me' requires a signed-in user", .signIn, .advice("name a user"))
        }
        return id
    }

    private func choice(_ text: String) throws -> String {
        guard !choices.isEmpty, !choices.contains(text) else { return text }
        let hint = choices.nearestSpelling(to: text).map { ": did you mean '\($0)'?" } ?? ""
        throw invalid("must be one of \(choices.joined(separator: ", ")), not \(text.quoted)\(hint)")
    }

    private func integer(_ text: String) throws -> Int64 {
        guard let value = Int64(text) else {
            throw invalid("must be a whole number, not \(text.quoted)")
        }
        return value
    }

    private func number(_ text: String) throws -> Double {
        guard let value = Double(decimal: text) else {
            throw invalid("must be a number such as 0.85, not \(text.quoted)")
        }
        return value
    }

    private func boolean(_ text: String) throws -> Bool {
        guard let value = Bool(word: text) else {
            throw invalid("must be yes or no, not \(text.quoted)")
        }
        return value
    }

    /// Creates the error of a value; `problem` is a predicate of the parameter.
    private func invalid(_ problem: String) -> HabitError {
        HabitError(.parameterInvalid, "parameter '\(optionName)' \(problem)", field: optionName)
    }
}

extension Report {
    /// Returns the values of all SQL parameters, by name.
    ///
    /// - Parameters:
    ///   - arguments: The given texts by parameter name. The text of an area is GeoJSON.
    ///   - context: The context in which the texts are evaluated.
    /// - Returns: The values of the SQL parameters, without colons in the names.
    /// - Throws: `parameter-invalid` for an unknown parameter, and the errors of ``ReportParameter/bindings(for:_:)``.
    public func bindings(for arguments: [String: String], _ context: ReportContext) throws -> [String: Value] {
        for name in arguments.keys.sorted() where !parameters.contains(where: { $0.name == name }) {
            throw unknownParameter(name)
        }
        var bindings: [String: Value] = [:]
        for parameter in parameters {
            bindings.merge(try parameter.bindings(for: arguments[parameter.name], context)) { _, new in new }
        }
        return bindings
    }
}
