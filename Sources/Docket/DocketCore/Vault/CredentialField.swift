public import DocketFormats

/// A field of a credential, as verbs, forms and the command line name it.
public enum CredentialField: String, CaseIterable, Sendable {
    case name, user, password, address, category, notes

    /// What people call it.
    public var title: String {
        switch self {
        case .name: localized("Name")
        case .user: localized("User id")
        case .password: localized("Password")
        case .address: localized("Address")
        case .category: localized("Category")
        case .notes: localized("Notes")
        }
    }

    fileprivate var place: WritableKeyPath<CredentialRecord, String> {
        switch self {
        case .name: \.name
        case .user: \.userID
        case .password: \.password
        case .address: \.address
        case .category: \.category
        case .notes: \.notes
        }
    }

    /// Their names, as in `user id, password`.
    static func list(_ fields: [CredentialField]) -> String {
        fields.map { $0.title.lowercased() }.joined(separator: ", ")
    }
}

extension CredentialRecord {
    /// The value of a field; extra fields are not part of any.
    public subscript(field: CredentialField) -> String {
        get { self[keyPath: field.place] }
        set { self[keyPath: field.place] = newValue }
    }

    /// The record as the vault keeps it: names in one line without control characters, notes with
    /// the extra fields at their end, a password as it is.
    var cleaned: CredentialRecord {
        var record = self
        for field in CredentialField.allCases where field != .password && field != .notes {
            record[field] = CaptureText.cleanLine(self[field]).trimmingSpace
        }
        var lines = notes.isEmpty ? [] : [notes]
        lines += extraFields.map { "\($0.name): \($0.value)" }
        record.notes = CaptureText.cleanText(lines.joined(separator: "\n"))
        record.extraFields = []
        return record
    }

    /// ``cleaned``, with every value that a field cannot have in the notes.
    ///
    /// - Returns: also sentences about what is not as it was.
    var fitted: (record: CredentialRecord, remarks: [String]) {
        var (record, remarks) = (self, [String]())
        for field in [CredentialField.name, .user] {
            let text = CaptureText.cleanLine(self[field]).trimmingSpace
            if text.unicodeScalars.count <= CredentialRecord.longestLine { continue }
            let start = text.unicodeScalars.prefix(CredentialRecord.longestLine - 1)
            record[field] = String(String.UnicodeScalarView(start)) + "\u{2026}"
            record.extraFields.append(.init(field.title, text))
            remarks.append("Its whole \(field.title.lowercased()) is in the notes.")
        }
        let texts = [name, userID, address, category, notes] + extraFields.map(\.value)
        if texts.contains(where: CredentialRecord.hasControls) {
            remarks.append("Control characters were left out.")
        }
        record = record.cleaned
        if record.name.isEmpty { record.name = localized("Without a name") }
        return (record, remarks)
    }

    /// Scalars of a name or user id; the rule of the model.
    private static let longestLine = 256

    private static func hasControls(_ text: String) -> Bool {
        text.unicodeScalars.contains {
            $0.properties.generalCategory == .control && !"\t\n\r".unicodeScalars.contains($0)
        }
    }

    /// The first field with a value that it cannot have, and why; `nil` if all are right.
    ///
    /// The sentence does not have the value.
    public var problem: (field: CredentialField, error: InputError)? {
        let record = cleaned
        if record.name.isEmpty {
            return (.name, InputError(.emptyTitle, "A credential needs a name; give it one."))
        }
        for field in [CredentialField.name, .user]
        where record[field].unicodeScalars.count > CredentialRecord.longestLine {
            return (
                field,
                InputError(
                    .malformed,
                    "The \(field.title.lowercased()) must be one line of at most"
                        + " \(CredentialRecord.longestLine) characters; shorten it."
                )
            )
        }
        return nil
    }
}
