import Foundation
import PackagePlugin

/// Embeds the JavaScript libraries of the map page, which Debian's packages install, into the server.
///
/// SwiftPM embeds only files of the package itself. So this plugin runs the tool `embed-files`, which writes a Swift file.
@main
struct EmbedLibraries: BuildToolPlugin {
    /// The files that the page loads, and the Debian package that installs each.
    private static let files = [
        ("/usr/share/javascript/leaflet/leaflet.css", "libjs-leaflet"),
        ("/usr/share/javascript/leaflet/leaflet.min.js", "libjs-leaflet"),
        ("/usr/share/javascript/leaflet/MarkerCluster.css", "libjs-leaflet.markercluster"),
        ("/usr/share/javascript/leaflet/leaflet.markercluster.min.js", "libjs-leaflet.markercluster"),
    ]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedLibraries.swift")
        // If a file is missing, the tool fails with a message that names the Debian package.
        let present = Self.files.filter { FileManager.default.fileExists(atPath: $0.0) }
        return [
            .buildCommand(
                displayName: "Embedding the libraries of the map page",
                executable: try context.tool(named: "embed-files").url,
                arguments: [output.path()] + Self.files.map { "\($0.1)=\($0.0)" },
                inputFiles: present.map { URL(filePath: $0.0) }, outputFiles: [output])
        ]
    }
}
