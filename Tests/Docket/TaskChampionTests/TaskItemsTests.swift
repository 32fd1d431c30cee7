import CivilTime
import DocketFormats
import FixedTime
import Foundation
import SeededRandom
import Testing

@testable import TaskChampion

/// Items of Docket as tasks of Taskwarrior 3, and back.
@Suite struct TaskItemsTests {
    private let items = TaskItems(settings: ExchangeSettings(dates: Fixed.context))
    private static let moment = Date(timeIntervalSince1970: 1_790_000_000)

    private func item(_ kind: ItemRecord.Kind = .task) -> ItemRecord {
        var record = ItemRecord(uuid: UUID(), title: "Milk", created: Self.moment)
        record.kind = kind
        return record
    }

    @Test func whatTaskwarriorHasIsInItsProperties() throws {
        var record = item()
        let other = UUID()
        record.tags = ["shop", "a b"]
        record.due = DueDate(moment: Self.moment)
        record.dependencies = [other]
        record.priority = 3
        record.list = ["Home", "Garden"]
        record.notes = "one\ntwo"
        let properties = items.properties(of: record, over: nil)
        #expect(
            properties == [
                "description": "Milk", "status": "pending", "entry": "1790000000",
                "modified": "1790000000", "due": "1790000000", "priority": "H",
                "project": "Home.Garden", "tag_shop": "", "tag_a b": "",
                "dep_\(other.uuidString.lowercased())": "", "annotation_1790000000": "one",
                "annotation_1790000001": "two", "docket_notes": "one\ntwo",
            ]
        )
        let back = try #require(items.record(record.uuid, properties))
        #expect(back.fields(unlike: record).filter { $0 != .extra } == [])
    }

    @Test func everythingElseIsKeptInDocketsOwn() throws {
        var record = item(.note)
        record.body = "# Text\n\n- [ ] a\n"
        record.flagged = true
        record.trashed = true
        var properties = items.properties(of: record, over: nil)
        #expect(properties["status"] == "deleted" && properties["docket_kind"] == "note")
        #expect(items.record(record.uuid, properties)?.body == record.body)
        // An annotation that is edited elsewhere counts more than the text that it was.
        properties["annotation_1790000000"] = "# Other"
        let edited = try #require(items.record(record.uuid, properties))
        #expect(edited.kind == .note && edited.flagged && edited.body?.contains("# Other") == true)
        var task = item()
        task.location = "Shop"
        task.estimate = 5400
        task.reminders = ["-PT30M", "20261124T090000Z"]
        task.parent = UUID()
        task.list = ["v1.2", "a/b"]
        task.tags = ["a,b"]
        task.order = 5
        task.recurrence = "every 2 weeks"
        task.due = DueDate(moment: Self.moment)
        var written = items.properties(of: task, over: nil)
        let back = try #require(items.record(task.uuid, written))
        #expect(back.fields(unlike: task).filter { $0 != .extra } == [] && back.order == 5)
        written["project"] = "Other"
        #expect(items.record(task.uuid, written)?.list == ["Other"])
    }

    @Test func whatDocketDoesNotKnowComesBack() throws {
        let theirs = [
            "description": "a", "status": "waiting", "entry": "1790000000", "wait": "1790000500",
            "size": "3.5", "annotation_1790000007": "x", "tag_a": "", "start": "1790000100",
            "modified": "1790000000",
        ]
        let uuid = UUID()
        var record = try #require(items.record(uuid, theirs))
        let same = items.properties(of: record, over: theirs).filter {
            !$0.key.hasPrefix("docket_")
        }
        #expect(same == theirs)
        record.title = "b"
        record.modified += 60
        var wanted = theirs
        (wanted["description"], wanted["modified"]) = ("b", "1790000060")
        let changed = items.properties(of: record, over: theirs)
        #expect(changed.filter { !$0.key.hasPrefix("docket_") } == wanted)
    }

    @Test func templatesAndTasksWithoutATitleAreNoItems() {
        #expect(items.record(UUID(), ["status": "recurring", "description": "a"]) == nil)
        #expect(items.record(UUID(), ["status": "pending"]) == nil)
        #expect(items.record(UUID(), [:]) == nil)
    }

    @Test func anyPropertiesAreSurvived() {
        var random = SeededRandom()
        let names = [
            "description", "status", "entry", "due", "tag_", "dep_x", "annotation_", "recur",
            "annotation_99999999999999999999", "docket_kind", "docket_order", "parent",
            "docket_reminders", "docket_parent", "docket_recurrence", "uuid", "depends", "",
        ]
        let values = [
            "", "a", "1790000000", "[", "[]", "null", "note", "\u{1}\n", "-1", "recurring",
        ]
        for _ in 0..<2000 {
            var properties: TaskProperties = ["description": "a"]
            for _ in 0..<random.below(6) { properties[random.pick(names)] = random.pick(values) }
            guard let record = items.record(UUID(), properties) else { continue }
            let written = items.properties(of: record, over: properties)
            let again = items.record(record.uuid, written)
            #expect(again?.title == record.title, "\(properties)")
        }
    }
}
