// swift-tools-version:6.1
import PackageDescription

// A package of its own, so that who builds the program does not build what measures it.
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
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
    ]
)
