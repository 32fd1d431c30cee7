import CivilTime
import DocketCore
import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp

/// The store's file is deleted or replaced while the interface is open.
@Suite struct LostStoreTests {
    private func store(_ robot: Robot) -> String { robot.folder.path + "/store.sqlite" }

    @Test func anAdditionIsNotAcknowledgedAndItsTextStays() throws {
        let robot = try Robot()
        #expect(unlink(store(robot)) == 0)
        try robot.press("a")
        robot.type("Buy milk tomorrow\n")
        #expect(robot.shows("Store lost"))
        #expect(robot.shows("was deleted while it was open"))
        #expect(!robot.message.hasPrefix("Added"))
        try robot.press("esc")
        let bar = try #require(robot.workspace.modal as? CaptureBar)
        #expect(bar.field.text == "Buy milk tomorrow")
        #expect(!robot.library.context.hasChanges)
    }

    @Test func aPageWithAWrongChecksumIsToldOnceAndTheRestIsUsable() throws {
        let first = try Robot { library in
            for number in 0..<400 { try library.addTask(capturing: "Task \(number) of many") }
        }
        try first.library.rest()
        first.library.close()
        // Another letter in a title, as a disk may change it: the page still makes sense.
        let url = Robot.store(in: first.folder)
        var bytes = try Data(contentsOf: url)
        var changed = 0
        for title in ["Task 17 of many", "Task 215 of many"] {
            // In the row, and in the history.
            while let place = bytes.range(of: Data(title.utf8)) {
                bytes[place.lowerBound] ^= 3
                changed += 1
            }
        }
        #expect(changed >= 2)
        try bytes.write(to: url)
        let robot = try Robot(reopening: first)
        #expect(robot.message.contains("may be damaged"), "\(robot.message)")
        #expect(robot.message.contains("docket doctor"))
        // The key that answers it is an ordinary one.
        try robot.press("down")
        #expect(!robot.message.contains("damaged"))
        try robot.press("a n e w enter esc")
        for _ in 0..<4 { try robot.press("end home") }
        #expect(!robot.message.contains("damaged"))
        #expect(try robot.library.items(matching: \.title == "new").count == 1)
    }

    @Test func itIsToldWithoutAKey() throws {
        let robot = try Robot()
        robot.application.follow(robot.library)
        let (path, other) = (store(robot), robot.folder.path + "/other.sqlite")
        try Library(url: URL(fileURLWithPath: other), author: "test") {
            DateContext(now: Robot.now, zone: .utc)
        }.close()
        #expect(rename(other, path) == 0)
        robot.application.handle([.woken])
        robot.settle()
        #expect(robot.shows("Store lost"))
        #expect(robot.shows("was replaced by another file"))
        // Once, however often the file is looked at.
        try robot.press("esc")
        #expect(robot.workspace.modals.isEmpty)
    }

    @Test func everythingCanBeWrittenToAFileThatImportReads() throws {
        let robot = try Robot()
        let count = try robot.library.count(nil)
        #expect(unlink(store(robot)) == 0)
        try robot.press("a")
        robot.type("Buy milk\n")
        try robot.press("down enter")
        let bar = try #require(robot.workspace.modal as? RescueBar)
        #expect(bar.field.text == robot.folder.path + "/docket-rescued-2026-11-21.json")
        let file = robot.folder.path + "/rescued.json"
        bar.field.text = file
        robot.type("\n")
        #expect(robot.message == "Wrote \(count + 1) items to \(file)")
        var status = stat()
        #expect(stat(file, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        let fresh = try Library(
            url: robot.folder.appendingPathComponent("fresh.sqlite"),
            author: "test"
        ) { DateContext(now: Robot.now, zone: .utc) }
        defer { fresh.close() }
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        #expect(try fresh.importItems(.json, from: bytes).added == count + 1)
        #expect(try fresh.items(matching: \.title == "Buy milk").count == 1)
        // A file that is there is not overwritten.
        robot.workspace.open(RescueBar(workspace: robot.workspace))
        (robot.workspace.modal as? RescueBar)?.field.text = file
        robot.type("\n")
        #expect(robot.message.contains("already"))
    }

    @Test func openingAgainTakesWhatWasTypedAlong() throws {
        let robot = try Robot()
        #expect(unlink(store(robot)) == 0)
        try robot.press("a")
        robot.type("Buy milk\n")
        try robot.press("enter")
        let carried = try #require(robot.application.carriedOver)
        #expect(carried.texts == ["Buy milk"])
        let next = try Robot()
        try next.application.restore(carried)
        #expect((next.workspace.modal as? CaptureBar)?.field.text == "Buy milk")
        robot.type("")
        next.type("\n")
        #expect(next.titles.contains("Buy milk"))
    }

    @Test func aFormsTextIsADraftAfterwards() throws {
        let robot = try Robot()
        try robot.select("Pay rent")
        try robot.press("e end")
        robot.type(" at once")
        #expect(unlink(store(robot)) == 0)
        try robot.press("ctrl+s")
        #expect(robot.shows("Store lost"))
        try robot.press("enter")
        let carried = try #require(robot.application.carriedOver)
        #expect(carried.texts.contains("Pay rent at once"))
    }
}

/// What happens when nothing happens.
@Suite struct QuietMomentTests {
    private func wait(_ robot: Robot) throws {
        #expect(robot.application.restAt != nil)
        robot.application.restAt = .now
        robot.application.handle([.timedOut])
    }

    @Test func theStoreIsOneFileAfterAQuietMoment() throws {
        let robot = try Robot()
        try robot.select("Pay rent")
        try robot.press("p p")
        #expect(robot.library.logSize > 0)
        try wait(robot)
        #expect(robot.library.logSize == 0)
        // Then there is nothing to wait for.
        #expect(robot.application.restAt == nil)
        try robot.press("j k")
        #expect(robot.application.restAt == nil)
    }

    @Test func aReaderThatIsInTheWayDoesNotKeepTheProgramAwake() throws {
        let robot = try Robot()
        let generation = try robot.library.context.coordinator.currentGeneration()
        try robot.select("Pay rent")
        try robot.press("p p")
        try wait(robot)
        #expect(robot.library.logSize > 0)
        robot.application.handle([.timedOut])
        #expect(robot.application.restAt == nil)
        try robot.press("p p")
        #expect(robot.application.restAt != nil)
        withExtendedLifetime(generation) {}
    }

    @Test func historyBeyondTheSettingsPromiseIsForgotten() throws {
        let robot = try Robot(
            config: "[history]\nsteps = 2\nage = \"1 year\"\nsize = \"20 MB\"",
            sample: .many(5)
        )
        for _ in 0..<3 { try robot.press("space") }
        #expect(try robot.undoSteps().count > 2)
        try wait(robot)
        #expect(try robot.undoSteps().count == 2)
        #expect(robot.message.hasPrefix("Forgot "))
        #expect(robot.message.contains("undo reaches back 2 steps"))
    }

    @Test func wrongLinesOfTheHistorySettingsAreTold() throws {
        for (line, words) in [
            ("age = \"soon\"", "is not an age"), ("size = 20", "is not a size"),
            ("steps = 0", "number from 1"), ("undo = true", "age, steps and size"),
        ] {
            var settings = Settings()
            settings.read("[history]\n\(line)", name: "config.toml")
            #expect(settings.problems.count == 1, "\(line)")
            #expect(settings.problems.first?.contains(words) == true, "\(settings.problems)")
            #expect(settings.history.isUnlimited)
        }
    }
}
