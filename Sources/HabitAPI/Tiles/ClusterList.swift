import Base
import Geo
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird
import Rendering
import StoreEngine

/// A list of clusters of features instead of features.
struct ClusterList: Sendable {
    let view: FeatureView
    let request: FeatureRequest
    let parameters: RequestParameters
    /// The zoom of the map.
    let zoom: Int

    /// The maximum number of clusters in a response.
    static let limit = 10_000

    /// Creates the list of a request, or returns `nil` if the request is not for clusters.
    ///
    /// - Throws: ``Problem`` if the zoom is invalid, or if a parameter does not apply to clusters.
    init?(
        view: FeatureView,
        request: FeatureRequest,
        parameters: RequestParameters
    ) throws {
        guard let text = parameters[.cluster] else { return nil }
        guard let zoom = Int(text), MapTile.zooms.contains(zoom) else {
            throw Problem.invalid("cluster", "'\(text)' is not an integer from 0 to \(MapTile.zooms.upperBound)")
        }
        guard request.form != .html, request.form != .parquet else {
            throw Problem.invalid(
                "f",
                "clusters have no format '\(request.form.rawValue)': use geojson or csv, or omit 'cluster'")
        }
        for parameter in [FeatureParameter.limit, .properties, .after, .sortby] where parameters[parameter] != nil {
            let name = parameter.rawValue
            throw Problem.invalid(name, "'\(name)' does not apply to clusters: omit it, or omit 'cluster'")
        }
        self.view = view
        self.request = request
        self.parameters = parameters
        self.zoom = zoom
    }

    /// Writes the clusters.
    ///
    /// - Parameters:
    ///   - session: The session in which the records are read.
    ///   - head: The header fields of the response, without the links.
    ///   - begin: Starts the response with the given header fields and returns the buffer of its body.
    /// - Throws: `parameter-invalid` if there are more than ``limit`` clusters, the errors of the query and those of
    ///   `begin`.
    func write(
        in session: any Session,
        head: HTTPFields,
        begin: (HTTPFields) throws -> OutputBuffer
    ) throws {
        let clusters = try clusters(in: session)
        let options = request.renderOptions
        let output = try begin(head)
        if request.form == .csv {
            let renderer = CSVRenderer(Self.shape, options, output)
            try append(clusters, to: renderer, ends: true)
        } else {
            let renderer = GeoJSONRenderer(features: Self.shape, options, output)
            try append(clusters, to: renderer, ends: false)
            let links = JSON.Member("links", links)
            renderer.end(adding: [links].continuation)
        }
    }

    private func clusters(in session: any Session) throws -> [MapCluster] {
        let map = try view.map(request, in: session)
        let clusters = try map.clusters(
            in: request.filter.boxOrUnlocated ?? .world,
            zoom: zoom,
            limit: Self.limit,
            in: session)
        guard let clusters else {
            throw Problem.invalid(
                "cluster",
                "the box has more than \(Self.limit) clusters: send a lower zoom or a smaller 'bbox'")
        }
        return clusters
    }

    private var links: JSON {
        let address = "\(view.address)/items\(parameters.query([:]))"
        return [
            FeaturePage.link("self", to: address, type: .geoJSON),
            FeaturePage.link("collection", to: view.address, type: .json),
        ]
    }

    private func append(_ clusters: [MapCluster], to renderer: some Renderer, ends: Bool) throws {
        try renderer.begin()
        for cluster in clusters { try renderer.append(Self.row(cluster)) }
        if ends { try renderer.end() }
    }

    /// The columns of a cluster.
    ///
    /// The ID of its Feature is the ID of the only feature, or the zoom, row and column.
    private static let shape: ResultShape = {
        var shape = ResultShape(
            columns: [
                Column("id", .text, at: 1),
                Column("count", .integer, at: 2),
                Column("longitude", .longitude, at: 3),
                Column("latitude", .latitude, at: 3),
            ],
            geometry: 3)
        shape.identity = [Column("cell", .text, at: 0)]
        shape.coordinates = ["longitude", "latitude"]
        return shape
    }()

    private static func row(_ cluster: MapCluster) -> ValueRow {
        let cell = cluster.cell
        let cellID = "\(cell.zoom)/\(cell.row)/\(cell.column)"
        return ValueRow([
            .text(cluster.id ?? cellID),
            .text(cluster.id),
            .integer(Int64(cluster.count)),
            .point(cluster.position),
        ])
    }
}
