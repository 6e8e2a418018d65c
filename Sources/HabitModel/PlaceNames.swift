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
        var folded: [String: Position] = [:]
        for name in own.keys.sorted().reversed() {
            folded[name.foldedWithoutMarks] = own[name]
        }
        self.own = folded
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
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        let name = trimmed.foldedWithoutMarks
        if let position = numbers(text) ?? place(name) {
            return position
        }
        if let nearest = nearest(to: name) {
            throw HabitError(
                .positionInvalid,
                "'\(text)' is not a position or a place",
                field: field,
                .advice("did you mean '\(nearest)'?"))
        }
        guard hasCities, !name.contains(where: \.isNumber) else {
            return try Parse.position(text, field: field)
        }
        throw HabitError(
            .positionInvalid,
            "'\(text)' is not a position, one of your places or a large city",
            field: field,
            .writePosition(isReversed: false))
    }

    /// Returns the position of a latitude and a longitude with a space between them.
    private func numbers(_ text: String) -> Position? {
        let numbers = text.split(separator: " ")
        guard numbers.count == 2 else { return nil }
        let pair = numbers.joined(separator: ",")
        return Position(latitudeCommaLongitude: pair)
    }

    /// Returns the position of the user's place or of the most important city with a folded name.
    private func place(_ name: String) -> Position? {
        if let position = own[name] {
            return position
        }
        let city = cities.first { city in
            city.name.foldedWithoutMarks == name
        }
        return city?.position
    }

    /// The cities whose names stand for positions, in the order of their importance.
    private var cities: [City] {
        hasCities ? City.all : []
    }

    /// Returns the name of the place that is most similar to a misspelled name.
    private func nearest(to name: String) -> String? {
        // Numbers are not a misspelled name.
        if name.contains(where: \.isNumber) { return nil }
        let ownNames = own.keys.sorted()
        if let nearest = ownNames.nearestSpelling(to: name) {
            return nearest
        }
        var cityNames: [String: String] = [:]
        for city in cities.reversed() {
            let folded = city.name.foldedWithoutMarks
            cityNames[folded] = city.name
        }
        let names = cityNames.keys.sorted()
        guard let nearest = names.nearestSpelling(to: name) else { return nil }
        return cityNames[nearest]
    }
}
