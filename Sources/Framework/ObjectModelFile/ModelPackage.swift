public import ObjectModel

/// A data model with all its versions: the content of an `.xcdatamodeld` folder.
///
/// An `.xcdatamodel` folder or a single `contents` file is read as a package of one version.
///
///     let model = try ModelPackage(contentsOf: "Docket.xcdatamodeld").current.model
public struct ModelPackage {
    /// The versions by name, without extension.
    public var versions: [String: ModelFile]
    /// The name of the version in use.
    public var currentName: String
    /// Issues of the whole package.
    public var issues: [ModelIssue] = []

    /// A package of one version, made in code.
    public init(_ name: String, _ file: ModelFile) {
        versions = [name: file]
        currentName = name
    }

    init(versions: [String: ModelFile], currentName: String, issues: [ModelIssue]) {
        self.versions = versions
        self.currentName = currentName
        self.issues = issues
    }

    /// The version in use.
    ///
    /// An empty model if ``currentName`` was set to a version that does not exist.
    public var current: ModelFile { versions[currentName] ?? ModelFile(ManagedObjectModel()) }

    /// The names of the versions in natural order: "Model 2" before "Model 10".
    public var versionNames: [String] {
        versions.keys.sorted { left, right in
            left.count == right.count ? left < right : left.count < right.count
        }
    }
}
