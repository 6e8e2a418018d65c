import Base
import Geo

/// A place of a user at which only the user and the operator see the positions of the user's events and posts.
public struct PrivatePlace: Sendable, Equatable {
    /// The allowed radii.
    public static let radii = Distance.meters(100)...Distance.meters(2000)
    /// The radius of a place without one.
    public static let standardRadius = Distance.meters(300)
    /// The maximum length of a name, in characters.
    public static let nameLimit = 40

    /// The name, which no other place of the user has.
    public let name: String
    /// The center.
    public let position: Position
    /// The radius.
    public let radius: Distance
    /// A secret of 16 hexadecimal digits, which determines how the hidden area is shifted, or `nil` before the place is
    /// stored.
    fileprivate(set) var code: String?

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - name: The name, of which spaces at the ends and repeated spaces do not count.
    ///   - position: The center, which is rounded to seven decimals.
    ///   - radius: The radius, which is rounded to meters.
    /// - Throws: `field-invalid` if the name is blank, longer than ``nameLimit``, or contains a semicolon, a number sign or a
    ///   control character; `distance-invalid` if the radius is not in ``radii``.
    public init(name: String, position: Position, radius: Distance = standardRadius) throws(HabitError) {
        let name = name.spaced.composed
        guard !name.isEmpty, name.count <= Self.nameLimit, !name.contains(where: Self.isReserved) else {
            throw PrivatePlaces.invalid(
                "the name of a private place has 1 to \(Self.nameLimit) characters and contains neither ';' nor '#'")
        }
        try name.requireSingleLine(Field.privatePlaces.name)
        guard Self.radii.contains(radius) else {
            throw HabitError(
                .distanceInvalid,
                "the radius of a private place is from 100m to 2km, not \(radius)",
                field: Field.privatePlaces.name)
        }
        self.name = name
        self.position = position.roundedToSevenDecimals
        self.radius = .meters(radius.meters.rounded())
    }

    private static func isReserved(_ character: Character) -> Bool {
        character == ";" || character == "#"
    }

    /// The text of the place in ``PrivatePlaces/text``.
    fileprivate var text: String {
        let place = "\(position.latitude.decimals),\(position.longitude.decimals) \(Int(radius.meters))m \(name)"
        guard let code else { return place }
        return "\(place) #\(code)"
    }
}

/// The private places of a user.
///
/// A field of a record contains them as one text, such as `38.7223,-9.1393 300m home; 38.75,-9.2 1km work`. The text of
/// stored places also contains the code of each place.
public struct PrivatePlaces: Sendable, Equatable {
    /// The maximum number of places of a user.
    public static let limit = 20
    /// The number of digits of a code.
    private static let codeLength = 16

    /// The places in the order in which the user added them.
    public private(set) var places: [PrivatePlace] = []

    /// Creates a value without places.
    public init() {}

    /// Parses the text of a field.
    ///
    /// - Parameter text: The places, with semicolons between them: `LATITUDE,LONGITUDE RADIUS NAME`.
    /// - Throws: `field-invalid` if the text is malformed, has two places of one name or more than ``limit`` places;
    ///   `distance-invalid` if a radius is out of range.
    public init(_ text: String) throws(HabitError) {
        for part in text.split(separator: ";") {
            let entry = String(part).spaced
            if entry.isEmpty { continue }
            let place = try Self.place(entry)
            guard find(place.name) == nil else {
                throw Self.invalid("two private places have the name '\(place.name)': rename one of them")
            }
            try set(place)
        }
    }

    private static func place(_ entry: String) throws(HabitError) -> PrivatePlace {
        var words = entry.split(separator: " ")
        var code: String?
        if let last = words.last, last.first == "#" {
            code = String(last.dropFirst())
            words.removeLast()
        }
        guard words.count >= 3,
            let position = Position(latitudeCommaLongitude: String(words[0])),
            let radius = Distance(String(words[1])),
            code.map(isCode) ?? true
        else {
            throw invalid(
                "'\(entry.prefix(40))' is not a private place: write LATITUDE,LONGITUDE RADIUS NAME, such as 38.7223,-9.1393 300m home"
            )
        }
        let name = words[2...].joined(separator: " ")
        var place = try PrivatePlace(name: name, position: position, radius: radius)
        place.code = code
        return place
    }

    private static func isCode(_ text: String) -> Bool {
        text.utf8.count == codeLength
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }

    /// Returns the error of a value of the field.
    static func invalid(_ message: String) -> HabitError {
        HabitError(.fieldInvalid, message, field: Field.privatePlaces.name)
    }

    /// The text of the field, which is empty without places.
    public var text: String {
        places.map(\.text).joined(separator: "; ")
    }

    private func find(_ name: String) -> Int? {
        places.firstIndex { place in place.name.folded == name.folded }
    }

    /// Adds a place, or replaces the place of the same name, which keeps its code.
    ///
    /// - Parameter place: The place.
    /// - Throws: `field-invalid` if there would be more than ``limit`` places.
    public mutating func set(_ place: PrivatePlace) throws(HabitError) {
        var place = place
        if let index = find(place.name) {
            place.code = place.code ?? places[index].code
            places[index] = place
            return
        }
        guard places.count < Self.limit else {
            throw Self.invalid("a user has at most \(Self.limit) private places: delete one first")
        }
        places.append(place)
    }

