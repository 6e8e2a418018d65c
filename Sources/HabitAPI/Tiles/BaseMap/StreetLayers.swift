import HabitIngest

/// The names that a style needs of a schema of vector tiles.
struct StreetLayers {
    /// A layer, or the features of a layer whose property has one of some values.
    struct Selection {
        let layer: String
        var property = ""
        var values: [String] = []
    }

    /// Areas of water.
    let water: [Selection]
    /// Rivers and canals.
    let rivers: Selection
    /// Parks and forests.
    let parks: Selection
    let buildings: Selection
    /// Motorways and other streets between cities.
    let mainStreets: Selection
    /// Streets that connect districts.
    let middleStreets: Selection
    /// All other streets.
    let smallStreets: Selection
    /// Ways for pedestrians and bicycles.
    let paths: Selection
    let railways: Selection
    let streetNames: Selection
    /// Cities and towns.
    let towns: Selection
    /// Villages and parts of cities.
    let villages: Selection

    /// Creates the names of a schema.
    init(_ schema: TileSchema) {
        switch schema {
        case .openMapTiles: self = .openMapTiles
        case .shortbread: self = .shortbread
        }
    }

    private init(
        water: [Selection],
        rivers: Selection,
        parks: Selection,
        buildings: Selection,
        streets: StreetKinds,
        streetNames: String,
        places: Selection
    ) {
        self.water = water
        self.rivers = rivers
        self.parks = parks
        self.buildings = buildings
        mainStreets = streets.selection(streets.main)
        middleStreets = streets.selection(streets.middle)
        smallStreets = streets.selection(streets.small)
        paths = streets.selection(streets.paths)
        railways = streets.selection(streets.railways)
        self.streetNames = Selection(layer: streetNames)
        towns = Selection(layer: places.layer, property: places.property, values: ["city", "town"])
        villages = Selection(
            layer: places.layer,
            property: places.property,
            values: ["village", "suburb", "quarter", "neighbourhood", "hamlet"])
    }

    /// The kinds of streets of a layer.
    private struct StreetKinds {
        let layer: String
        let property: String
        let main: [String]
        let middle: [String]
        let small: [String]
        let paths: [String]
        let railways: [String]

        func selection(_ values: [String]) -> Selection {
            Selection(layer: layer, property: property, values: values)
        }
    }

    /// Source: openmaptiles.org/schema.
    private static let openMapTiles = StreetLayers(
        water: [Selection(layer: "water")],
        rivers: Selection(layer: "waterway"),
        parks: Selection(layer: "landcover", property: "class", values: ["grass", "wood"]),
        buildings: Selection(layer: "building"),
        streets: StreetKinds(
            layer: "transportation",
            property: "class",
            main: ["motorway", "trunk", "primary"],
            middle: ["secondary", "tertiary"],
            small: ["minor", "service", "track", "busway", "raceway"],
            paths: ["path"],
            railways: ["rail", "transit"]),
        streetNames: "transportation_name",
        places: Selection(layer: "place", property: "class"))

    /// Source: shortbread-tiles.org/schema.
    private static let shortbread = StreetLayers(
        water: [Selection(layer: "ocean"), Selection(layer: "water_polygons")],
        rivers: Selection(layer: "water_lines"),
        parks: Selection(
            layer: "land",
            property: "kind",
            values: ["forest", "grass", "grassland", "meadow", "park", "garden", "scrub", "village_green"]),
        buildings: Selection(layer: "buildings"),
        streets: StreetKinds(
            layer: "streets",
            property: "kind",
            main: ["motorway", "trunk", "primary"],
            middle: ["secondary", "tertiary"],
            small: [
                "unclassified", "residential", "living_street", "pedestrian", "service", "track", "busway", "taxiway",
            ],
            paths: ["footway", "path", "cycleway", "steps", "bridleway"],
            railways: ["rail", "light_rail", "subway", "tram", "narrow_gauge", "monorail", "funicular"]),
        streetNames: "street_labels",
        places: Selection(layer: "place_labels", property: "kind"))
}
