// [render]

/// The sounds that bank select, program change, part mode and system reset leave each of sixteen channels asking for.
///
/// One state machine for both sides: the renderer walks it to choose presets, `PresetScan` walks it beforehand to know
/// which to load. Bank rules, the bank being latched by the next program change:
/// - after a GS reset: controller 0 is the bank, of kits that of a SoundFont with an offset; controller 32 is ignored;
/// - at first and after GM Off the same; but controller 32 alone is the bank where SoundFonts have the program there;
/// - after GM On: no banks;
/// - after GM2 On: controller 0 = 120 makes a drum part, 121 a melodic one with controller 32 as bank;
/// - after XG On: controller 0 = 120, 126 or 127 makes a drum part, any other value a melodic one; 64 (effects) is a bank of
///   its own, otherwise controller 32 is the bank. 126 are kits of effects, for any program: SoundFonts have one, 56 as in
///   GS.
package struct ChannelPrograms: BitwiseCopyable, Sendable {
    /// The standard whose bank rules hold.
    package enum BankRule: UInt8, BitwiseCopyable, Sendable { case powerOn, gs, generalMIDI, generalMIDI2, xg }

    private struct Channel: BitwiseCopyable {
        var upperBank: UInt8 = 0
        var lowerBank: UInt8 = 0
        var bank: UInt8 = 0
        var program: UInt8 = 0
        var isDrums = false
        var hasEffects = false
        /// True if controller 32 alone has named the bank.
        var isByLowerBank = false
        @_noLocks init(isDrums: Bool) { self.isDrums = isDrums }
    }

    /// The rule that holds now.
    package private(set) var rule = BankRule.powerOn
    private var channels: InlineArray<16, Channel>

    /// Sixteen channels after power-on: program 0 of bank 0, kit 0 on the tenth.
    @_noLocks package init() {
        channels = InlineArray(repeating: Channel(isDrums: false))
        for index in 0..<16 { channels[index] = Channel(isDrums: PartMode.initial(index).isDrums) }
    }

    /// Returns the preset that `channel` asks for.
    @_noLocks package func request(_ channel: Int) -> PresetRequest {
        let channel = channels[channel & 15]
        if channel.isDrums {
            let hasBank = rule == .gs || rule == .powerOn && !channel.isByLowerBank
            return PresetRequest(kit: channel.hasEffects ? 56 : channel.program, bank: hasBank ? channel.bank : 0)
        }
        return channel.isByLowerBank
            ? PresetRequest(lowerBank: channel.bank, program: channel.program)
            : PresetRequest(bank: channel.bank, program: channel.program)
    }

    /// Takes an event in; returns the channels whose request may have changed, one bit each.
    @_noLocks package mutating func apply(_ event: MusicEvent) -> UInt16 {
        switch event {
        case .message(let message):
            let index = Int(message.channel)
            switch message.status & 0xF0 {
            case 0xB0 where message.data1 == 0: channels[index].upperBank = message.data2 & 127
            case 0xB0 where message.data1 == 32: channels[index].lowerBank = message.data2 & 127
            case 0xC0:
                channels[index].program = message.data1 & 127
                latchBank(index)
                return 1 &<< UInt16(index)
            default: break
            }
            return 0
        case .reset(let reset, _), .standard(let reset, _):
            switch reset {
            case .generalMIDI: rule = .generalMIDI
            case .generalMIDI2: rule = .generalMIDI2
            case .generalMIDIOff: rule = .powerOn
            case .gs: rule = .gs
            case .xg: rule = .xg
            }
            for index in 0..<16 { channels[index] = Channel(isDrums: PartMode.initial(index).isDrums) }
            return .max
        case .partMode(let mode, _, let channel):
            channels[Int(channel & 15)].isDrums = mode.isDrums
            return 1 &<< UInt16(channel & 15)
        default:
            return 0
        }
    }

    @_noLocks private mutating func latchBank(_ index: Int) {
        let upper = channels[index].upperBank
        let lower = channels[index].lowerBank
        switch rule {
        case .powerOn:
            channels[index].isByLowerBank = upper == 0 && lower != 0
            channels[index].bank = upper == 0 ? lower : upper
        case .gs: channels[index].bank = upper
        case .generalMIDI: channels[index].bank = 0
        case .generalMIDI2:
            if upper == 120 { channels[index].isDrums = true }
            if upper == 121 { channels[index].isDrums = false }
            channels[index].bank = upper == 121 ? lower : 0
        case .xg:
            // Bank 0 at power-on leaves the drums' channel what it is.
            if upper == 120 || upper == 126 || upper == 127 {
                channels[index].isDrums = true
            } else if upper != 0 || !PartMode.initial(index).isDrums {
                channels[index].isDrums = false
            }
            channels[index].hasEffects = upper == 126
            channels[index].bank = upper == 64 ? 64 : lower
        }
    }
}
