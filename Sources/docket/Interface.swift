import DocketCore

/// The interactive interface.
enum Interface {
    static func run(_ store: StoreOptions) throws {
        throw InputError(.unknownFormat, "The interface is not built in yet; see docket --help.")
    }
}