    /// Removes a place.
    ///
    /// - Parameter name: The name of the place in any letter case.
    /// - Throws: `not-found` if no place has the name.
    public mutating func remove(_ name: String) throws(HabitError) {
        guard let index = find(name.spaced.composed) else {
            throw HabitError(
                .notFound,
                "you have no private place with the name '\(name.prefix(40))'",
                field: Field.name.name)
        }
        places.remove(at: index)
    }

    /// Returns the same places with a code for each.
    ///
    /// A place without a code gets the code of the stored place of the same name, or a new one. A file without codes can
    /// therefore be loaded again without a change.
    ///
    /// - Parameter stored: The stored places.
    /// - Returns: The places with codes.
    package func completed(from stored: PrivatePlaces) -> PrivatePlaces {
        var completed = self
        for index in places.indices where places[index].code == nil {
            let known = stored.find(places[index].name).flatMap { index in stored.places[index].code }
            completed.places[index].code = known ?? [UInt8].random(count: Self.codeLength / 2).hexadecimal
        }
        return completed
    }

    /// The area in which positions are hidden.
    package var hiddenArea: HiddenArea { HiddenArea(places) }
}

/// The area of the private places of a user, in which others see no positions.
///
/// The area of a place consists of whole cells of ``Geo/PositionGrid``, and contains the circle of the place. The cells
/// touch a larger circle, which is shifted by up to half of the radius in a direction that the secret code of the place and the radius
/// determine. The visible records around the area therefore do not reveal the center of the place.
package struct HiddenArea: Sendable {
    /// A circle that the cells of the area touch.
    private struct Disc: Sendable {
        var origin: Geodesic.Origin
        var radius: Double
    }

    /// The shift of a circle and the growth of its radius, as parts of the radius.
    private static let growth = 0.5
    /// The difference between the distance from a cell and its computation in degrees, in meters, at most.
    private static let tolerance = 10.0
    /// The height of a cell in meters, at most.
    private static let cellHeight = 403.0
    /// The length of a degree of latitude in meters, at least.
    private static let metersPerDegree = 110_574.0

    private let discs: [Disc]

    /// Creates the empty area of a user without private places.
    package init() {
        discs = []
    }

    init(_ places: [PrivatePlace]) {
        discs = places.map { place in
            // The shift of another radius has another direction. Areas of the same direction would point to the center.
            let digest = "\(place.code ?? "") \(Int(place.radius.meters))".utf8.sha256
            let shift = Self.growth * place.radius.meters * Self.fraction(digest[0..<4]).squareRoot()
            let center = Geodesic.destination(
                from: place.position,
                azimuth: 360 * Self.fraction(digest[4..<8]),
                distance: .meters(shift))
            return Disc(
                origin: Geodesic.Origin(center),
                radius: (1 + Self.growth) * place.radius.meters)
        }
    }

    /// Returns the fraction that four bytes represent, from 0 to less than 1.
    private static func fraction(_ bytes: ArraySlice<UInt8>) -> Double {
        let number = bytes.reduce(UInt32(0)) { number, byte in number << 8 | UInt32(byte) }
        return Double(number) / 4_294_967_296
    }

    /// Whether the area is empty.
    package var isEmpty: Bool { discs.isEmpty }

    /// Whether others see no position of a record at a position.
    ///
    /// - Parameter position: The position of the record.
    /// - Returns: Whether the position is in the area.
    package func contains(_ position: Position) -> Bool {
        discs.contains { disc in Self.contains(position, disc) }
    }

    private static func contains(_ position: Position, _ disc: Disc) -> Bool {
        let center = disc.origin.position
        let reach = disc.radius + tolerance
        let difference = abs(position.latitude - center.latitude) * metersPerDegree
        guard difference <= reach + cellHeight else { return false }
        // The tolerance is not sufficient at the poles, but the area must contain the circle there too.
        if disc.origin.distance(to: position).meters <= disc.radius { return true }
        let nearest = PositionGrid.items.nearest(to: center, inCellOf: position)
        return disc.origin.distance(to: nearest).meters <= reach
    }
}

extension Position {
    /// The position in whole units of 1e-7 degrees, as texts contain it.
    fileprivate var roundedToSevenDecimals: Position {
        Position(longitude: longitude.roundedToSevenDecimals, latitude: latitude.roundedToSevenDecimals) ?? self
    }
}

extension String {
    /// The text with one space between its words.
    fileprivate var spaced: String { split(separator: " ").joined(separator: " ") }
}

extension Double {
    fileprivate var roundedToSevenDecimals: Double { (self * 1e7).rounded() / 1e7 }

    /// The text of a coordinate with at most seven decimals and without an exponent.
    fileprivate var decimals: String {
        let units = Int((self * 1e7).rounded())
        let digits = String(abs(units) % 10_000_000)
        var fraction = String(repeating: "0", count: 7 - digits.count) + digits
        while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
        return "\(units < 0 ? "-" : "")\(abs(units) / 10_000_000).\(fraction)"
    }
}
