import UnitAPI

/// The names in a connection, and their buses: by number, or by the name that the unit gives them.
struct PortNames {
    /// The buses of one side of a unit or a nested patch.
    struct Buses {
        var count: Int
        /// Names by bus; empty for those that have only numbers.
        var names: [String] = []
        /// Outputs that carry music; and, of inputs, whether music can be led to the unit: to its first bus, of any kind.
        var music: Set<Int> = []
        var hearsMusic = true

        /// Creates a unit's buses. Those that repeat have numbers.
        init(_ buses: [UnitDescriptor.Bus], count: Int? = nil) {
            self.count = count ?? buses.count
            names = count == nil ? buses.map(\.name) : []
            music = Set(buses.indices.filter { buses[$0].carriesMusic })
        }

        init(count: Int) { self.count = count }

        /// Returns the name of a bus in brackets: its own if no other has it, else its number.
        func text(_ bus: Int) -> String {
            guard names.indices.contains(bus), Int(names[bus]) == nil, names.count(where: { $0 == names[bus] }) == 1,
                !names[bus].contains(where: { "[] ".contains($0) })
            else { return "\(bus)" }
            return names[bus]
        }

        /// The bus of that name or number.
        func bus(_ text: String) -> Int? {
            if let number = Int(text) { return (0..<count).contains(number) ? number : nil }
            return (0..<count).first { self.text($0) == text }
        }

        /// The names that may be written in brackets.
        var choices: [String] { (0..<min(count, 64)).map(text) }
    }

    /// Both sides, by name; and the names in order.
    private(set) var names: [String] = []
    private var inputs: [String: Buses] = [:]
    private var outputs: [String: Buses] = [:]

    init(_ patch: Patch, units: [UnitEntry]) {
        for unit in patch.units {
            guard let entry = units.first(where: { $0.name == unit.component }) else { continue }
            let descriptor = entry.descriptor(with: unit.properties)
            let count = descriptor.repeatsLastInput ? max(unit.inputCount, descriptor.inputs.count) : nil
            var inputs = Buses(descriptor.inputs, count: count)
            inputs.hearsMusic = entry.hearsMusic(unit.properties)
            add(unit.name, inputs: inputs, outputs: Buses(descriptor.outputs))
        }
        for nested in patch.patches {
            let inside = PortNames(nested.patch, units: units)
            var outputs = Buses(count: nested.patch.outputs.count)
            outputs.music = Set(nested.patch.outputs.indices.filter { inside.carriesMusic(nested.patch.outputs[$0]) })
            add(nested.name, inputs: Buses(count: nested.patch.inputs.count), outputs: outputs)
        }
    }

    private mutating func add(_ name: String, inputs: Buses, outputs: Buses) {
        names.append(name)
        self.inputs[name] = inputs
        self.outputs[name] = outputs
    }

    /// The buses of one side; nil for a name that is not there.
    func buses(of name: String, isOutput: Bool) -> Buses? { isOutput ? outputs[name] : inputs[name] }

    /// Returns true if a bus sends music.
    func carriesMusic(_ port: PatchPort) -> Bool { outputs[port.unit]?.music.contains(port.bus) == true }

    /// A port as it is written: the first bus is the name alone.
    func text(_ port: PatchPort, isOutput: Bool) -> String {
        port.bus == 0 ? port.unit : "\(port.unit)[\(buses(of: port.unit, isOutput: isOutput)?.text(port.bus) ?? "\(port.bus)")]"
    }

    /// Returns the text of a single connection.
    func text(_ edge: PatchConnection) -> String {
        "\(text(edge.from, isOutput: true)) -> \(text(edge.to, isOutput: false))"
    }

