import Base
import HTTPServing
import HabitAPI
import HabitModel

/// The fields of the form that creates a shared view.
enum ViewForm {
    static let rounding = "rounding"
    static let days = "view-days"
    static let status = "view-status"
    static let lifetime = "view-lifetime"

    /// Returns the name of the box of a layer.
    static func layer(_ layer: ViewDefinition.Layer) -> String { "layer-\(layer.rawValue)" }

    /// Reads the view of a form.
    ///
    /// - Parameters:
    ///   - sent: The form.
    ///   - label: The label that the person has entered, or `nil`.
    /// - Returns: The view.
    /// - Throws: `field-invalid`, with the name of the field.
    static func request(_ sent: FormBody, label: String?) throws -> OwnViews.Request {
        let layers = ViewDefinition.Layer.allCases.filter { layer in sent[Self.layer(layer)] == "yes" }
        var definition = try ViewDefinition(layers: layers)
        if let days = try number(days, of: sent, in: ViewDefinition.dayCounts) {
            definition.period = .last(days: days)
        }
        let name = sent[rounding] ?? ViewDefinition.Rounding.street.rawValue
        guard let chosen = ViewDefinition.Rounding(rawValue: name) else {
            throw HabitError(.fieldInvalid, "the rounding is unknown: choose one of the list", field: rounding)
        }
        definition.rounding = chosen
        definition.showsStatus = layers.contains(.events) && sent[status] == "yes"
        var request = OwnViews.Request(definition)
        request.label = label
        request.lifetimeDays = try number(lifetime, of: sent, in: OwnViews.lifetimes)
        return request
    }

    /// Returns the number in a field, or `nil` for an empty field.
    private static func number(_ field: String, of sent: FormBody, in range: ClosedRange<Int>) throws -> Int? {
        let text = HeaderValue.trimmed((sent[field] ?? "")[...])
        guard !text.isEmpty else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw HabitError(
                .fieldInvalid,
                "the number of days is invalid: write a number from \(range.lowerBound) to \(range.upperBound)",
                field: field)
        }
        return number
    }
}
