import MIDI

/// What instruments that take turns, or have switches among their keys, remember of a song.
extension Chase {
    /// The strikes of a part while one program plays it: how often each key was struck, and which was the last.
    private struct Run {
        var program: ChaseState.Value?
        var counts: [UInt8: (count: Int, last: Int)] = [:]
        var velocity: UInt8 = 0
    }

    /// A part as it is played: the strikes since its last reset.
    private struct Struck {
        var part: Part
        var banks: (high: UInt8?, low: UInt8?) = (nil, nil)
        var program: ChaseState.Value?
        var runs: [Run] = []

        mutating func apply(_ received: MIDIMessage, at order: Int) {
            guard let message = part.heard(received) else { return }
            let first = message.data1 & 127, value = message.data2
            switch message.kind {
            case .noteOn where value > 0: strike(first, value, at: order)
            case .noteOn, .noteOff: part.remove(first)
            case .controlChange:
                if first == 0 { banks.high = value }
                if first == 32 { banks.low = value }
                switch part.control(Controller(rawValue: first), value) {
                case .allNotesOff, .allSoundOff: part.clearKeys()
                default: break
                }
            case .programChange: program = .program(first, bank: banks.high, bankLSB: banks.low)
            default: break
            }
        }

        private mutating func strike(_ key: UInt8, _ velocity: UInt8, at order: Int) {
            let former = part.newestKey
            part.push(key)
            // A key that takes another's note over strikes nothing.
            if part.isMono, part.isLegato, former != nil { return }
            if runs.isEmpty || runs[runs.count - 1].program != program { runs.append(Run(program: program)) }
            let count = runs[runs.count - 1].counts[key]?.count ?? 0
            runs[runs.count - 1].counts[key] = (count + 1, order)
            runs[runs.count - 1].velocity = velocity
        }
    }

    /// The strikes before `index`, part by part: the programs in the order in which they were played, the keys of each in that
    /// of their last strike.
    func strikes(before index: Int) -> [MusicEvent] {
        var parts: [Int: Struck] = [:]
        func forget(_ isForgotten: (Int) -> Bool) { for part in parts.keys.filter(isForgotten) { parts[part] = nil } }
        func update(_ part: Int, _ body: (inout Struck) -> Void) {
            body(&parts[part, default: Struck(part: Part(mode: .initial(part)))])
        }
        for (order, timed) in events[..<min(max(index, 0), events.count)].enumerated() {
            switch timed.event {
            case .message(let message): update(message.part & 255) { $0.apply(message, at: order) }
            case .part(let parameter, let value, let key, let part):
                update(Int(part)) { if case .allNotesOff = $0.part.set(parameter, value, key: key) { $0.part.clearKeys() } }
            case .partMode(let mode, let port, let channel):
                update(Int(port & 15) * 16 + Int(channel & 15)) { $0.part.mode = mode }
            case .reset(_, let port), .standard(_, let port): forget { $0 / 16 == Int(port & 15) }
            default: break
            }
        }
        return parts.sorted { $0.key < $1.key }.flatMap { events(of: $1, UInt8($0)) }
    }

    private func events(of struck: Struck, _ part: UInt8) -> [MusicEvent] {
        var result: [MusicEvent] = []
        for run in struck.runs {
            if hasPrograms(part) { give(ChaseState.Slot(kind: .program, part: part), run.program ?? Self.noProgram, &result) }
            for (key, strikes) in run.counts.sorted(by: { $0.value.last < $1.value.last }) {
                var digits: [UInt8] = [], left = strikes.count
                repeat {
                    digits.insert(UInt8(left & 127), at: 0)
                    left >>= 7
                } while left > 0
                for digit in digits.dropLast() { result.append(.part(.manyStrikes, digit, key: key, part: part)) }
                result.append(.part(.strikes, digits[digits.count - 1], key: key, part: part))
            }
            result.append(.part(.lastVelocity, run.velocity, key: 0, part: part))
        }
        return result
    }

    /// The program after power-on.
    static let noProgram = ChaseState.Value.program(0, bank: nil, bankLSB: nil)
}
