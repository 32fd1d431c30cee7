public import ObjectModel

extension ModelPackage {
    /// Adds a version that starts as a copy of another; it does not become the current one.
    ///
    /// - Parameters:
    ///   - name: the name of the new version.
    ///   - base: the version to copy; `nil` for the current one.
    /// - Throws: `ObjectGraphError` if the name is taken or there is no such base.
    public mutating func addVersion(_ name: String, basedOn base: String? = nil) throws {
        let base = base ?? currentName
        guard let file = versions[base] else { throw missing(base) }
        if versions[name] != nil || name.isEmpty || name.contains("/") {
            throw ObjectGraphError(
                .invalidModel,
                "A version cannot be named \"\(name)\": the name is taken or no file name.",
                recovery: "Choose another name.",
                key: name
            )
        }
        var copy = file
        copy.model = try ManagedObjectModel.merging([file.model])
        versions[name] = copy
    }

    /// Makes a version the one in use.
    public mutating func setCurrent(_ name: String) throws {
        if versions[name] == nil { throw missing(name) }
        currentName = name
    }

    private func missing(_ name: String) -> ObjectGraphError {
        ObjectGraphError(
            .invalidModel,
            "There is no version \"\(name)\".",
            recovery: "There are: \(versionNames.joined(separator: ", ")).",
            key: name
        )
    }

    /// The version whose entities are stored as a store's are; the current one if it fits, else
    /// the newest by name that does.
    ///
    /// - Parameters:
    ///   - metadata: the store's.
    ///   - configuration: the one that the store was made with; `nil` for all entities.
    /// - Returns: the name of the version; `nil` if none fits.
    public func versionName(
        forStoreMetadata metadata: [String: Value],
        configuration: String? = nil
    ) -> String? {
        let names = [currentName] + versionNames.reversed()
        return names.first { name in
            versions[name]?.model.fits(storeMetadata: metadata, configuration: configuration)
                ?? false
        }
    }
}
