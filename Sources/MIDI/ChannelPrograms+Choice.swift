extension ChannelPrograms {
    /// Makes a channel ask for a preset, by the bank rules that hold now. `part`: port * 16 + channel. Control side.
    ///
    /// - Returns: what is to be played so that instruments know; nil if the rules have no way there, and nothing is changed.
    package mutating func choose(_ wanted: PresetRequest, part: Int) -> [MusicEvent]? {
        let port = part >> 4 & 15, channel = part & 15
        let bank = UInt8(wanted.isDrums ? 0 : wanted.bank)
        let banks: (upper: UInt8, lower: UInt8) =
            switch rule {
            case .powerOn, .gs: (bank, 0)
            case .generalMIDI: (0, 0)
            case .generalMIDI2: wanted.isDrums ? (120, 0) : (121, bank)
            case .xg: wanted.isDrums ? (127, 0) : bank == 64 ? (64, 0) : (0, bank)
            }
        var events: [MusicEvent] = [
            .message(MIDIMessage(part: part, 0xB0, 0, banks.upper)), .message(MIDIMessage(part: part, 0xB0, 32, banks.lower)),
            .message(MIDIMessage(part: part, 0xC0, UInt8(wanted.program), 0)),
        ]
        var programs = self
        for event in events { _ = programs.apply(event) }
        if programs.request(channel).isDrums != wanted.isDrums {
            // What a channel's programs mean is said before they are.
            events.insert(
                .partMode(wanted.isDrums ? .drums : .melodic, port: UInt8(port), channel: UInt8(channel)), at: 0)
            programs = self
            for event in events { _ = programs.apply(event) }
        }
        guard programs.request(channel) == wanted else { return nil }
        self = programs
        return events
    }
}
