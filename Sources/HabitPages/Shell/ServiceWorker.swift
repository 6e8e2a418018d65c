import Base

/// The script that keeps the application on the device, so that it opens without a connection.
struct ServiceWorker {
    /// The path below the path of the public URL.
    ///
    /// A worker controls the pages below the folder of its script.
    static let path = "/service-worker.js"

    /// The path of the public URL; empty if it has no path.
    let root: String

    /// The script in UTF-8: the files to keep, and the bundle that keeps them.
    ///
    /// - Throws: `internal` if zlib cannot allocate memory.
    var script: [UInt8] {
        get throws {
            let bundle = try WebFiles.serviceWorker.gunzipped()
            return Array("const shell = ".utf8) + description.bytes + Array(";\n".utf8) + bundle
        }
    }

    /// The values that `types/shell.d.ts` declares.
    private var description: JSON {
        let files = WebFiles.all
        let names = WebFiles.ofApplication + [WebFiles.icon]
        let paths = names.map { name in "\(root)/\(files.path(of: name))" } + [root + ApplicationManifest.path]
        return [
            "version": .text(version),
            "root": .text(root),
            "views": .list(Self.views.map { view in .text(view) }),
            "files": .list(paths.map { path in .text(path) }),
        ]
    }

    /// The first segments of the paths of the views.
    private static let views: [String] = {
        let paths = [ApplicationShell.today] + ApplicationShell.paths
        let segments = paths.map { path in "/" + (path.split(separator: "/").first ?? "") }
        return segments.reduce(into: []) { views, view in
            if !views.contains(view) { views.append(view) }
        }
    }()

    /// The digest of the document and the files, so that a browser replaces its copies when one of them changes.
    private var version: String {
        let document = ApplicationShell(root: root, language: "en").document.sha256.hexadecimal
        return [WebFiles.all.digest, document].lengthPrefixedSHA256.prefix(8).hexadecimal
    }
}
