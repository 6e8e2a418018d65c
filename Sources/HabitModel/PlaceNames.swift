import Base
import Foundation
import Geo

/// The names of places that stand for positions.
public struct PlaceNames: Sendable {
    /// The positions of the user's own places, by name.
    private let own: [String: Position]
    /// Whether the names of the cities of the base map stand for positions.
    private let hasCities: Bool

    /// No names, as for positions that programs send.
    public static let none = PlaceNames(own: [:], hasCities: false)

    /// Creates the names of some places and of the cities of the base map.
    ///
    /// - Parameter own: The positions of the user's own places, by name. They take precedence over cities.
    public init(own: [String: Position]) {
        self.init(own: own, hasCities: true)
    }

    private init(own: [String: Position], hasCities: Bool) {
        // The first of two names that differ only in case or marks wins in the order of the names.
        let names = own.sorted { a, b in a.key < b.key }
        let folded = names.map { name, position in (name.foldedWithoutMarks, position) }
        self.own = Dictionary(folded) { first, _ in first }
        self.hasCities = hasCities
    }

    /// Parses a position: `LATITUDE,LONGITUDE` or `LATITUDE LONGITUDE` in degrees, or the name of a place.
    ///
    /// Case and marks of names are ignored.
    ///
    /// - Parameters:
    ///   - text: The text that the user enters.
    ///   - field: The name of the option or parameter, for the error.
    /// - Returns: The position.
    /// - Throws: `position-invalid`.
    public func position(_ text: String, field: String) throws -> Position {
        guard hasCities || !own.isEmpty else {
            return try Parse.position(text, field: field)
        }
        let numbers = text.split(separator: " ")
        if numbers.count == 2, let position = Position(latitudeCommaLongitude: numbers.joined(separator: ",")) {
            return position
        }
        let name = text.trimmingCharacters(in: .whitespaces).foldedWithoutMarks
        if let position = own[name] ?? city(name)?.position {
            return position
        }
        if let nearest = nearest(to: name) {
            throw HabitError(
                .positionInvalid, "'\(text)' is not a position or a place", field: field,
                .advice("did you mean '\(nearest)'?"))
        }
        return try Parse.position(text, field: field)
    }

    /// Returns the most important city with a folded name.
    private func city(_ name: String) -> City? {
        guard hasCities else { return nil }
        return City.all.first { city in city.name.foldedWithoutMarks == name }
    }

    /// Returns the name of the place that is most similar to a misspelled name.
    private func nearest(to name: String) -> String? {
        // Numbers are not a misspelled name.
        guard !name.contains(where: \.isNumber) else { return nil }
        if let nearest = own.keys.sorted().nearestSpelling(to: name) {
            return nearest
        }
        guard hasCities else { return nil }
        let cities = Dictionary(City.all.map { city in (city.name.foldedWithoutMarks, city.name) }) { first, _ in first
        }
        let nearest = cities.keys.sorted().nearestSpelling(to: name)
        return nearest.flatMap { name in cities[name] }
    }
}
