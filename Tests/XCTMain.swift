import Testing

/// The main program of the tests.
///
/// The Swift Package Manager requires the name of this file. Without this file, the package manager finds the tests in
/// an index of the sources, which makes each build slower. Swift Testing finds its tests in the program itself.
///
/// `swift test` runs all tests. Its option `--filter` fails, because it requires an index: use `make test-only`.
@main struct TestProgram {
    /// Runs the tests and exits.
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
