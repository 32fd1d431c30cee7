import ObjectGraph

/// An umpire's counter with buttons and labels that are independent of each other.
///
/// A button has a title, and key-value coding finds the property with that name. A label observes a
/// property by key-value observing. Only the counter knows the rules.
///
/// The class alone declares the model: for three numbers no editor is needed.
struct UmpireExample: Example {
    let name = "umpire"
    let summary = "buttons set by key-value coding, labels follow by key-value observing"

    func run(in environment: ExampleEnvironment) throws {
        let output = environment.output
        let container = try environment.open(
            ManagedObjectModel(for: UmpireCounter.self),
            [UmpireCounter.self]
        )
        let context = container.viewContext
        let counter = try UmpireCounter.first(in: context) ?? context.insert(UmpireCounter.self)

        // The labels update themselves; the code below does not call them.
        let labels = try ["Balls", "Strikes", "Outs"].map { try Label($0, of: counter) }
        func show(_ button: String) {
            let texts = labels.map(\.text).joined(separator: "   ")
            let gap = String(repeating: " ", count: 9 - button.count)
            output("\(button)\(gap)\(texts)")
        }

        show("")
        for title in ["Balls", "Strikes", "Balls", "Strikes", "Strikes"] {
            try Button(title: title).press(counter)
            show(title)
        }
        for title in ["Balls", "Balls", "Balls", "Balls", "Outs", "Strikes"] {
            try Button(title: title).press(counter)
            show(title)
        }
        do {
            try Button(title: "Fouls").press(counter)
        } catch {
            output("Fouls    \(ErrorAdvice(error).sentence)")
        }
        output()
        for label in labels { output("\(label.title) changed \(label.changes) times.") }
        try context.save()
    }
}
