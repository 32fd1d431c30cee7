import ObjectGraph

extension Library {
    /// Fills a store that has never held an item with a list that explains the keys; one step.
    ///
    /// Only the interface calls it. A store whose items were all deleted stays empty.
    package func welcome() throws {
        guard !isReadOnly, try latestTransaction() == 0, try count(nil) == 0 else { return }
        try change { try fillWithWelcome() }
    }

    private func fillWithWelcome() throws -> StepName {
        let list = try Library.list(path: ["Welcome"], in: context)
        var items: [Item] = []
        func add<Kind: Item>(_ type: Kind.Type, _ title: String) -> Kind {
            let item = context.insert(type)
            item.title = title
            item.list = list
            items.append(item)
            return item
        }
        let today = DueDate(day: clock().today)
        let first = add(Task.self, "Press Space to mark this task as done, then u to undo it")
        first.setDue(today)
        first.priority = 3
        let second = add(Task.self, "Press a and type: Pay rent tomorrow 9am +Home #bank !high")
        second.setDue(today)
        second.$tags.insert(try Library.tag("learn", in: context))
        let tree = add(Task.self, "Tasks can have subtasks (A adds one, z folds)")
        let part = add(Task.self, "J and K move a task, also while you search")
        part.parent = tree
        let other = add(Task.self, "v marks several for one command")
        other.parent = tree
        other.completed = now
        let search = add(Task.self, "Press / and type a few letters of two words")
        search.$tags.insert(try Library.tag("learn", in: context))
        let note = add(Note.self, "How this works")
        note.body = Library.welcomeText
        try assignNumbers(to: items)
        return StepName(.added, StepSubject(.list, count: 1, title: list?.name))
    }

    private static let welcomeText = """
        # Docket in a minute

        The left pane has **lists**, the middle one *items*, this one shows the selected item.
        `Tab` goes round.

        ## Keys that matter
        - `a` adds a task in one line, `n` a note, `Enter` edits
        - `Space` marks as done, `d` trashes, `u` takes anything back
        - `/` searches titles, notes, lists and tags at once
        - `:` finds every other command by name, `?` lists all keys

        ## Nothing gets lost
        - [x] Each command is saved before you see it
        - [ ] `U` shows the history; undo reaches back over restarts
        - [ ] What a script does by `docket add` shows here at once, and `u` undoes it too

        Move this list to the trash when you know it: `V`, then `d`.
        """
}
