import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitReport

/// The form with the parameters of a report: the texts that a person has given, and the problem of one of them.
package struct ReportForm: Sendable {
    package let report: Report
    /// The records that the fields for users and habits list.
    package var choices = ReportChoices()
    /// The given text of each parameter by option name.
    ///
    /// A position has the order of HTTP requests: LONGITUDE,LATITUDE. An empty field is an omitted parameter.
    package private(set) var texts: [String: String] = [:]
    /// The given or default text of each parameter of the run by option name, with absolute dates.
    ///
    /// It is empty if the report has not run.
    package private(set) var values: [String: String] = [:]
    /// The problem of a parameter; `nil` if the report has run.
    package private(set) var problem: Problem?

    /// Reads the texts of a request.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - parameters: The query parameters.
    init(_ report: Report, _ parameters: RequestParameters) {
        self.report = report
        for parameter in report.parameters {
            let name = parameter.optionName
            let text = Self.given(name, in: parameters)
            texts[name] = parameter.kind == .position ? text ?? Self.position(name, in: parameters) : text
        }
    }

    /// Returns the text of a field, or `nil` if it is empty.
    private static func given(_ name: String, in parameters: RequestParameters) -> String? {
        guard let text = parameters[name], !text.isEmpty else { return nil }
        return text
    }

    /// Returns the position of the two fields for a longitude and a latitude, or `nil` if both are empty.
    private static func position(_ name: String, in parameters: RequestParameters) -> String? {
        let longitude = given(longitudeField(name), in: parameters)
        let latitude = given(latitudeField(name), in: parameters)
        guard longitude != nil || latitude != nil else { return nil }
        return "\(longitude ?? ""),\(latitude ?? "")"
    }

    /// Returns the name of the field for the longitude of a position.
    package static func longitudeField(_ name: String) -> String { "\(name)-longitude" }

    /// Returns the name of the field for the latitude of a position.
    package static func latitudeField(_ name: String) -> String { "\(name)-latitude" }

    /// Returns the names of the fields that only the form of a report has, not its parameters.
    static func ownFields(of report: Report) -> [String] {
        let positions = report.parameters.filter { parameter in parameter.kind == .position }
        let names = positions.map(\.optionName)
        return names.flatMap { name in [longitudeField(name), latitudeField(name)] }
    }

    /// Returns the form of a report that has run.
    ///
    /// - Parameter run: The run with the values of its parameters.
    /// - Returns: The form with these values.
    func filled(by run: ReportRun) -> ReportForm {
        var form = self
        for parameter in report.parameters {
            form.values[parameter.optionName] = run.arguments[parameter.name]
        }
        return form
    }

    /// Returns the form with the problem of one of its fields, or `nil` if an error has another cause.
    ///
    /// - Parameter error: The error of the run.
    /// - Returns: The form with the problem, which names a parameter.
    func refused(by error: any Error) -> ReportForm? {
        let problem = Problem(error)
        let names = report.parameters.map(\.optionName)
        guard problem.status.kind == .clientError, let field = problem.field, names.contains(field) else { return nil }
        var form = self
        form.problem = problem
        return form
    }

    /// Whether the problem is only that the person has not given a value yet.
    package var lacksValue: Bool {
        guard let field = problem?.field else { return false }
        return texts[field] == nil
    }

    /// The status of the response; 200 if only a value is missing.
    var status: HTTPResponse.Status { lacksValue ? .ok : problem?.status ?? .ok }
}
