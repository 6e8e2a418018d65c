import Foundation
import PackagePlugin

/// Embeds the files of web pages in the module of the pages: the folder `Web`, the bundles of the folder `Application`, and
/// the JavaScript libraries that Debian's packages install.
///
/// SwiftPM embeds each file as a property of its own and only files of the package itself. So this plugin runs the tool
/// `embed-files`, which bundles the application and writes a Swift file with one dictionary.
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
        let pages = Self.files(in: target.directoryURL.appending(path: "Web"))
        let application = target.directoryURL.appending(path: "Application")
        let sources = Self.files(in: application).filter(Self.isBundled)
        // Packaging/web/install writes it.
        let rendering = context.package.directoryURL.appending(path: ".build/web/preact.js")
        let libraries = Self.libraries.map { library in URL(filePath: library.path) } + [rendering]
        // If a file is missing, the tool fails with a message that explains how to install it.
        let present = libraries.filter { file in FileManager.default.fileExists(atPath: file.path()) }
        let ownFiles = pages.map { file in "\(file.lastPathComponent)==\(file.path())" }
        let otherFiles = Self.libraries.map { library in "\(library.name)=\(library.package)=\(library.path)" }
        return [
            .buildCommand(
                displayName: "Embedding the files of web pages",
                executable: try context.tool(named: "embed-files").url,
                arguments: [output.path(), application.path(), rendering.path()] + ownFiles + otherFiles,
                inputFiles: pages + sources + present,
                outputFiles: [output])
        ]
    }

    /// Returns the files in a folder and its folders.
    private static func files(in folder: URL) -> [URL] {
        let names = FileManager.default.subpaths(atPath: folder.path()) ?? []
        return names.sorted().map { name in folder.appending(path: name) }
    }

    /// Whether a file of the application is part of a bundle, and neither a type nor a setting.
    private static func isBundled(_ file: URL) -> Bool {
        ["js", "css"].contains(file.pathExtension)
    }
}
