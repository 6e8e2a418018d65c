import Base
import HTTPServing
import HabitAPI
import HabitReport
import Rendering

/// The fields of the form of a report, one for each declared parameter.
struct ReportFields {
    /// Maximum length of a text that a person types.
    private static let textLength = 500

    private let form: ReportForm
    /// Whether the position of the person's newest event can be used.
    private let hasOwnEvents: Bool

    /// Creates the fields.
    ///
    /// - Parameters:
    ///   - form: The parameters with their texts.
    ///   - site: The server's addresses with the person; `nil` if only the IDs of the fields are needed.
    init(_ form: ReportForm, site: PageSite?) {
        self.form = form
        hasOwnEvents = site?.visit.caller.userID != nil
    }

    /// The fields in the order of the report's header.
    var html: HTML {
        form.report.parameters.reduce("" as HTML) { fields, parameter in
            fields + (parameter.kind == .position ? position(parameter) : field(parameter))
        }
    }

    /// Returns the label of a parameter.
    static func label(_ name: String) -> String {
        let words = name.replacing("-", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// Returns the ID of the first field of a parameter.
    func firstID(of name: String) -> String {
        let isPosition = form.report.parameters.contains { parameter in
            parameter.optionName == name && parameter.kind == .position
        }
        return Self.id(isPosition ? ReportForm.latitudeField(name) : name)
    }

    private static func id(_ name: String) -> String { "parameter-\(name)" }

    // MARK: Parts of a field

    private func field(_ parameter: ReportParameter) -> HTML {
        let name = parameter.optionName
        return """
            <div class="field">
            <label for="\(Self.id(name))">\(isolated: Self.label(name))</label>
            \(control(parameter))
            \(hint(parameter))\(problem(parameter))</div>

            """
    }

    /// The meaning of a parameter and the effect of an empty field.
    private func hint(_ parameter: ReportParameter) -> HTML {
        let name = parameter.optionName
        var standard: HTML = ""
        if case .default(let text) = parameter.need {
            let value = form.texts[name] == nil ? form.values[name] : nil
            let isRelative = value != nil && value != text
            standard = " \(PageText.Report.empty(means: text, on: isRelative ? value : nil))"
        }
        return "<p class=\"note\" id=\"\(Self.id(name))-hint\">\(isolated: parameter.meaning)\(standard)</p>\n"
    }

    /// Returns the problem of the parameter if a person has given its value; otherwise empty.
    private func problem(_ parameter: ReportParameter) -> HTML {
        guard isRefused(parameter), let problem = form.problem else { return "" }
        let id = Self.id(parameter.optionName)
        let isPosition = parameter.kind == .position && problem.slug == ErrorCode.positionInvalid.slug
        // A position has two fields instead of a text.
        let text = isPosition ? PageText.Report.positionProblem : problem.explanation
        return "<p class=\"problem\" id=\"\(id)-problem\">\(isolated: text)</p>\n"
    }

    private func isRefused(_ parameter: ReportParameter) -> Bool {
        form.problem?.field == parameter.optionName && !form.lacksValue
    }

    /// The attributes that name the texts about a field.
    private func description(_ parameter: ReportParameter) -> HTML {
        let id = Self.id(parameter.optionName)
        guard isRefused(parameter) else { return " aria-describedby=\"\(id)-hint\"" }
        return " aria-describedby=\"\(id)-hint \(id)-problem\" aria-invalid=\"true\""
    }

    private func identity(_ parameter: ReportParameter) -> HTML {
        let name = parameter.optionName
        let required: HTML = parameter.need == .required ? " required" : ""
        return "id=\"\(Self.id(name))\" name=\"\(name)\"\(required)\(description(parameter))"
    }

    // MARK: Controls

    private func control(_ parameter: ReportParameter) -> HTML {
        let name = parameter.optionName
        let text = form.texts[name] ?? ""
        let identity = identity(parameter)
        switch parameter.kind {
        case .text where !parameter.choices.isEmpty:
            let options = parameter.choices.map { choice in ReportSelect.Option(choice, label: choice) }
            return select(parameter, options)
        case .boolean: return boolean(parameter)
        case .date: return date(parameter)
        case .user: return records(parameter, form.choices.users)
        case .habit: return records(parameter, form.choices.habits)
        case .integer where text.isEmpty || Int(text) != nil:
            return "<input \(identity) type=\"number\" step=\"1\" value=\"\(text)\">"
        case .number where text.isEmpty || Double(text) != nil:
            return "<input \(identity) type=\"number\" step=\"any\" value=\"\(text)\">"
        case .area:
            return "<textarea \(identity) rows=\"3\" maxlength=\"4000\" spellcheck=\"false\">\n\(text)</textarea>"
        case .text, .integer, .number, .instant, .distance, .position:
            return self.text(parameter, text)
        }
    }

    private func text(_ parameter: ReportParameter, _ text: String) -> HTML {
        """
        <input \(identity(parameter)) type="text" maxlength="\(Self.textLength)" autocomplete="off" value="\(text)">
        """
    }

    /// A field for a date, or for another text, such as a relative date that the report refused.
    private func date(_ parameter: ReportParameter) -> HTML {
        let given = form.texts[parameter.optionName] ?? ""
        let text = given.isEmpty ? "" : form.values[parameter.optionName] ?? given
        let isDate = text.isEmpty || text.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil
        guard isDate else { return self.text(parameter, text) }
        return "<input \(identity(parameter)) type=\"date\" value=\"\(text)\">"
    }

    /// A checkbox if an omitted value means no.
    ///
    /// A browser does not send a checkbox that is not checked, so a parameter whose default is yes has a list.
    private func boolean(_ parameter: ReportParameter) -> HTML {
        let given = form.texts[parameter.optionName] ?? ""
        let meansNo = parameter.need == .default("no") || parameter.need == .default("false")
        guard meansNo, ["", "yes", "no"].contains(given) else {
            let options = [
                ReportSelect.Option("yes", label: PageText.Report.yes),
                ReportSelect.Option("no", label: PageText.Report.no),
            ]
            return select(parameter, options)
        }
        let checked: HTML = given == "yes" ? " checked" : ""
        return "<input \(identity(parameter)) type=\"checkbox\" value=\"yes\"\(checked)>"
    }

    private func records(_ parameter: ReportParameter, _ choices: [ReportChoices.Choice]?) -> HTML {
        guard let choices else {
            return text(parameter, form.texts[parameter.optionName] ?? "")
        }
        return select(parameter, ReportSelect.options(of: choices))
    }

    private func select(_ parameter: ReportParameter, _ options: [ReportSelect.Option]) -> HTML {
        let given = form.texts[parameter.optionName] ?? ""
        let empty =
            switch parameter.need {
            case .required: PageText.Report.choose
            case .optional: PageText.Report.allRecords
            case .default(let text): PageText.Report.standard(text)
            }
        let select = ReportSelect(options: options, selected: given, empty: empty)
        return select.html(identity(parameter))
    }

    // MARK: Positions

    private func position(_ parameter: ReportParameter) -> HTML {
        let name = parameter.optionName
        let text = form.texts[name] ?? ""
        let isLast = text == "last"
        let parts = isLast ? [] : text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        let longitude = parts.first.map(String.init) ?? ""
        let latitude = parts.count == 2 ? String(parts[1]) : ""
        var fields = coordinate(
            latitude,
            label: PageText.Report.latitude,
            field: ReportForm.latitudeField(name),
            of: parameter)
        fields += coordinate(
            longitude,
            label: PageText.Report.longitude,
            field: ReportForm.longitudeField(name),
            of: parameter)
        return """
            <fieldset class="field">
            <legend>\(isolated: Self.label(name))</legend>
            \(hint(parameter))<div class="pair">
            \(fields)</div>
            \(last(parameter, isLast: isLast))\(problem(parameter))</fieldset>

            """
    }

    private func coordinate(
        _ text: String,
        label: String,
        field: String,
        of parameter: ReportParameter
    ) -> HTML {
        let id = Self.id(field)
        return """
            <div><label for="\(id)">\(label)</label>
            <input id="\(id)" name="\(field)" type="text" maxlength="30" autocomplete="off" \
            value="\(text)"\(description(parameter))></div>

            """
    }

    /// The box for the position of the person's newest event; empty for the operator, who has no events.
    private func last(_ parameter: ReportParameter, isLast: Bool) -> HTML {
        guard hasOwnEvents else { return "" }
        let checked: HTML = isLast ? " checked" : ""
        let id = Self.id("\(parameter.optionName)-last")
        return """
            <label class="choice" for="\(id)"><input id="\(id)" name="\(parameter.optionName)" type="checkbox" \
            value="last"\(checked)> \(PageText.Report.newestPosition)</label>

            """
    }
}
