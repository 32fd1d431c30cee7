// swift-tools-version: 6.2
import PackageDescription

// The benchmarks are a separate package, so that the product does not depend on the libraries that it is
// compared with.
let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "docket", path: "..", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    ],
    targets: [
        .target(
            name: "CReference",
            linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("util")]),
        .executableTarget(
            name: "bench",
            dependencies: [
                "CReference",
                .product(name: "ObjectGraph", package: "docket"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
