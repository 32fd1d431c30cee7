import CivilTime
import FixedTime
import Foundation
import Testing

@testable import DocketFormats

@Suite struct TextWriterTests {
    @Test func itemsAreGroupedByListWithTheirSubtasks() throws {
        let now = Fixed.context.now
        var plain = ItemRecord(uuid: UUID(), title: "Loose", created: now)
        plain.notes = "one\u{1B}[31m\n\ntwo"
        var task = ItemRecord(uuid: UUID(), title: "Plan the garden", created: now)
        task.list = ["Home", "Garden"]
        task.shortID = 12
        let friday = try #require(Day(year: 2026, month: 11, day: 27))
        task.due = DueDate(moment: Fixed.berlin.moment(friday, second: 9 * 3600))
        task.priority = 3
        task.tags = ["out", "@shop"]
        task.recurrence = "every month"
        var child = ItemRecord(uuid: UUID(), title: "Order seeds", created: now)
        child.list = ["Home", "Garden"]
        child.parent = task.uuid
        child.completed = now
        var note = ItemRecord(uuid: UUID(), title: "Soil", created: now)
        note.kind = .note
        note.list = ["Home", "Garden"]
        let text = Exchange.write([child, task, note, plain], .text).text
        #expect(
            text == """
                No list
                  [ ] Loose
                         one[31m

                         two

                Home/Garden
                  [ ] 12 Plan the garden  (Fri 9:00, every month) !high #out @shop
                    [x] Order seeds
                  [n] Soil

                """
        )
    }

    @Test func circlesOfSubtasksAreWrittenOnce() {
        var one = ItemRecord(uuid: UUID(), title: "One", created: Fixed.context.now)
        var two = ItemRecord(uuid: UUID(), title: "Two", created: Fixed.context.now)
        one.parent = two.uuid
        two.parent = one.uuid
        let text = Exchange.write([one, two], .text).text
        #expect(text.split(separator: "\n").count == 2)
    }
}
