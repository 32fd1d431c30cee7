/// The manual, `docs/manual`: `docket help TOPIC` prints one of its files.
enum Manual {
    /// The topics, in the order in which `docket help` lists them; each is a file.
    private static var topics: [(name: String, text: () -> [UInt8])] {
        [
            ("getting-started", { PackageResources.getting_started_md }),
            ("coming-from", { PackageResources.coming_from_md }),
            ("cookbook", { PackageResources.cookbook_md }),
            ("keys", { PackageResources.keys_md }),
            ("subtasks", { PackageResources.subtasks_md }),
            ("marks", { PackageResources.marks_md }),
            ("search", { PackageResources.search_md }),
            ("lists", { PackageResources.lists_md }),
            ("notes", { PackageResources.notes_md }),
            ("repeating", { PackageResources.repeating_md }),
            ("reminders", { PackageResources.reminders_md }),
            ("sync", { PackageResources.sync_md }),
            ("statistics", { PackageResources.statistics_md }),
            ("formats", { PackageResources.formats_md }),
            ("hooks", { PackageResources.hooks_md }),
            ("vault", { PackageResources.vault_md }),
            ("team", { PackageResources.team_md }),
            ("backups", { PackageResources.backups_md }),
            ("inspect", { PackageResources.inspect_md }),
            ("folders", { PackageResources.folders_md }),
            ("config", { PackageResources.config_md }),
            ("files", { PackageResources.files_md }),
            ("exit-codes", { PackageResources.exit_codes_md }),
        ]
    }

    static var names: [String] { topics.map(\.name) }

    /// The file of a topic, without the end of its last line.
    static func text(of name: String) -> String? {
        topics.first { $0.name == name }
            .map { String(decoding: $0.text().dropLast(), as: UTF8.self) }
    }

    /// The topics with the headings of their files.
    static var list: String {
        let rows = topics.map { topic in
            let heading = topic.text().dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
            let gap = String(repeating: " ", count: 24 - topic.name.utf8.count)
            return "  \(topic.name)\(gap)\(String(decoding: heading, as: UTF8.self))"
        }
        return "TOPICS:\n\(rows.joined(separator: "\n"))\n\n"
            + "  See 'docket help <topic>' for the manual."
    }
}
