import ObjectStore

extension StoreOptions {
    /// A store in memory, which is gone with its container.
    public static var inMemory: StoreOptions {
        var options = StoreOptions()
        options.type = .inMemory
        return options
    }
}
