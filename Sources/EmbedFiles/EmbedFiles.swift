import Foundation
import PackagePlugin

/// Embeds the files of web pages in the module of the pages: the folder `Web`, and the JavaScript libraries that Debian's
/// packages install.
///
/// SwiftPM embeds each file as a property of its own and only files of the package itself. So this plugin runs the tool
/// `embed-files`, which writes a Swift file with one dictionary.
@main
struct EmbedFiles: BuildToolPlugin {
    /// A file of another project that pages load.
    private struct Library {
        /// The name of the file, which differs from the names of all others.
        let name: String
        /// The Debian package that installs the file.
        let package: String
        let path: String

        /// Creates the description of a file in the folder of the JavaScript libraries.
        init(_ path: String, package: String) {
            name = URL(filePath: path).lastPathComponent
            self.package = package
            self.path = "/usr/share/javascript/\(path)"
        }
    }

    /// The files of other projects that pages load.
    private static let libraries = [
        Library("leaflet/leaflet.css", package: "libjs-leaflet"),
        Library("leaflet/leaflet.min.js", package: "libjs-leaflet"),
        Library("leaflet/MarkerCluster.css", package: "libjs-leaflet.markercluster"),
        Library("leaflet/leaflet.markercluster.min.js", package: "libjs-leaflet.markercluster"),
    ]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        let folder = target.directoryURL.appending(path: "Web")
        let pages = try FileManager.default
            .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { one, other in one.path() < other.path() }
        // If a file is missing, the tool fails with a message that names the Debian package.
        let present = Self.libraries.filter { library in FileManager.default.fileExists(atPath: library.path) }
        let ownFiles = pages.map { file in "\(file.lastPathComponent)==\(file.path())" }
        let otherFiles = Self.libraries.map { library in "\(library.name)=\(library.package)=\(library.path)" }
        return [
            .buildCommand(
                displayName: "Embedding the files of web pages",
                executable: try context.tool(named: "embed-files").url,
                arguments: [output.path()] + ownFiles + otherFiles,
                inputFiles: pages + present.map { library in URL(filePath: library.path) },
                outputFiles: [output])
        ]
    }
}