    /// Reads a port.
    ///
    /// - Parameter isMusic: whether music is led to it, which finds any unit that receives music at its first bus; nil means
    ///   not known, and decided by the source.
    func port(
        _ text: Substring, isOutput: Bool, isMusic: Bool? = false
    ) throws(PatchFileError.Fault) -> PatchPort {
        let direction = isOutput ? "output" : "input"
        var name = String(text), bus = "0"
        if text.last == "]", let open = text.lastIndex(of: "[") {
            name = String(text[..<open])
            bus = String(text[text.index(after: open)...].dropLast())
        }
        guard let buses = buses(of: name, isOutput: isOutput) else { throw .unknownName(name, known: names) }
        if isMusic == true && !buses.hearsMusic { throw .hearsNoMusic(name) }
        if !isOutput && isMusic != false && buses.hearsMusic && bus == "0" { return PatchPort(name) }
        if !isOutput && isMusic == false && buses.hearsMusic && buses.count == 0 { throw .hearsNoSound(name) }
        guard let number = buses.bus(bus) else {
            throw .unknownBus(bus, of: name, direction: direction, known: buses.choices)
        }
        return PatchPort(name, number)
    }

    /// Connections in rows: each goes on where the one before ends, as far as that is at first buses.
    func rows(_ connections: [PatchConnection]) -> [(text: String, edges: [PatchConnection])] {
        var rows: [[PatchConnection]] = []
        for edge in connections {
            if let last = rows.last?.last, last.to.unit == edge.from.unit, last.to.bus == 0, edge.from.bus == 0 {
                rows[rows.count - 1].append(edge)
            } else {
                rows.append([edge])
            }
        }
        return rows.map { edges in
            var words = [text(edges[0].from, isOutput: true)]
            for edge in edges.dropLast() { words.append(edge.to.unit) }
            words.append(text(edges[edges.count - 1].to, isOutput: false))
            return (words.joined(separator: " -> "), edges)
        }
    }

    /// Reads a row; the second value of an error is where in the text, in Unicode scalars.
    func edges(_ text: String) throws(Misplaced) -> [PatchConnection] {
        var words: [(text: Substring, offset: Int)] = []
        for word in text.split(separator: " ") {
            words.append((word, text.unicodeScalars.distance(from: text.startIndex, to: word.startIndex)))
        }
        guard words.count >= 3, words.count % 2 == 1,
            words.enumerated().allSatisfy({ $0.offset % 2 == 0 || $0.element.text == "->" })
        else { throw Misplaced(fault: .connection(text), offset: 0) }
        let names = words.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        var edges: [PatchConnection] = []
        for (index, (from, to)) in zip(names, names.dropFirst()).enumerated() {
            for (place, word) in [(index, from), (index + 1, to)]
            where place > 0 && place < names.count - 1 && word.text.last == "]" {
                throw Misplaced(fault: .busInside(String(word.text)), offset: word.offset)
            }
            let source = try at(from.offset) { () throws(PatchFileError.Fault) in try port(from.text, isOutput: true) }
            let destination = try at(to.offset) { () throws(PatchFileError.Fault) in
                try port(to.text, isOutput: false, isMusic: carriesMusic(source))
            }
            edges.append(PatchConnection(source, to: destination))
        }
        return edges
    }

    /// A fault, and where in a text it is.
    struct Misplaced: Error {
        let fault: PatchFileError.Fault
        let offset: Int
    }

    private func at<T>(_ offset: Int, _ body: () throws(PatchFileError.Fault) -> T) throws(Misplaced) -> T {
        do { return try body() } catch { throw Misplaced(fault: error, offset: offset) }
    }
}

extension PortNames {
    /// Refuses buses that no unit has: a file that names them would not be read.
    func check(_ patch: Patch) throws(DocumentError) {
        func check(_ port: PatchPort, _ isOutput: Bool) throws(DocumentError) {
            guard let buses = buses(of: port.unit, isOutput: isOutput), !(0..<buses.count).contains(port.bus) else { return }
            let direction = isOutput ? "output" : "input"
            throw DocumentError(
                .unknownBus("\(port.bus)", of: port.unit, direction: direction, known: buses.choices), path: "")
        }
        // Music can be led to any unit that receives it, with any inputs.
        func hears(_ port: PatchPort) -> Bool {
            port.bus == 0 && buses(of: port.unit, isOutput: false)?.hearsMusic == true
        }
        for edge in patch.connections {
            try check(edge.from, true)
            if !carriesMusic(edge.from) || !hears(edge.to) { try check(edge.to, false) }
        }
        for port in patch.inputs where !hears(port) { try check(port, false) }
        for port in patch.outputs { try check(port, true) }
    }
}
