import Rendering

extension PageText {
    /// The texts of the pages of documents that describe the server.
    enum Document {
        static let landingAbout =
            """
            Programs read and change the data of this server through an interface after the standards OGC API - Features and \
            OGC API - Tiles.
            """

        // MARK: The API

        static let api = "Habitat API"
        static let apiAbout =
            """
            The interface of this server for programs: each address with its parameters and its responses. The same in \
            OpenAPI is for programs that read it themselves.
            """
        static let parameters = "Parameters:"

        // MARK: Collections

        static let collectionsAbout = "A collection is a list of records of one kind, such as habits or photos."
        static let list = "The list"
        static let area = "Area"
        static let time = "Time"
        static let places = "Places"
        static let name = "Name for programs"
        static let kind = "Kind of each record"
        static let beginning = "the beginning"
        static let now = "now"

        static func ownRecords(_ signIn: HTML) -> HTML {
            "\(signIn) to see your own records and those that people share with you."
        }

        static func allCollections(_ signIn: HTML) -> HTML {
            "\(signIn) to see all collections."
        }

        static func degrees(_ system: HTML) -> HTML {
            "Longitude and latitude in degrees: \(system)"
        }

        static func range(from first: HTML, to last: HTML) -> HTML {
            "From \(first) to \(last)"
        }

        static func latitude(_ degrees: Double) -> HTML {
            degrees < 0 ? "\(-degrees)° south" : "\(abs(degrees))° north"
        }

        static func longitude(_ degrees: Double) -> HTML {
            degrees < 0 ? "\(-degrees)° west" : "\(abs(degrees))° east"
        }

        // MARK: Standards

        static let standards = "Standards"
        static let standardsAbout =
            """
            The standards that this server follows. A program that knows one of them can read the data without knowing Habitat. \
            Each standard consists of classes, and the server follows all rules of the classes in this list.
            """
        static let core = "OGC API - Features, Part 1: Core"
        static let coreAbout = "Lists of records with their places, which a program reads page by page."
        static let filtering = "OGC API - Features, Part 3: Filtering"
        static let filteringAbout = "Conditions that select records of a list."
        static let schemas = "OGC API - Features, Part 5: Schemas"
        static let schemasAbout = "A description of the fields of the records."
        static let cql2 = "Common Query Language (CQL2)"
        static let cql2About = "The language of the conditions."
        static let tiles = "OGC API - Tiles, Part 1: Core"
        static let tilesAbout = "The records as tiles, which maps load for the area that they show."
        static let tileMatrixSet = "Two Dimensional Tile Matrix Set and Tile Set Metadata"
        static let tileMatrixSetAbout = "The grid of the tiles."
        static let otherStandards = "Other standards"
    }

    /// The texts of the page of the map, whose body is the file `Web/map.html`.
    enum Map {
        static let title = "Habitat map"
    }
}
