import Foundation

/// The scripts and the style sheet of the application, which esbuild bundles.
struct ApplicationBundle {
    /// The program that bundles modules.
    private static let bundler = "/usr/bin/esbuild"

    /// The folder of the sources.
    let sources: URL
    /// The file with Preact and htm, which the sources import as `preact-htm`.
    let library: String

    /// Returns the script, the worker that makes photos small, the parts that both import, and the style sheet by name.
    func files() -> [String: Data] {
        bundle(
            "application=main.js",
            "photo-worker=views/event/photo-worker.js",
            "application=style/application.css",
            options: ["--splitting", "--format=esm"])
    }

    /// Returns a script of pages of the server.
    ///
    /// It has its own bundle, so that the application does not load a part of its script from another file.
    ///
    /// - Parameter name: The name of the file without `.js`, and of the folder with its `main.js`.
    /// - Returns: The script.
    func pageScript(_ name: String) -> Data {
        let files = bundle("\(name)=\(name)/main.js", options: ["--format=esm"])
        return files["\(name).js"] ?? Data()
    }

    /// Returns the script of the service worker.
    func serviceWorker() -> Data {
        // A service worker has no `import.meta`: `root.js` then uses the scope of its registration.
        let options = ["--format=iife", "--log-override:empty-import-meta=silent"]
        let files = bundle("service-worker=service-worker/main.js", options: options)
        return files["service-worker.js"] ?? Data()
    }

    /// Bundles sources in a new folder, and returns the files of the folder by name.
    private func bundle(_ entries: String..., options: [String]) -> [String: Data] {
        let name = "habitat-bundle-\(UUID().uuidString)"
        let output = FileManager.default.temporaryDirectory.appending(path: name)
        defer { try? FileManager.default.removeItem(at: output) }
        let common = [
            "--bundle",
            "--minify",
            "--charset=utf8",
            "--target=es2021",
            "--log-level=warning",
            "--alias:preact-htm=\(library)",
            "--outdir=\(output.path())",
        ]
        run(entries + options + common)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: output.path())) ?? []
        let files = names.map { name in
            let path = output.appending(path: name).path()
            return (name, content(of: path, advice: "build again"))
        }
        return Dictionary(uniqueKeysWithValues: files)
    }

    /// Runs esbuild in the folder of the sources, so that its result does not depend on the folder of the repository.
    private func run(_ arguments: [String]) {
        let process = Process()
        process.executableURL = URL(filePath: Self.bundler)
        process.arguments = arguments
        process.currentDirectoryURL = sources
        do {
            try process.run()
        } catch {
            fail("'\(Self.bundler)' cannot be run: install the Debian package esbuild, or run .ci/install")
        }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            fail("the application cannot be bundled: correct the errors that esbuild has printed")
        }
    }
}
