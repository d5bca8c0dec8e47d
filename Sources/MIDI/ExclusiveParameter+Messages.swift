/// Messages that write settings of parts: the table read the other way round, for recordings.
extension ExclusiveParameter {
    /// Returns the message that writes a setting, F0 ... F7: Roland's where it has the parameter, else Yamaha's; nil for a drum's
    /// setting as after power-on. `channel` is 0...15.
    package static func message(_ setting: PartParameter, _ value: UInt8, key: UInt8, channel: UInt8) -> [UInt8]? {
        if setting.drumRow != nil && value == PartParameter.asPowerOn { return nil }
        let value = value == PartParameter.asPowerOn ? setting.initialValue : value
        // Only Yamaha's bend range goes the other way.
        for row in roland where setting != .bendRange || value < 104 {
            guard let step = row.step(setting) else { continue }
            let isDrum = setting.drumRow != nil
            let place =
                isDrum
                ? [row.ranges[0].lowerBound, row.ranges[1].lowerBound, key]
                : [row.ranges[0].lowerBound, row.ranges[1].lowerBound | PartMode.block(ofChannel: channel), row.first + step]
            return RolandMessage.bytes(place + row.data(value))
        }
        for row in yamaha {
            guard let step = row.step(setting) else { continue }
            let second = setting.drumRow != nil ? key : channel
            return [0xF0, 0x43, 0x10, 0x4C, row.ranges[0].lowerBound, second, row.first + step] + row.data(value) + [0xF7]
        }
        return nil
    }

    /// The place among the row's third bytes at which the setting is written; nil if the row does not write it.
    private func step(_ setting: PartParameter) -> UInt8? {
        let settings: [PartParameter] =
            switch meaning {
            case .part(let setting): [setting]
            case .pan: [.randomPan]
            case .pitchOffset: [.pitchOffset]
            case .bendRange: [.bendRange]
            case .receives(let kinds): kinds.map(PartParameter.receives)
            case .matrix(let source, let destinations): destinations.map { .depth(source, $0) }
            case .drum(let control): [.drum(control)]
            default: []
            }
        return settings.firstIndex(of: setting).map { UInt8($0) }
    }

    private func data(_ value: UInt8) -> [UInt8] {
        switch meaning {
        // Another place with each note, or the middle.
        case .pan: [value == 0 ? 64 : 0]
        case .pitchOffset: [value >> 4, value & 15]
        case .bendRange: [value >= 104 ? value - 64 : min(value, 63) + 64]
        default: [value & 127]
        }
    }
}
