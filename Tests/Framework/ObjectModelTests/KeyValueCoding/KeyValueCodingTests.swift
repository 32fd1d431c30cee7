import ObjectModel
import Testing

@Suite struct KeyValueCodingTests {
    private func code(_ body: () throws -> Void) -> ObjectGraphError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ObjectGraphError)?.code
        }
    }

    @Test func valuesAreReadAndSetByKey() throws {
        let person = Person("Ana", age: 3)
        #expect(try person.value(forKey: "name") == "Ana")
        #expect(try person.value(forKey: "age") == 3)
        #expect(try person.value(forKey: "nameLength") == 3)
        try person.setValue("Bo", forKey: "name")
        try person.setValue(.null, forKey: "age")
        #expect(person.name == "Bo")
        #expect(person.age == nil)
        #expect(try person.value(forKey: "age") == .null)
    }

    @Test func wrongKeysAndKindsAreRefusedAndChangeNothing() throws {
        let person = Person("Ana", age: 3)
        #expect(code { _ = try person.value(forKey: "nme") } == .undefinedKey)
        #expect(code { try person.setValue(1, forKey: "nme") } == .undefinedKey)
        #expect(code { try person.setValue(1, forKey: "nameLength") } == .undefinedKey)
        #expect(code { try person.setValue(1, forKey: "name") } == .wrongValueKind)
        #expect(code { try person.setValue(1.5, forKey: "points") } == .wrongValueKind)
        #expect(code { try person.setValue(.null, forKey: "points") } == .wrongValueKind)
        #expect(code { try person.setValue("x", forKey: "boss") } == .wrongValueKind)
        #expect(person.name == "Ana")
        #expect(person.boss == nil)
    }

    @Test func subclassExtendsTheTable() throws {
        let soldier = Soldier("Max")
        let person: Person = soldier
        #expect(try person.value(forKey: "name") == "Max")
        #expect(try person.value(forKey: "rank") == 1)
        try person.setValue(2, forKey: "rank")
        #expect(soldier.rank == 2)
        #expect(Soldier.keyTable.keys.contains("rank"))
        #expect(!Person.keyTable.keys.contains("rank"))
    }

    @Test func handlersOfATypeReplaceTheErrors() throws {
        let robot = Robot()
        #expect(try robot.value(forKey: "shoe") == "none")
        try robot.setValue(44, forKey: "shoe")
        #expect(robot.unknown["shoe"] == 44)
        try robot.setValue(.null, forKey: "points")
        #expect(robot.points == 0)
    }

    @Test func keyPathsGoThroughObjectsAndCollections() throws {
        let boss = Person("Boss", age: 50)
        let worker = Person("Worker", age: 30)
        worker.boss = boss
        boss.children = [Person("A", age: 1), Person("B")]
        #expect(try worker.value(forKeyPath: "boss.name") == "Boss")
        #expect(try worker.value(forKeyPath: "boss.boss.name") == .null)
        #expect(try boss.value(forKeyPath: "children.name") == ["A", "B"])
        #expect(try boss.value(forKeyPath: "children.age") == [1, nil])
        #expect(try worker.value(forKeyPath: "boss.children.@count") == 2)
        #expect(try worker.value(forKeyPath: "boss.children.name.length") == [1, 1])
        #expect(try worker.value(forKeyPath: "boss.self.name") == "Boss")
    }

    @Test func keyPathsAreSetThroughObjectsCollectionsAndDictionaries() throws {
        let boss = Person("Boss")
        let worker = Person("Worker")
        worker.boss = boss
        boss.children = [Person("A"), Person("B")]
        try worker.setValue("Chief", forKeyPath: "boss.name")
        try worker.setValue(5, forKeyPath: "boss.children.points")
        try worker.setValue("red", forKeyPath: "info.color")
        #expect(boss.name == "Chief")
        #expect(boss.children.map(\.points) == [5, 5])
        #expect(worker.info == ["color": "red"])
        #expect(code { try boss.setValue("x", forKeyPath: "boss.name") } == .wrongValueKind)
        #expect(code { try boss.setValue("x", forKeyPath: "name.length") } == .wrongValueKind)
    }

    @Test func severalKeysAreReadAndSetAtOnce() throws {
        let person = Person("Ana", age: 3)
        let values = try person.dictionaryWithValues(forKeys: ["name", "age", "boss"])
        #expect(values == ["name": "Ana", "age": 3, "boss": nil])
        let copy = Person("")
        try copy.setValuesForKeys(values)
        #expect(copy.name == "Ana")
        #expect(copy.age == 3)
    }

    @Test func dictionariesAndPlainValuesAnswerToKeys() throws {
        let row: GraphValue = ["a": ["b": 1], "text": "12.5 apples"]
        #expect(try row.value(forKeyPath: "a.b") == 1)
        #expect(try row.value(forKeyPath: "x.y") == .null)
        #expect(try row.value(forKeyPath: "text.intValue") == 12)
        #expect(try row.value(forKeyPath: "text.doubleValue") == 12.5)
        #expect(try row.value(forKeyPath: "text.length") == 11)
        #expect(try row.value(forKeyPath: "@count") == 2)
        #expect(try row.value(forKeyPath: "@allKeys") == ["a", "text"])
        #expect(try GraphValue.double(3).value(forKey: "description") == "3")
        #expect(try GraphValue.string("😀").value(forKey: "length") == 2)
        #expect(code { _ = try GraphValue.string("x").value(forKey: "foo") } == .undefinedKey)
    }

    @Test func numbersAtTheStartOfTextAreRead() throws {
        let texts: [(String, Int64, Double)] = [
            (" -42abc", -42, -42), ("", 0, 0), ("abc", 0, 0), ("99999999999999999999", .max, 1e20),
            ("-99999999999999999999", .min, -1e20), ("1e3x", 1, 1000), (".5", 0, 0.5), ("7.", 7, 7),
            ("1e", 1, 1), ("+8", 8, 8),
        ]
        for (text, whole, fraction) in texts {
            #expect(
                try GraphValue.string(text).value(forKey: "integerValue") == .int(whole),
                "\(text)"
            )
            #expect(
                try GraphValue.string(text).value(forKey: "doubleValue") == .double(fraction),
                "\(text)"
            )
        }
    }
}
