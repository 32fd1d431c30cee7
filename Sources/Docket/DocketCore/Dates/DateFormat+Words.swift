public import CivilTime

extension DateFormat {
    /// A date for editing: in words where they mean exactly this date, else as numbers.
    public func words(_ due: DueDate) -> String {
        let words = relative(due)
        let read = try? DateParser(context: context).parse(words)
        return read == due ? words : plain(due)
    }
}
