import FoundationEssentials
import ObjectGraph

/// What an example runs in: its store, its output, its size and its clock.
final class ExampleEnvironment {
    let output: Output
    /// How much the example works on; 0 for one that has no size.
    let size: Int
    /// The time in the examples: always noon of the same day, so that they always say the same.
    let now = Date(timeIntervalSince1970: 1_339_761_600)  // 15 June 2012, 12:00 UTC

    /// How the objects are kept.
    let store: StoreForm
    private let storeType: StoreType
    private let file: URL
    private var containers: [PersistentContainer] = []

    init(output: Output, size: Int, store: StoreForm, type: StoreType, file: URL) {
        self.output = output
        self.size = size
        self.store = store
        storeType = type
        self.file = file
    }

    /// Opens the example's store, making it if there is none.
    func open(
        _ model: ManagedObjectModel,
        _ classes: [ManagedObject.Type]
    ) throws -> PersistentContainer {
        try open(model, classes, [storeDescription()])
    }

    /// Opens several stores under one coordinator.
    func open(
        _ model: ManagedObjectModel,
        _ classes: [ManagedObject.Type],
        _ stores: [StoreDescription]
    ) throws -> PersistentContainer {
        let container = try PersistentContainer(model: model, classes: classes, stores: stores)
        containers.append(container)
        return container
    }

    /// A store of the form that was asked for.
    ///
    /// - Parameters:
    ///   - suffix: what its file has at the end of the name, beside those of other stores.
    ///   - configuration: the part of the model that it holds; `nil` for all of it.
    /// - Returns: where the store is, and how to open it.
    func storeDescription(
        suffix: String = "",
        configuration: String? = nil
    ) -> StoreDescription {
        var options = StoreOptions()
        options.type = storeType
        options.configuration = configuration
        let name = file.deletingPathExtension().lastPathComponent + suffix
        let url = file.deletingLastPathComponent()
            .appending(path: file.pathExtension.isEmpty ? name : "\(name).\(file.pathExtension)")
        return StoreDescription(url: url, options: options)
    }

    /// Closes what the example opened.
    func close() {
        for container in containers { container.close() }
        containers = []
    }
}
