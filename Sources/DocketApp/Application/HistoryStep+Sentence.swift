import ObjectGraph

extension HistoryStep {
    func sentence(undone: Bool) -> String { "\(undone ? "Undid" : "Redid") \(name ?? "a change")" }
}
