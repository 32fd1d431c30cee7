public import ObjectModel

extension ModelPackage {
    /// Adds a version that starts as a copy of another; it does not become the current one.
    ///
    /// - Parameters:
    ///   - name: the name of the new version.
    ///   - base: the version to copy; `nil` for the current one.
    /// - Throws: `ObjectGraphError` if the name is taken or invalid, or if the base does not exist.
    public mutating func addVersion(_ name: String, basedOn base: String? = nil) throws {
        let base = base ?? currentName
        guard let file = versions[base] else { throw missing(base) }
        if versions[name] != nil || name.isEmpty || name.contains("/") {
            throw ObjectGraphError(
                .invalidModel,
                "A version cannot be named \"\(name)\": the name is taken or is not a file name.",
                recovery: "Choose another name.",
                key: name
            )
        }
        var copy = file
        copy.model = try ManagedObjectModel.merging([file.model])
        versions[name] = copy
    }

    /// Makes a version the current one.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidModel`` if the version
    ///   does not exist.
    public mutating func setCurrent(_ name: String) throws {
        if versions[name] == nil { throw missing(name) }
        currentName = name
    }

    private func missing(_ name: String) -> ObjectGraphError {
        ObjectGraphError(
            .invalidModel,
            "The version \"\(name)\" does not exist.",
            recovery: "It has: \(versionNames.joined(separator: ", ")).",
            key: name
        )
    }

    /// The version whose entities match those of a store: the current one if it matches, else the
    /// newest one by name that does.
    ///
    /// - Parameters:
    ///   - metadata: the metadata of the store.
    ///   - configuration: the configuration of the store; `nil` for all entities.
    /// - Returns: the name of the version; `nil` if none matches.
    public func versionName(
        forStoreMetadata metadata: [String: GraphValue],
        configuration: String? = nil
    ) -> String? {
        let names = [currentName] + versionNames.reversed()
        return names.first { name in
            versions[name]?.model.fits(storeMetadata: metadata, configuration: configuration)
                ?? false
        }
    }
}
