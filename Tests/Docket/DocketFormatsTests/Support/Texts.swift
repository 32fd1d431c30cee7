import CivilTime
import FoundationEssentials

@testable import DocketFormats

extension ExchangeReport {
    /// One line like `12 kept, 2 of them with changes; 1 skipped.`.
    var summary: String {
        let items = Set(changed.map(\.line)).count
        let changes = items == 0 ? "" : ", \(items) of them with changes"
        return "\(kept) kept\(changes); \(skipped.count) skipped."
    }

    /// The summary and, line by line, what was skipped and changed; at most `limit` of each.
    func text(limit: Int = 20) -> String {
        summary + "\n" + details(limit: limit) + "\n"
    }
}
