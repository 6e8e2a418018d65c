// swift-tools-version:6.2
import PackageDescription

// A separate package, so that a build of the program does not build the benchmarks.
let package = Package(
    name: "micro",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "habitat", path: "../.."),
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "HotPaths",
            dependencies: [
                .product(name: "Habitat", package: "habitat"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/HotPaths",
            swiftSettings: [.treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
    ]
)
