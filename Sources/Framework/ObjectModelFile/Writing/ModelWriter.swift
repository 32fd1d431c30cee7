import ObjectModel

/// Writes a ``ModelFile`` as the text of a `contents` file.
///
/// Entities and properties are sorted by name, so the text does not depend on the order in which
/// they were added.
struct ModelWriter {
    let file: ModelFile
    var output = ContentsText()

    init(_ file: ModelFile) { self.file = file }

    /// The text of a file.
    ///
    /// - Throws: `ObjectGraphError` if the model has parts that the format cannot express.
    static func text(of file: ModelFile) throws -> String {
        var writer = ModelWriter(file)
        try writer.write()
        return writer.output.text
    }

    private mutating func write() throws {
        let first = [
            "type", "documentVersion", "lastSavedToolsVersion", "systemVersion",
            "minimumToolsVersion", "sourceLanguage",
        ]
        var attributes: ContentsText.AttributeList = first.map { ($0, file.header[$0]) }
        for (name, value) in file.header.sorted(by: { $0.key < $1.key })
        where !first.contains(name) {
            attributes.append((name, value))
        }
        let identifiers = file.model.versionIdentifiers.sorted()
        guard identifiers.count < 2 else {
            throw unsupported("the model", "has \(identifiers.count) version identifiers")
        }
        attributes.append(("userDefinedModelVersionIdentifier", identifiers.first ?? ""))
        try group("model", attributes) { writer in
            for entity in writer.file.model.entities.sorted(by: { $0.name < $1.name }) {
                try writer.write(entity)
            }
            let templates = writer.file.model.fetchRequestTemplates
            for (name, request) in templates.sorted(by: { $0.key < $1.key }) {
                try writer.write(request, named: name, at: .request(name))
            }
            for (name, members) in writer.file.model.configurations.sorted(by: { $0.key < $1.key })
            {
                writer.write(configuration: name, members)
            }
            for (name, attributes) in writer.file.model.composites.sorted(by: { $0.key < $1.key }) {
                try writer.write(
                    composite: name,
                    attributes.compactMap { $0 as? AttributeDescription }
                )
            }
            writer.writeLayout()
        }
    }

    private mutating func write(configuration name: String, _ members: [String]) {
        let attributes = [("name", name)] + extras(at: .configuration(name))
        output.element("configuration", attributes) { output in
            for member in members.sorted() { output.element("memberEntity", [("name", member)]) }
        }
    }

    private mutating func write(
        composite name: String,
        _ attributes: [AttributeDescription]
    ) throws {
        let place = ModelPlace.composite(name)
        try group("composite", [("name", name)] + extras(at: place)) { writer in
            for attribute in attributes { try writer.write(attribute, of: place.description) }
        }
    }

    private mutating func writeLayout() {
        guard !file.layout.isEmpty else { return }
        let layout = file.layout
        output.element("elements") { output in
            for (name, frame) in layout.sorted(by: { $0.key < $1.key }) {
                let order = ["positionX", "positionY", "width", "height"]
                var attributes: ContentsText.AttributeList = [("name", name)]
                attributes += order.map { ($0, frame[$0]) }
                for (key, value) in frame.sorted(by: { $0.key < $1.key })
                where !order.contains(key) {
                    attributes.append((key, value))
                }
                output.element("element", attributes)
            }
        }
    }

    // MARK: - Shared

    /// Writes an element whose content this writer writes.
    mutating func group(
        _ name: String,
        _ attributes: ContentsText.AttributeList,
        _ body: (inout ModelWriter) throws -> Void
    ) throws {
        var inner = self
        // The text moves into the inner writer and back, so that it is never copied.
        var text = ContentsText()
        swap(&text, &output)
        inner.output = ContentsText()
        try text.element(name, attributes) { output in
            swap(&output, &inner.output)
            try body(&inner)
            swap(&output, &inner.output)
        }
        output = text
    }

    /// Attributes that were kept from the file.
    func extras(at place: ModelPlace) -> ContentsText.AttributeList {
        (file.extras[place] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    mutating func write(userInfo: [String: String]) {
        ModelWriter.write(userInfo, to: &output)
    }

    mutating func write(
        _ request: FetchDescription,
        named name: String,
        at place: ModelPlace
    ) throws {
        guard request.sortDescriptors.isEmpty, request.propertiesToFetch.isEmpty,
            request.propertiesToGroupBy.isEmpty, request.having == nil, request.offset == 0
        else {
            throw unsupported(place.description, "sorts, groups, has an offset or lists properties")
        }
        let standard = FetchDescription(entityName: request.entityName)
        func number(_ number: Int) -> String? { number == 0 ? nil : String(number) }
        var attributes: ContentsText.AttributeList = [
            ("name", name),
            ("entity", request.entityName),
            ("predicateString", text(of: request.predicate, at: place)),
            ("fetchLimit", number(request.limit)),
            ("fetchBatchSize", number(request.batchSize)),
            ("resultType", request.resultType == .objects ? nil : request.resultType.editorCode),
        ]
        for (key, path) in FetchDescription.editorFlags
        where request[keyPath: path] != standard[keyPath: path] {
            attributes.append((key, request[keyPath: path] ? "YES" : "NO"))
        }
        let kept = extras(at: place).filter { $0.name != "name" }
        output.element("fetchRequest", attributes + kept)
    }

    /// A predicate in the file's spelling, or in canonical form if it is new or changed.
    func text(of predicate: FetchPredicate?, at place: ModelPlace) -> String? {
        guard let predicate else { return nil }
        if let known = file.predicateTexts[place], known.predicate == predicate {
            return known.text
        }
        return predicate.format
    }

    func unsupported(_ place: String, _ what: String) -> ObjectGraphError {
        ObjectGraphError(
            .unsupported,
            "\(place) \(what), which the editor's file format cannot express.",
            recovery: "Keep that part of the model in code."
        )
    }
}
