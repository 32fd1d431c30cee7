import DocketCore
import DocketFormats

extension ImportOutcome {
    /// The report of an import for programs; it may list why nothing was imported.
    func json(_ format: ExchangeFormat, isDryRun: Bool, isRefused: Bool) -> JSONValue {
        let kinds: [(name: String, entries: ExchangeReport.Entries)] = [
            ("skipped", report.skipped), ("changed", report.changed), ("updated", report.updated),
            ("notUpdated", report.left),
        ]
        var members = [
            JSONMember("format", .string(format.name)),
            JSONMember("dryRun", .bool(isDryRun)),
            JSONMember("imported", .bool(!isDryRun && !isRefused)),
            JSONMember("read", .number(String(report.kept))),
            JSONMember("added", .number(String(isRefused ? 0 : added))),
            JSONMember("updated", .number(String(isRefused ? 0 : updated))),
            JSONMember("smartLists", .number(String(isRefused ? 0 : smartLists))),
        ]
        for (name, entries) in kinds where name != "updated" {
            members.append(JSONMember(name, .number(String(entries.total))))
        }
        let entries = kinds.flatMap { name, entries in
            entries.map { entry in
                JSONValue.object([
                    JSONMember("result", .string(name)),
                    JSONMember("line", .number(String(entry.line))),
                    JSONMember("title", .string(entry.title)),
                    JSONMember("reason", .string(entry.reason)),
                ])
            }
        }
        members.append(JSONMember("entries", .array(entries)))
        return .object(members)
    }
}
