public import ObjectGraph

extension ObjectGraphError {
    /// Whether a store that cannot be opened for writing may still be one that can be read.
    public var isOfWriting: Bool { code == .cannotWrite || code == .cannotOpen }
}
