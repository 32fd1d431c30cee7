import Glibc

/// The processor time that some work takes on this thread, in seconds: what runs beside it does not
/// count.
package func processorSeconds<Result>(_ work: () throws -> Result) rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    _ = try work()
    return now() - start
}
