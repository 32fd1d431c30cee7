// swift-tools-version: 6.2
import PackageDescription

// How many people a library on a server bears; see docs/design/scale.md.
let package = Package(
    name: "team",
    dependencies: [.package(name: "docket", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "team",
            dependencies: [
                .product(name: "ObjectGraph", package: "docket"),
                .product(name: "PostgreSQLStore", package: "docket"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
