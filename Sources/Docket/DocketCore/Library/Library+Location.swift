import ObjectGraph

extension Library {
    /// The name of a location that somebody has typed, as the existing one is spelled; `nil` for none.
    static func known(location name: String, in context: ManagedObjectContext) throws -> String? {
        guard let name = locationName(name) else { return nil }
        return try Location.first(in: context, where: { $0.name.equals(name, .c) })?.name ?? name
    }

    /// All locations, by their names.
    public func locations() throws -> [Location] {
        try refresh()
        return try Location.all(in: context, sortedBy: \.name)
    }
}
