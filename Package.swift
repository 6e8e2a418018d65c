// swift-tools-version:6.2
import PackageDescription

let swift: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
    // The first flag specializes generic code of a module for types of other modules. The second flag omits the check
    // that the runtime makes at each access to a property of a class, such as the output buffer, which the renderers
    // access several times for each value. The debug build, in which the tests run, keeps the checks.
    .unsafeFlags(
        ["-cross-module-optimization", "-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

let package = Package(
    name: "habitat",
    products: [
        .executable(name: "habitat", targets: ["habitat"]),
        .executable(name: "habitat-server", targets: ["habitat-server"]),
        .library(
            name: "Habitat",
            targets: [
                "Base", "Geo", "Photos", "HabitModel", "StoreEngine", "StoreSpatiaLite", "StorePostGIS", "HabitStore",
                "HabitIngest", "Rendering", "HabitReport",
            ]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
        // Only the server uses these packages. 'swift build --product habitat' does not build them.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: ["FullFoundation"]),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
    ],
    targets: [
        // C libraries of Debian, one small target each.
        .systemLibrary(name: "CExif", providers: [.apt(["libexif-dev"])]),
        .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CPrefetch"),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CUtf8proc", providers: [.apt(["libutf8proc-dev"])]),
        // Linked statically in Rendering.
        .systemLibrary(name: "CZstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "CBaseMap",
            exclude: ["coarse-land.txt", "coarse-borders.txt", "fine-land.txt", "fine-borders.txt", "cities.txt"]),
        // Linked statically, so that start-up does not load them. The shared libgd would also load decoders of a dozen
        // formats that the program does not use.
        .target(
            name: "CGd",
            cSettings: [.unsafeFlags(["-O2"])],
            linkerSettings: [":libgd.a", "png", "jpeg", "webp", "m"].map { .linkedLibrary($0) }),
        .target(
            name: "CGeodesic", linkerSettings: [":libGeographicLib.a", "stdc++"].map { .linkedLibrary($0) }),
        // libpq is not linked. CPostgres loads it when the program opens a store on PostgreSQL for the first time.
        .target(name: "CPostgres"),
        // libspatialite is not linked. CSpatiaLite loads it when a connection writes for the first time.
        .target(name: "CSpatiaLite"),
        .target(
            name: "CSimdJSON",
            cxxSettings: [.unsafeFlags(["-O3"])],
            linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("stdc++")]),

        .target(
            name: "Base",
            dependencies: ["CSimdJSON", "CUtf8proc", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: swift),
        .target(name: "Geo", dependencies: ["Base", "CBaseMap", "CGeodesic"], swiftSettings: swift),
        .target(name: "Photos", dependencies: ["Geo", "CExif", "CGd", "CZlib"], swiftSettings: swift),
        .target(
            name: "HabitModel",
            dependencies: ["Base", "Geo", "Photos"],
            resources: [.embedInCode("Words/not-allowed.txt")],
            swiftSettings: swift),
        // The protocols and types that both engines use, and the two engines.
        .target(name: "StoreEngine", dependencies: ["Base", "Geo"], swiftSettings: swift),
        .target(
            name: "StoreSpatiaLite",
            dependencies: [
                "StoreEngine", "Base", "Geo", "CPrefetch", "CSQLite", "CSpatiaLite",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swift),
        .target(
            name: "StorePostGIS", dependencies: ["StoreEngine", "Base", "Geo", "CPostgres"],
            resources: [.embedInCode("SQL")],
            swiftSettings: swift),
        .target(
            name: "HabitStore",
            dependencies: [
                "StoreSpatiaLite", "StorePostGIS", "StoreEngine", "HabitModel", "Photos", "Geo", "Base", "CPrefetch",
                .product(name: "BitCollections", package: "swift-collections"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            resources: [.embedInCode("Schema/SpatiaLite"), .embedInCode("Schema/PostGIS")],
            swiftSettings: swift),
        .target(
            name: "HabitIngest",
            dependencies: [
                "HabitStore", "StoreEngine", "StoreSpatiaLite", "HabitModel", "Photos", "Geo", "Base", "CExpat",
                "CSimdJSON",
                "CZlib",
            ],
            swiftSettings: swift),
        .target(
            name: "Rendering", dependencies: ["StoreEngine", "Base", "Geo", "CUtf8proc", "CZlib", "CZstd"],
            resources: [.embedInCode("HTML/Styles")],
            swiftSettings: swift, linkerSettings: [.linkedLibrary(":libzstd.a")]),
        .target(
            name: "HabitReport",
            dependencies: [
                "Rendering", "HabitIngest", "HabitStore", "StoreEngine", "HabitModel", "Photos", "Geo", "Base",
            ],
            resources: [.embedInCode("Reports")],
            swiftSettings: swift),
        // The error texts of both command lines.
        .target(
            name: "CommandLineText",
            dependencies: ["Base", "HabitModel", .product(name: "Logging", package: "swift-log")],
            swiftSettings: swift),
        .executableTarget(
            name: "habitat",
            dependencies: [
                "CommandLineText", "HabitIngest", "HabitReport", "Rendering", "HabitStore", "StoreEngine",
                "StoreSpatiaLite", "StorePostGIS",
                "HabitModel", "Photos", "Geo", "Base",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "TOMLKit", package: "TOMLKit"),
            ],
            swiftSettings: swift),

        // The transport of the server, which knows neither habits nor the store.
        .target(
            name: "HTTPServing",
            dependencies: [
                "Rendering", "Base",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swift),
        .target(
            name: "HabitAPI",
            dependencies: [
                "HTTPServing", "HabitReport", "Rendering", "HabitIngest", "HabitStore", "StoreEngine", "HabitModel",
                "Photos", "Geo", "Base",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: swift),
        .target(
            name: "HabitPages",
            dependencies: [
                "HabitAPI", "HTTPServing", "HabitReport", "Rendering", "HabitModel", "StoreEngine", "Geo", "Base",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            exclude: ["Application", "Web"],
            swiftSettings: swift,
            plugins: ["EmbedFiles"]),
        // The assembly of the server: its options, listeners and start.
        .target(
            name: "HabitServer",
            dependencies: [
                "HabitPages", "HabitAPI", "HTTPServing", "HabitReport", "HabitStore", "StoreEngine", "HabitModel",
                "Base",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swift),
        // Embeds the folder Web, the bundles of the folder Application, and the JavaScript libraries of Debian packages.
        .plugin(
            name: "EmbedFiles", capability: .buildTool(), dependencies: ["embed-files"],
            path: "Sources/EmbedFiles"),
        .executableTarget(name: "embed-files", dependencies: ["CZlib"], swiftSettings: swift),
        .executableTarget(
            name: "habitat-server",
            dependencies: [
                "CommandLineText", "HabitServer", "HabitStore", "StoreEngine", "StorePostGIS", "HabitModel", "Base",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swift),

        .target(
            name: "HabitTestSupport",
            dependencies: [
                "Base", "Geo", "HabitModel", "Photos", "StoreEngine", "StorePostGIS", "HabitStore", "CPostgres",
            ],
            path: "Tests/HabitTestSupport",
            swiftSettings: swift),
        .testTarget(name: "BaseTests", dependencies: ["Base", "HabitTestSupport"], swiftSettings: swift),
        .testTarget(name: "GeoTests", dependencies: ["Geo", "HabitTestSupport"], swiftSettings: swift),
        .testTarget(
            name: "PhotosTests", dependencies: ["Photos", "HabitModel", "HabitTestSupport", "CGd"], swiftSettings: swift
        ),
        .testTarget(
            name: "HabitModelTests", dependencies: ["Base", "HabitModel", "HabitTestSupport"], swiftSettings: swift),
        .testTarget(
            name: "HabitStoreTests",
            dependencies: [
                "HabitStore", "StoreSpatiaLite", "StorePostGIS", "StoreEngine", "Rendering", "CSQLite",
                "HabitTestSupport",
            ],
            swiftSettings: swift),
        .testTarget(name: "HabitIngestTests", dependencies: ["HabitIngest", "HabitTestSupport"], swiftSettings: swift),
        .testTarget(
            name: "HabitReportTests",
            dependencies: [
                "HabitReport", "Rendering", "HabitStore", "StoreEngine", "HabitModel", "Geo", "HabitTestSupport",
            ],
            swiftSettings: swift),
        .testTarget(
            name: "HabitServerTests",
            dependencies: [
                "HabitServer", "StoreSpatiaLite", "CSQLite", "CommandLineText", "HabitTestSupport", "habitat",
                "habitat-server",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
            ],
            swiftSettings: swift),
        .testTarget(
            name: "HabitCommandTests", dependencies: ["habitat", "CommandLineText", "HabitTestSupport"],
            exclude: ["Import/Samples"],
            swiftSettings: swift),
    ]
)
