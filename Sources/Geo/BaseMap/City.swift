/// A large city of the world.
package struct City: Hashable, Sendable {
    /// The name in English, or the name in the language of the city.
    package let name: String
    /// The position of the center.
    package let position: Position

    /// The cities of the base map, the most important first.
    package static let all: [City] = BaseMapData.cities.split(separator: "\n").compactMap { line in
        let parts = line.split(separator: " ", maxSplits: 2)
        guard parts.count == 3 else { return nil }
        guard let longitude = Double(parts[0]) else { return nil }
        guard let latitude = Double(parts[1]) else { return nil }
        guard let position = Position(longitude: longitude, latitude: latitude) else { return nil }
        let name = String(parts[2])
        return City(name: name, position: position)
    }

    /// Returns the nearest city and its distance from `position`, or `nil` if it is farther than `limit`.
    ///
    /// The cost is one geodesic for each city whose latitude is close enough.
    package static func nearest(to position: Position, within limit: Distance) -> (city: City, distance: Distance)? {
        // A degree of latitude is at least 110.5 km long.
        let latitudes = limit.meters / 110_500
        var nearest: (city: City, distance: Distance)?
        for city in all where abs(city.position.latitude - position.latitude) <= latitudes {
            let distance = Geodesic.distance(from: position, to: city.position)
            let limit = nearest?.distance ?? limit
            if distance.meters <= limit.meters {
                nearest = (city, distance)
            }
        }
        return nearest
    }
}
