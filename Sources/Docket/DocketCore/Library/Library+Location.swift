import ObjectGraph

extension Library {
    /// Gives tasks a location by its name, with or without `@`; an empty name takes it away.
    ///
    /// A location that does not exist yet is created.
    ///
    /// - Returns: the step; `nil` if they have it already.
    @discardableResult
    public func setLocation(_ name: String, of tasks: [Task]) throws -> SavedStep? {
        try change {
            let tasks = existing(tasks)
            let location = try Library.location(typed: name, in: context)
            for task in tasks where task.location !== location { task.location = location }
            let subject = changed(tasks)
            guard let location else { return StepName(.cleared, part: "location of", subject) }
            return StepName(
                .set,
                part: "location of",
                subject,
                " to \(StepName.short(location.name))"
            )
        }
    }

    /// All locations, by their names.
    public func locations() throws -> [Location] {
        try refresh()
        return try Location.all(in: context, sortedBy: \.name)
    }
}
