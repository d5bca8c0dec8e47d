/// Connection blocks of a region or an instrument, and the voice that they make.
///
/// A DLS voice is the SoundFont model's with other defaults: its oscillators run at 5 Hz after 10 ms, and no wheel reaches
/// them unless the file connects it. Times, pitches and levels are the same units with sixteen fractional bits. Source: DLS
/// Level 2.2, sections 1.5 to 1.10.
struct DLSArticulation: Sendable {
    private(set) var connections: [DLSConnection] = []

    mutating func add(_ connection: DLSConnection) {
        if let same = connections.firstIndex(where: connection.isSameLine) {
            connections[same] = connection
        } else {
            connections.append(connection)
        }
    }

    /// These blocks, and those of `other` that they do not draw anew.
    func over(_ other: DLSArticulation) -> DLSArticulation {
        var all = other
        for connection in connections { all.add(connection) }
        return all
    }

    /// Sets the generators that it names a number for. `rootKey` is the region's.
    func apply(to values: inout [Float], rootKey: Int) {
        values[Generator.modulationLFORate.index] = Self.fiveHertz
        values[Generator.vibratoLFORate.index] = Self.fiveHertz
        values[Generator.modulationLFODelay.index] = Self.tenMilliseconds
        values[Generator.vibratoLFODelay.index] = Self.tenMilliseconds
        for connection in connections {
            if connection.isKeyToPitch {
                // What every key adds. It counts from key 0 and not from the root, as the model does.
                let perKey = Float(connection.amount / 128)
                values[Generator.scaleTuning.index] = perKey
                values[Generator.fineTune.index] += (perKey - 100) * Float(rootKey)
                continue
            }
            guard connection.isConstant, let (generator, factor) = connection.target else { continue }
            switch generator {
            case .volumeSustain, .modulationSustain:
                values[generator.index] = 1_000 - Float(min(max(connection.amount, 0), 1_000))
            case .filterCutoff: values[generator.index] = Float(min(connection.amount, 13_500))
            default: values[generator.index] += Float(connection.amount * factor) - Self.start(generator)
            }
        }
    }

    /// The lines of a voice: the standard's, and those of the blocks.
    var modulators: [Modulator] {
        var lines = Self.defaults
        for connection in connections where !connection.isConstant && !connection.isKeyToPitch {
            guard var line = connection.modulator else { continue }
            // A full send in DLS is what the channel's strip sends; what a file wants beyond or below that, the voice.
            if line.isDefaultSend { line.amount = (line.amount - 1_000) / 5 }
            if Modulator.defaults.contains(where: { line.isSameLine(as: $0) && connection.isDefault(line, $0) }) { continue }
            if let same = lines.firstIndex(where: line.isSameLine) { lines[same] = line } else { lines.append(line) }
        }
        return lines.filter { $0.amount != 0 }
    }

    /// Returns a generator's value before a number is added to it: one that sums from nothing is 0.
    private static func start(_ generator: Generator) -> Float {
        switch generator {
        case .modulationLFORate, .vibratoLFORate: fiveHertz
        case .modulationLFODelay, .vibratoLFODelay: tenMilliseconds
        default: generator.defaultValue
        }
    }

    /// Cents above the rate of key 0.
    private static let fiveHertz: Float = -851.318
    /// Timecents.
    private static let tenMilliseconds: Float = -7_972.627
    private static let defaults = Modulator.defaults.filter {
        !$0.isDefaultSend && !($0.destination == .vibratoLFOToPitch && !$0.source.isBipolar)
    }
}

extension DLSConnection {
    /// True if the number is the cents that a key adds: 12 800 over 128 keys by default.
    var isKeyToPitch: Bool {
        source == Source.key && destination == Destination.pitch && control == Source.none
    }

    /// Returns true if the connection only repeats what every voice has: DLS's default lines (bend by 12 800 cents, pan by
    /// 50.8 %) differ a little from the model's own, which are played.
    fileprivate func isDefault(_ line: Modulator, _ own: Modulator) -> Bool {
        own.destination != .vibratoLFOToPitch && abs(line.amount - own.amount) <= 0.02 * abs(own.amount)
    }
}
