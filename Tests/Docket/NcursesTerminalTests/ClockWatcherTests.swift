import Dispatch
import Foundation
import NcursesTerminal
import Testing

@Suite struct ClockWatcherTests {
    @Test func aReplacedZoneFileIsTold() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("docket-zone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("localtime")
        try FileManager.default.createSymbolicLink(
            atPath: file.path,
            withDestinationPath: "/usr/share/zoneinfo/UTC"
        )
        let told = DispatchSemaphore(value: 0)
        let watcher = try #require(ClockWatcher(zoneFile: file.path) { told.signal() })
        // As a system does it: a new link beside the old one, then over it.
        let next = folder.appendingPathComponent("localtime.new")
        try FileManager.default.createSymbolicLink(
            atPath: next.path,
            withDestinationPath: "/usr/share/zoneinfo/Europe/Berlin"
        )
        #expect(rename(next.path, file.path) == 0)
        withExtendedLifetime(watcher) { told.wait() }
    }
}
