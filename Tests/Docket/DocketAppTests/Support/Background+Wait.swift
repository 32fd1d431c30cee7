@testable import DocketApp

extension Background {
    /// Waits for all that is being read.
    func wait() { for work in running { work.wait(atMost: nil) } }
}
