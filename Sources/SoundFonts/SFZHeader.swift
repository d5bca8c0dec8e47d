/// The opcodes of one header, such as a group, which all regions below it share. Control side.
final class SFZHeader: Sendable {
    let values: SFZText.Opcodes
    /// The numbers at the ends of names, in order, by what comes before them: `locc1` and `locc2` are 1 and 2 of `locc`.
    let numbers: [String: [Int]]
    /// What names begin with, up to their first underscore.
    let prefixes: Set<String>

    init(_ values: SFZText.Opcodes) {
        self.values = values
        var numbers: [String: [Int]] = [:], prefixes: Set<String> = []
        for name in values.keys {
            let (base, number) = SFZOpcodeName.split(name)
            if let number { numbers[base, default: []].append(number) }
            if let end = name.firstIndex(of: "_") { prefixes.insert(String(name[...end])) }
        }
        (self.numbers, self.prefixes) = (numbers.mapValues { $0.sorted() }, prefixes)
    }
}
