// swift-tools-version: 6.2
import PackageDescription

// The fuzzer is a separate package, because it is built with other options than the product.
let package = Package(
    name: "Fuzz",
    dependencies: [.package(name: "docket", path: "..", traits: [])],
    targets: [
        .executableTarget(
            name: "fuzz",
            dependencies: ["CDriver", .product(name: "ParserEntries", package: "docket")]
        ),
        .target(name: "CDriver"),
    ],
    swiftLanguageModes: [.v6]
)
