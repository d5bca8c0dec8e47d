import MIDI

/// What instruments that take turns, or have switches among their keys, remember of a song.
extension Chase {
    /// What is counted by itself: first strikes, and those of a key while others are down.
    private struct Stroke: Hashable {
        var key: UInt8, isLegato: Bool
    }

    /// The strikes of a part while one program plays it: how many there were, and which was the last.
    private struct Run {
        var program: ChaseState.Value?
        var counts: [Stroke: (count: Int, last: Int)] = [:]
        var velocity: UInt8 = 0
    }

    /// The strikes of a part, or of the MPE zone that it speaks for, since the last reset.
    private struct Struck {
        var banks: (high: UInt8?, low: UInt8?) = (nil, nil)
        var program: ChaseState.Value?
        var runs: [Run] = []
        var down = KeySet()
        /// The upper bits of strikes that a layer restores.
        var upper = 0

        var isNewRun: Bool { runs.last.map { $0.program != program } ?? true }

        mutating func add(_ count: Int, _ stroke: Stroke, at order: Int) {
            if isNewRun { runs.append(Run(program: program)) }
            let before = runs[runs.count - 1].counts[stroke]?.count ?? 0
            runs[runs.count - 1].counts[stroke] = (before + count, order)
        }

        /// A layer goes on at another place of its music.
        mutating func restore(_ parameter: PartParameter, _ value: UInt8, key: UInt8, at order: Int) {
            switch parameter {
            case .restoring: if value != 0 { runs = [] }
            case .unmoved: break
            case .lastVelocity: if !runs.isEmpty { runs[runs.count - 1].velocity = value }
            case .manyStrikes: upper = (upper | Int(value)) << 7
            default:
                add(upper | Int(value), Stroke(key: key, isLegato: parameter == .legatoStrikes), at: order)
                upper = 0
            }
        }
    }

    /// The parts of a port as they are played.
    private struct Port {
        private var parts: [Part], struck = [Struck](repeating: Struck(), count: 16)
        private var zones = MPEZones()

        init(_ port: Int) { parts = (0..<16).map { Part(mode: .initial(port * 16 + $0)) } }

        /// The parts that were struck.
        var all: [(channel: Int, struck: Struck)] {
            struck.enumerated().filter { !$0.element.runs.isEmpty }.map { ($0.offset, $0.element) }
        }

        mutating func set(_ mode: PartMode, _ channel: Int) { parts[channel].mode = mode }

        mutating func set(_ parameter: PartParameter, _ value: UInt8, key: UInt8, _ channel: Int, at order: Int) {
            if parameter.restoresStrikes { return struck[channel].restore(parameter, value, key: key, at: order) }
            if case .allNotesOff = parts[channel].set(parameter, value, key: key) { parts[channel].clearKeys() }
        }

        mutating func apply(_ received: MIDIMessage, at order: Int) {
            let channel = Int(received.channel)
            guard let message = parts[channel].heard(received) else { return }
            let first = message.data1 & 127, value = message.data2
            switch message.kind {
            case .noteOn where value > 0: strike(channel, first, value, at: order)
            case .noteOn, .noteOff:
                parts[channel].remove(first)
                struck[channel].down.set(first, false)
            case .controlChange: control(channel, first, value)
            case .programChange:
                let banks = struck[channel].banks
                struck[channel].program = .program(first, bank: banks.high, bankLSB: banks.low)
            default: break
            }
        }

        private mutating func control(_ channel: Int, _ number: UInt8, _ value: UInt8) {
            if number == 0 { struck[channel].banks.high = value }
            if number == 32 { struck[channel].banks.low = value }
            switch parts[channel].control(Controller(rawValue: number), value) {
            case .allNotesOff, .allSoundOff: parts[channel].clearKeys()
            case .zone(let members):
                var zones = zones
                let changed = parts.withUnsafeMutableBufferPointer { parts in
                    parts.baseAddress.map { zones.configure(UInt8(channel), members: members, parts: $0) } ?? 0
                }
                self.zones = zones
                lift { changed >> UInt16($0) & 1 == 1 }
            default: break
            }
            if number >= 120, number != 121 { liftAll(heardBy: channel) }
        }

        private mutating func lift(_ isLifted: (Int) -> Bool) {
            for channel in 0..<16 where isLifted(channel) { struck[channel].down = KeySet() }
        }

        private mutating func liftAll(heardBy channel: Int) {
            let zones = zones
            lift { $0 == channel || Int(zones.manager(of: UInt8($0))) == channel }
        }

        private mutating func strike(_ channel: Int, _ key: UInt8, _ velocity: UInt8, at order: Int) {
            let former = parts[channel].newestKey, manager = Int(zones.manager(of: UInt8(channel)))
            parts[channel].push(key)
            // A key that takes another's note over strikes nothing.
            if parts[channel].isMono, parts[channel].isLegato, former != nil { return }
            if struck[manager].isNewRun { liftAll(heardBy: manager) }
            struck[channel].down.set(key, true)
            var down = KeySet()
            for member in zones.reach(of: UInt8(manager)) { down.formUnion(struck[Int(member)].down) }
            struck[manager].add(1, Stroke(key: key, isLegato: down.count > 1), at: order)
            struck[manager].runs[struck[manager].runs.count - 1].velocity = velocity
        }
    }

    /// The strikes before `index`, part by part: the programs in the order in which they were played, the keys of each in that
    /// of their last strike. Those of the members of an MPE zone are their manager's.
    func strikes(before index: Int) -> [MusicEvent] {
        var known: [Int: Port] = [:]
        func update(_ port: UInt8, _ body: (inout Port) -> Void) {
            body(&known[Int(port & 15), default: Port(Int(port & 15))])
        }
        for (order, timed) in events[..<min(max(index, 0), events.count)].enumerated() {
            switch timed.event {
            case .message(let message): update(message.port) { $0.apply(message, at: order) }
            case .part(let parameter, let value, let key, let part):
                update(part >> 4) { $0.set(parameter, value, key: key, Int(part & 15), at: order) }
            case .partMode(let mode, let port, let channel): update(port) { $0.set(mode, Int(channel & 15)) }
            case .reset(_, let port), .standard(_, let port): known[Int(port & 15)] = nil
            default: break
            }
        }
        return known.sorted { $0.key < $1.key }.flatMap { port, state in
            state.all.flatMap { events(of: $0.struck, UInt8(port * 16 + $0.channel)) }
        }
    }

    private func events(of struck: Struck, _ part: UInt8) -> [MusicEvent] {
        var result: [MusicEvent] = []
        for run in struck.runs {
            if hasPrograms(part) { give(ChaseState.Slot(kind: .program, part: part), run.program ?? Self.noProgram, &result) }
            for (stroke, strikes) in run.counts.sorted(by: { $0.value.last < $1.value.last }) {
                var digits: [UInt8] = [], left = strikes.count
                repeat {
                    digits.insert(UInt8(left & 127), at: 0)
                    left >>= 7
                } while left > 0
                for digit in digits.dropLast() { result.append(.part(.manyStrikes, digit, key: stroke.key, part: part)) }
                let last = digits[digits.count - 1]
                result.append(.part(stroke.isLegato ? .legatoStrikes : .strikes, last, key: stroke.key, part: part))
            }
            result.append(.part(.lastVelocity, run.velocity, key: 0, part: part))
        }
        return result
    }

    /// The program after power-on.
    static let noProgram = ChaseState.Value.program(0, bank: nil, bankLSB: nil)
}
