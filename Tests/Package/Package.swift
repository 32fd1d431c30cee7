// swift-tools-version: 6.2
import PackageDescription

// A package that depends on the framework, and has its classes generated from a model when it is built.
let package = Package(
    name: "Garden",
    dependencies: [.package(name: "docket", path: "../..")],
    targets: [
        .executableTarget(
            name: "Garden",
            dependencies: [.product(name: "ObjectGraph", package: "docket")],
            plugins: [.plugin(name: "GenerateModel", package: "docket")]
        )
    ],
    swiftLanguageModes: [.v6]
)
