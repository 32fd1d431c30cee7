import FoundationEssentials
import ObjectGraph

/// A first program with a document: a book of recipes.
///
/// The document is opened, edited and saved by tasks. This program has nothing else to do, so it
/// waits for them; an interface would go on and show `document.status`.
struct DocumentsExample: Example {
    let name = "documents"
    let summary = "a document: edits, undo, a copy, states, and what is not saved"

    func run(in environment: ExampleEnvironment) throws {
        let place = environment.place
        // A document is a place on the disk. Without a store with a file, that is one in the
        // temporary folder, which goes when the program ends.
        let type = environment.store.isFile ? environment.store.type : .sqlite
        for line in try Waiting.result(of: { try await session(place, type) }) {
            environment.output(line)
        }
    }

    private func session(_ place: URL, _ type: StoreType) async throws -> [String] {
        var lines: [String] = []
        var options = DocumentOptions()
        options.store.type = type
        // This program decides by itself when to save.
        options.autosaveDelay = nil
        let document = try await ManagedDocument.shared(
            at: place,
            for: Recipe.self,
            options: options
        )

        if FileManager.default.fileExists(atPath: place.path) {
            try await document.open()
            let titles = try await titles(of: document)
            lines.append(
                "Opened \(counted(titles.count, "recipe")): \(titles.joined(separator: ", "))"
            )
        } else {
            try await document.save(for: .creating)
            lines.append("A new book of recipes.")
        }

        // Each call is one step of undo. Objects stay inside; texts come out.
        let number = try await document.perform(as: "Add Recipe") { context in
            let number = try Recipe.count(in: context) + 1
            let recipe = context.insert(Recipe.self)
            recipe.title = "Soup \(number)"
            for text in ["Cut the vegetables.", "Boil them.", "Eat."] {
                let step = context.insert(Step.self)
                step.text = text
                step.recipe = recipe
            }
            return number
        }
        lines.append("Added soup \(number). The document: \(document.status)")
        try await document.save()
        lines.append("After saving it: \(document.status)")

        try await document.perform(as: "Invite Friends") { context in
            for recipe in try Recipe.all(in: context) { recipe.servings *= 2 }
        }
        let undone = try await document.perform { context in
            let name = context.undoManager?.undoActionName ?? ""
            try context.undoManager?.undo()
            return name
        }
        lines.append("Undid \"\(undone)\".")

        lines += try await saveSomethingInvalid(document)
        lines += try await copy(document, beside: place)
        try await document.close()
        lines.append("At the end: \(document.status)")
        return lines
    }

    /// An edit that cannot be saved is not lost; the user corrects it or drops it.
    private func saveSomethingInvalid(_ document: ManagedDocument) async throws -> [String] {
        try await document.perform { $0.insert(Recipe.self).title = "" }
        do {
            try await document.save()
            return ["A recipe without a title was saved."]
        } catch {
            let state = "\(document.state)"
            try await document.revert()
            return [
                "Not saved: \(ErrorAdvice(error).sentence)",
                "The state was \"\(state)\"; after reverting it is \"\(document.state)\".",
            ]
        }
    }

    /// A copy has what is not saved yet; the document stays as it is.
    private func copy(_ document: ManagedDocument, beside place: URL) async throws -> [String] {
        try await document.perform { $0.insert(Recipe.self).title = "Secret cake" }
        let url = place.deletingLastPathComponent().appending(path: "Copy of the recipes")
        try await document.save(to: url, for: .overwriting)
        try await document.revert()
        let copy = try ManagedDocument(at: url, for: Recipe.self, options: document.options)
        try await copy.open()
        let (here, there) = (try await titles(of: document), try await titles(of: copy))
        try await copy.close()
        try FileManager.default.removeItem(at: url)
        return [
            "In the document: \(here.joined(separator: ", "))",
            "In the copy: \(there.joined(separator: ", "))",
        ]
    }

    private func titles(of document: ManagedDocument) async throws -> [String] {
        try await document.perform { context in
            try Recipe.all(in: context, sortedBy: \.title).map(\.title)
        }
    }
}
