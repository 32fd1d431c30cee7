import ObjectStore

extension StoreOptions {
    /// A store in memory; its data ends with its container.
    public static var inMemory: StoreOptions {
        var options = StoreOptions()
        options.type = .inMemory
        return options
    }
}
