import CivilTime
import FoundationEssentials
public import ObjectGraph

// What Docket brings along, in the files of Resources/Seeds, which are embedded in the program.

/// The seeds of Docket's stores.
public enum Seeds {
    /// The categories of a new vault.
    ///
    ///     try Seeds.vault.run(in: vault.coordinator)
    ///
    /// A new category gets a row with the next version in the column `since`, which is raised here.
    public static var vault: SeedPlan {
        SeedPlan(
            "vault categories",
            version: 1,
            [SeedTable("Category", csv: PackageResources.categories_csv, unique: "name")]
        )
    }

    /// The list that explains the keys.
    ///
    /// The items have no list and no numbers yet.
    ///
    /// - Parameters:
    ///   - today: the due date `today` of the rows.
    ///   - now: when the finished tasks were done.
    /// - Returns: the plan.
    static func welcome(today: DueDate, now: Date) -> SeedPlan {
        let tags = SeedColumn.custom { value, object in
            guard let item = object as? Item, let context = item.context else { return }
            for case .string(let name) in value.elements ?? [] {
                item.$tags.insert(try Library.tag(name, in: context))
            }
        }
        let due = SeedColumn.custom { value, object in
            if value == .string("today") { (object as? Task)?.setDue(today) }
        }
        let done = SeedColumn.custom { value, object in
            if value == .bool(true) { (object as? Task)?.completed = now }
        }
        let body = SeedColumn.custom { value, object in
            let lines = (value.elements ?? []).map { String(value: $0) ?? "" }
            (object as? Note)?.body = lines.joined(separator: "\n")
        }
        return SeedPlan(
            "welcome",
            [
                SeedTable(
                    "Task",
                    json: PackageResources.welcome_tasks_json,
                    columns: [
                        "label": .label, "parent": .row("parent"), "tags": tags, "due": due,
                        "done": done,
                    ]
                ),
                SeedTable(
                    "Note",
                    json: PackageResources.welcome_notes_json,
                    columns: ["body": body]
                ),
            ]
        )
    }
}
