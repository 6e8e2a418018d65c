import Testing

/// The main program of the tests.
///
/// The Swift Package Manager requires the name of this file. Without this file, the package manager finds the tests in
/// an index of the sources, and the index costs a seventh of the processor time of a build. Swift Testing finds its tests
/// in the program itself.
@main struct TestProgram {
    /// Runs the tests and exits.
    ///
    /// `swift test` starts the program a second time for the library XCTest, which has no tests here.
    static func main() async {
        guard CommandLine.arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
