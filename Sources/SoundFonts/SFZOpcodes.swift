/// The opcodes of one region in their one spelling, read by their kinds: its own, and those of the headers above it. What has
/// the wrong kind is kept aside.
struct SFZOpcodes {
    /// From the outermost header on; an inner one counts before it.
    private let headers: [SFZHeader]
    /// Names as the file has them: with a value of the wrong kind, or one that is not followed.
    private(set) var unread: Set<String> = []

    init(_ headers: [SFZHeader]) { self.headers = headers }

    subscript(name: String) -> SFZText.Value? {
        for header in headers.reversed() { if let value = header.values[name] { return value } }
        return nil
    }

    /// The numbers that the file has at the end of a name.
    func numbers(after base: String) -> [Int] {
        var all: [Int] = []
        for header in headers {
            guard let numbers = header.numbers[base] else { continue }
            all = all.isEmpty ? numbers : Set(all).union(numbers).sorted()
        }
        return all
    }

    /// The controllers that move what is named.
    func controllers(of name: String) -> [Int] { numbers(after: name + "_oncc") }

    /// True if the file gives what is named a value, or a controller that moves it.
    func sets(_ name: String) -> Bool { self[name] != nil || !controllers(of: name).isEmpty }

    /// True if a name begins with this, up to its first underscore.
    func contains(prefix: String) -> Bool { headers.contains { $0.prefixes.contains(prefix) } }

    /// The numbers of names that begin so and go on with a number and an underscore, 1...99.
    func numbers(of prefix: String) -> [Int] {
        var numbers: Set<Int> = []
        for name in headers.lazy.flatMap(\.prefixes) where name.hasPrefix(prefix) {
            if let number = Int(name.dropFirst(prefix.count).dropLast()), (1...99).contains(number) { numbers.insert(number) }
        }
        return numbers.sorted()
    }

    /// A number within bounds.
    mutating func number(_ name: String, _ bounds: ClosedRange<Double> = -1e9...1e9) -> Double? {
        guard let value = self[name] else { return nil }
        guard let number = Self.number(value.text) else {
            unread.insert(value.name)
            return nil
        }
        return min(max(number, bounds.lowerBound), bounds.upperBound)
    }

    static func number(_ text: String) -> Double? {
        if let number = Double(text), number.isFinite, abs(number) < 1e12 { return number }
        // A number that something follows counts as far as it goes.
        let head = text.prefix { "+-.0123456789".contains($0) }
        return Double(head).flatMap { $0.isFinite && abs($0) < 1e12 ? $0 : nil }
    }

    mutating func float(_ name: String, _ bounds: ClosedRange<Double> = -1e9...1e9, scale: Double = 1) -> Float? {
        number(name, bounds).map { Float($0 * scale) }
    }

    mutating func whole(_ name: String, _ bounds: ClosedRange<Int>) -> Int? {
        number(name, Double(bounds.lowerBound)...Double(bounds.upperBound)).map { Int($0) }
    }

    func text(_ name: String) -> String? { self[name]?.text.lowercased() }

    /// One of some words.
    mutating func choice<Choice>(_ name: String, _ choices: [String: Choice]) -> Choice? {
        guard let value = self[name] else { return nil }
        if let choice = choices[value.text.lowercased()] { return choice }
        unread.insert(value.name)
        return nil
    }

    mutating func flag(_ name: String) -> Bool? {
        if let number = self[name].flatMap({ Self.number($0.text) }) { return number != 0 }
        return choice(name, ["on": true, "true": true, "off": false, "false": false])
    }

    /// A key by its number or its name; C4 is 60, -1 none.
    mutating func key(_ name: String) -> Int? {
        guard let value = self[name] else { return nil }
        if let key = Self.key(value.text.lowercased()) { return key }
        unread.insert(value.name)
        return nil
    }

    private static func key(_ text: String) -> Int? {
        if let number = Int(text) { return min(max(number, -1_000), 1_000) }
        guard let letter = text.first, let tone = ["c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11][letter] else {
            return nil
        }
        let sign = text.dropFirst().first
        let shift = sign == "#" || sign == "♯" ? 1 : sign == "b" || sign == "♭" ? -1 : 0
        guard let octave = Int(text.dropFirst(shift == 0 ? 1 : 2)), (-2...12).contains(octave) else { return nil }
        return (octave + 1) * 12 + tone + shift
    }

    /// Marks an opcode as not followed for its value.
    mutating func refuse(_ name: String) {
        if let value = self[name] { unread.insert(value.name) }
    }
}
