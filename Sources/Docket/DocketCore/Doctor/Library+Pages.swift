public import ObjectGraph

extension Library {
    /// What the checksums say of the pages that were read so far.
    ///
    /// Cost: none.
    public var pageReport: PageReport {
        let coordinator = context.coordinator
        guard let store = coordinator.persistentStores.first else { return PageReport() }
        return (try? coordinator.pageReport(of: store)) ?? PageReport()
    }

    /// Reports once that pages were read that may be damaged.
    ///
    /// Cost: none, so the interface asks after each event.
    public func tellDoubts() {
        guard let show = whenDoubtful else { return }
        let report = pageReport
        if report.doubtfulCount == 0, report.corrected.count == 0 { return }
        whenDoubtful = nil
        show(report)
    }
}

extension PageReport {
    /// The report as a sentence for the user of a store.
    public func sentence(_ store: String) -> String {
        func pages(_ count: Int) -> String { "\(Phrase(count, "page"))" }
        if doubtfulCount > 0 {
            return
                localized(
                    "\(pages(doubtfulCount)) of the store \(store) that \(doubtfulCount == 1 ? localized("was") : localized("were"))"
                        + " read may be damaged, or another program wrote \(doubtfulCount == 1 ? localized("it") : localized("them"))."
                        + " `docket doctor` checks the store."
                )
        }
        return localized(
            "The store \(store) is damaged in \(pages(corrected.count)); what was read is right."
                + " `docket doctor --repair` repairs it."
        )
    }
}
