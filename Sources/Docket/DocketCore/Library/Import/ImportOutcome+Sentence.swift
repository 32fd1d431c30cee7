import DocketFormats

extension ImportOutcome {
    /// What was done, as one sentence without a point; of a dry run what would be done.
    public func sentence(isDryRun: Bool = false) -> String {
        func items(_ count: Int) -> String { "\(count) item\(count == 1 ? "" : "s")" }
        let (kept, left) = (report.kept, report.left.total)
        let skipped = report.skipped.total
        let would = isDryRun ? "would be " : ""
        var rest =
            left == 0 ? "" : "; \(left) \(isDryRun ? "would stay" : "stayed") as changed here"
        if skipped > 0 { rest += "; \(isDryRun ? "would skip" : "skipped") \(skipped)" }
        if continued > 0 { rest += "; \(items(continued)) were imported before" }
        if smartLists > 0 {
            let lists = "\(smartLists) smart list\(smartLists == 1 ? "" : "s")"
            if added + updated == 0 {
                return (isDryRun ? "Would import " : "Imported ") + lists + rest
            }
            rest = " and \(lists)" + rest
        }
        if kept + skipped == 0 { return "Nothing \(would)changed: there are no items" }
        if added == 0, updated == 0 {
            let known = left == 0 ? ", all known already" : ""
            return "Nothing \(would)changed: \(items(kept)) read\(known)\(rest)"
        }
        let news = items(added)
        if updated == 0 { return (isDryRun ? "Would import " : "Imported ") + news + rest }
        if added == 0 {
            return (isDryRun ? "Would update " : "Updated ") + items(updated) + rest
        }
        return isDryRun
            ? "Would import \(news), update \(updated)\(rest)"
            : "Imported \(news), updated \(updated)\(rest)"
    }
}
