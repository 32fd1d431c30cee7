import CaseFiles
import Foundation
import FoundationXML
import ObjectModel
import ObjectModelFile
import Testing

@Suite struct ModelDiagramTests {
    /// What makes a drawing unreadable, in words; empty if nothing does.
    private func flaws(_ diagram: ModelDiagram) -> [String] {
        var flaws: [String] = []
        let boxes = diagram.boxes
        for (index, box) in boxes.enumerated() {
            for other in boxes[(index + 1)...] where box.frame.overlaps(other.frame) {
                flaws.append("\(box.entity) overlaps \(other.entity)")
            }
            if box.frame.x < 0 || box.frame.y < 0 || box.frame.right > diagram.size.x
                || box.frame.bottom > diagram.size.y
            {
                flaws.append("\(box.entity) lies outside")
            }
            let letters = box.rows.map(\.text.count).max() ?? 0
            if Double(max(letters, box.title.count)) * 7.3 + 20 > box.frame.width + 0.001 {
                flaws.append("\(box.entity) is too narrow")
            }
        }
        for line in diagram.lines {
            for (from, to) in zip(line.points, line.points.dropFirst()) {
                if from.x != to.x, from.y != to.y { flaws.append("a line is slanted") }
                let piece = ModelDiagram.Rectangle(from, to)
                for box in boxes where box.frame.inset.overlaps(piece) {
                    flaws.append("a line crosses \(box.entity)")
                }
            }
        }
        return flaws
    }

    @Test(.enabled(if: CaseFiles.has("models"), "there is no folder of models"))
    func everyModelOfTheCasesIsReadable() throws {
        for package in try modelsOfTheCases() {
            for (name, file) in package.versions {
                let diagram = ModelDiagram(file.model)
                let found = flaws(diagram)
                #expect(found.isEmpty, "\(name): \(found.prefix(3))")
                #expect(diagram.boxes.count == Set(file.model.entities.map(\.name)).count)
                #expect(XMLParser(data: Data(diagram.svg.utf8)).parse())
            }
        }
    }

    @Test func drawingShowsCardinalityRuleAndInverse() throws {
        let tasks = RelationshipDescription(
            "tasks",
            to: "Task",
            inverse: "list",
            toMany: true,
            ordered: true,
            deleteRule: .cascade
        )
        let list = RelationshipDescription("list", to: "List", inverse: "tasks", optional: false)
        let next = RelationshipDescription("next", to: "Task", deleteRule: .deny)
        let model = ManagedObjectModel([
            EntityDescription("Item", isAbstract: true, [AttributeDescription("title", .string)]),
            EntityDescription("List", [tasks]),
            EntityDescription("Task", superentity: "Item", [list, next]),
        ])
        let diagram = ModelDiagram(model)
        #expect(flaws(diagram).isEmpty)
        let rows = diagram.boxes.flatMap(\.rows).map(\.text)
        #expect(rows.contains("tasks → 0..* Task ordered, cascade"))
        #expect(rows.contains("list → 1 List, nullify"))
        #expect(rows.contains("next → 0..1 Task, deny"))
        #expect(rows.contains("title: String?"))
        #expect(diagram.lines.count == 3)
        #expect(diagram.lines.count { $0.kind == .parent && $0.end == .triangle } == 1)
        #expect(diagram.lines.contains { $0.end == .arrow })
        #expect(diagram.lines.contains { Set([$0.start, $0.end]) == [.one, .many] })
        #expect(diagram.svg.contains("Item (abstract)"))
    }

    @Test func sameModelMakesTheSameDrawing() {
        let names = ["C", "A", "B"]
        func model(_ names: [String]) -> ManagedObjectModel {
            ManagedObjectModel(
                names.map {
                    EntityDescription($0, [RelationshipDescription("a", to: "A", toMany: true)])
                }
            )
        }
        #expect(ModelDiagram(model(names)).svg == ModelDiagram(model(names.reversed())).svg)
    }

    @Test func emptyAndContradictoryModelsAreDrawn() {
        #expect(ModelDiagram(ManagedObjectModel()).boxes.isEmpty)
        let model = ManagedObjectModel([
            EntityDescription(
                "A<&>",
                superentity: "B",
                [RelationshipDescription("x", to: "Nothing", inverse: "y")]
            ),
            EntityDescription("B", superentity: "A<&>"),
        ])
        let diagram = ModelDiagram(model)
        #expect(diagram.boxes.count == 2)
        #expect(XMLParser(data: Data(diagram.svg.utf8)).parse())
    }
}

extension ModelDiagram.Rectangle {
    fileprivate init(_ from: ModelDiagram.Point, _ to: ModelDiagram.Point) {
        self.init(
            x: min(from.x, to.x) - 0.1,
            y: min(from.y, to.y) - 0.1,
            width: abs(from.x - to.x) + 0.2,
            height: abs(from.y - to.y) + 0.2
        )
    }

    fileprivate var inset: Self {
        Self(x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1)
    }

    /// Whether two rectangles share a point inside the first; a line has no inside of its own.
    fileprivate func overlaps(_ other: Self) -> Bool {
        x < other.right && other.x < right && y < other.bottom && other.y < bottom
    }
}
