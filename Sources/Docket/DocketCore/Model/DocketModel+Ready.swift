import ObjectGraph

extension DocketModel {
    /// A new model for opening a store: the transformers that it names are there.
    static func ready() -> ManagedObjectModel {
        VaultTransformers.prepare()
        return make()
    }
}
