import DocketFormats

extension ImportOutcome {
    /// What was done, as one sentence without a point; of a dry run what would be done.
    public func sentence(isDryRun: Bool = false) -> String {
        func items(_ count: Int) -> String { "\(Phrase(count, "item"))" }
        let (kept, left) = (report.kept, report.left.total)
        let skipped = report.skipped.total
        let would = isDryRun ? localized("would be ") : ""
        var rest =
            left == 0
            ? ""
            : localized(
                "; \(left) \(isDryRun ? localized("would stay") : localized("stayed")) as changed here"
            )
        if skipped > 0 {
            rest += "; \(isDryRun ? localized("would skip") : localized("skipped")) \(skipped)"
        }
        if continued > 0 { rest += localized("; \(items(continued)) were imported before") }
        if smartLists > 0 {
            let lists = "\(Phrase(smartLists, "smart list"))"
            if added + updated == 0 {
                return (isDryRun ? localized("Would import ") : localized("Imported ")) + lists
                    + rest
            }
            rest = localized(" and \(lists)") + rest
        }
        if kept == 0 { return localized("Nothing \(would)changed: there are no items") + rest }
        if added == 0, updated == 0 {
            let known = left == 0 ? localized(", all known already") : ""
            return localized("Nothing \(would)changed: \(items(kept)) read\(known)\(rest)")
        }
        let news = items(added)
        if updated == 0 {
            return (isDryRun ? localized("Would import ") : localized("Imported ")) + news + rest
        }
        if added == 0 {
            return (isDryRun ? localized("Would update ") : localized("Updated ")) + items(updated)
                + rest
        }
        return isDryRun
            ? localized("Would import \(news), update \(updated)\(rest)")
            : localized("Imported \(news), updated \(updated)\(rest)")
    }
}
