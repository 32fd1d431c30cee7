import FoundationEssentials
import ObjectGraph

/// The environment of an example: its store, its output, its size and its clock.
final class ExampleEnvironment {
    let output: Output
    /// The size of the example's work; 0 for one without a size.
    let size: Int
    /// The time in the examples: always noon of the same day, so that the output is always the
    /// same.
    let now = Date(timeIntervalSince1970: 1_339_761_600)  // 15 June 2012, 12:00 UTC

    let store: StoreForm
    private let file: URL
    /// The place for an example that keeps a document instead of a store.
    var place: URL { file }
    private var containers: [PersistentContainer] = []

    init(output: Output, size: Int, store: StoreForm, file: URL) {
        self.output = output
        self.size = size
        self.store = store
        self.file = file
    }

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

    /// A store of the selected form.
    ///
    /// - Parameters:
    ///   - suffix: the end of its file's name, to distinguish it from other stores.
    ///   - configuration: its part of the model; `nil` for all of it.
    /// - Returns: the place of the store, and how to open it.
    func storeDescription(suffix: String = "", configuration: String? = nil) -> StoreDescription {
        var options = StoreOptions()
        options.type = store.type
        options.configuration = configuration
        let name = file.deletingPathExtension().lastPathComponent + suffix
        let url = file.deletingLastPathComponent()
            .appending(path: file.pathExtension.isEmpty ? name : "\(name).\(file.pathExtension)")
        return StoreDescription(url: url, options: options)
    }

    func close() {
        for container in containers { container.close() }
        containers = []
    }
}
