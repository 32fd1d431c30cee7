import DocketCore

/// A search whose results the items pane shows: what was typed, where, and how far it is.
///
/// A new value is a search that has found nothing and counts nothing; nothing of it is left behind
/// when it ends.
struct SearchSession {
    /// How many items were found by field.
    enum Counting {
        case none
        /// To be counted after the frame that shows the results.
        case due
        case running(SearchCounting)
        case counted([SearchField: Int])
    }

    var text = ""
    /// What is understood of the text, at the moment of the last search.
    var filter: ItemFilter?
    /// Whether everything is searched, or only what the list shows; outlives the session.
    var isEverywhere = true
    /// Whether to search again, because items have changed or more texts are loaded.
    var isStale = false
    /// Whether some texts are not loaded yet, so that more may be found.
    var isPartial = false
    var counting = Counting.none

    /// Whether nothing is searched for: no text, or nothing of it is understood.
    var isEmpty: Bool { filter?.isEmpty ?? true }

    /// The found items by field; empty until they are counted.
    var counts: [SearchField: Int] {
        if case .counted(let counts) = counting { counts } else { [:] }
    }

    /// Whether a count is due or running.
    var hasCounting: Bool {
        switch counting {
        case .due, .running: true
        case .none, .counted: false
        }
    }

    /// The session after this one.
    var ended: SearchSession { SearchSession(isEverywhere: isEverywhere) }

    /// The session for another text.
    func searching(_ text: String) -> SearchSession {
        SearchSession(text: text, isEverywhere: isEverywhere)
    }
}
