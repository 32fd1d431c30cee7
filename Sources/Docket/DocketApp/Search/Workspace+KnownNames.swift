import DocketCore
import ObjectGraph

extension Workspace {
    /// The lists, tags and locations that can be named, those of the search, with how many items are
    /// open there.
    var knownNames: KnownNames {
        KnownNames(search.names) { [weak self] id in
            let counts = self?.counts.counts
            return counts?[.tag(id)] ?? counts?[.list(id)]
        }
    }
}
