// [render]

/// The values of a part's `PartParameter`s, but for those of drums.
@usableFromInline struct PartSettings: BitwiseCopyable, Sendable {
    private var bytes = InlineArray<16, UInt8>(repeating: 0)
    private var depths = InlineArray<66, UInt8>(repeating: 0)
    /// One bit for each `ReceiveSwitch` that is off.
    private(set) var refused: UInt32 = 0
    /// True if notes do not sound as they come: key shift, velocities, ranges.
    private(set) var movesNotes = false
    /// One bit for each place of the controller matrix's sources that is not as after power-on.
    private(set) var sources: UInt8 = 0

    @_noLocks init() {
        for number in UInt8(0)..<16 { bytes[Int(number)] = PartParameter(rawValue: number).initialValue }
        for number in UInt8(64)..<130 { depths[Int(number &- 64)] = PartParameter(rawValue: number).initialValue }
    }

    subscript(_ parameter: PartParameter) -> Int { @_noLocks get { Int(bytes[Int(parameter.rawValue & 15)]) } }

    @_noLocks func depth(_ source: Int, _ destination: Int) -> Int {
        Int(depths[source &* 11 &+ destination])
    }

    @_noLocks mutating func set(_ parameter: PartParameter, _ value: UInt8) {
        let value = value == PartParameter.asPowerOn ? parameter.initialValue : value
        if let place = parameter.place {
            depths[place] = value
            findSources()
        } else if parameter.rawValue < 16 {
            bytes[Int(parameter.rawValue)] = value
            movesNotes = false
            for number in UInt8(0)..<8 where number != 1 {
                movesNotes = movesNotes || bytes[Int(number)] != PartParameter(rawValue: number).initialValue
            }
        } else if (32..<64).contains(parameter.rawValue) {
            let bit = UInt32(1) &<< UInt32(parameter.rawValue &- 32)
            refused = value == 0 ? refused | bit : refused & ~bit
        }
    }

    @_noLocks private mutating func findSources() {
        sources = 0
        for number in UInt8(64)..<130 where depths[Int(number &- 64)] != PartParameter(rawValue: number).initialValue {
            sources |= 1 &<< ((number &- 64) / ControlDestination.count)
        }
    }
}
