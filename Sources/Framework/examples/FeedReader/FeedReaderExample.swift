import ObjectGraph

/// A reader of feeds: a server shows the number of unread items, whoever reads or removes them.
struct FeedReaderExample: Example {
    let name = "feedreader"
    let summary = "a count of unread items that is updated by observing the items"

    func run(in environment: ExampleEnvironment) throws {
        let output = environment.output
        let container = try environment.open(FeedReaderModel.make(), FeedReaderModel.classes)
        let context = container.viewContext

        let server = try Server.first(in: context) ?? context.insert(Server.self)
        server.name = "news.example"
        func show(_ what: String) {
            context.processPendingChanges()
            output("\(what): \(server.unreadCount) unread")
        }
        show(server.isInserted ? "A new server" : "The server as it was kept")

        add(["Rain expected", "Bridge opens", "Market moves"], to: server, in: context)
        try context.save()
        show("Three items arrive")

        let items = server.items.sorted { $0.title < $1.title }
        items.first?.read = true
        show("One is read")
        items.first?.read = false
        show("It is marked as unread again")
        if let last = items.last { context.delete(last) }
        show("An unread one is deleted")
        try context.save()

        // Changes of somebody else: from another context, as in a background import.
        let other = container.newContext()
        context.automaticallyMergesChangesFromParent = true
        if let there = try Server.first(in: other) {
            add(["Late train", "Early bird"], to: there, in: other)
            try other.save()
        }
        show("Two more arrive in another context")

        output.heading("A server that nobody looks at")
        context.refresh(server, mergeChanges: false)
        output("It is a fault: \(server.isFault); it watches: \(server.isWatching)")
        try FeedItem.deleteAll(in: other)
        try other.save()
        context.processPendingChanges()
        output("All items are deleted elsewhere; it is a fault still: \(server.isFault)")
        show("Then somebody looks")
        output("It is a fault: \(server.isFault); it watches: \(server.isWatching)")
        try context.save()
    }

    private func add(_ titles: [String], to server: Server, in context: ManagedObjectContext) {
        for title in titles {
            let item = context.insert(FeedItem.self)
            item.title = title
            item.server = server
        }
    }
}
