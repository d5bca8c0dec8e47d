/// Messages that write parameters: what `ExclusiveParameter.Meaning` says becomes events.
extension SystemExclusive {
    /// Returns the events of one message, which may write several parameters that lie side by side.
    ///
    /// `effects` takes the third byte and the value of an address of the effects.
    mutating func write(
        _ data: [UInt8], at address: [UInt8], _ table: [ExclusiveParameter], _ port: UInt8,
        effects: (inout SystemExclusive, UInt8, UInt8) -> [(EffectParameter, Float)]
    ) -> [MusicEvent] {
        var events: [MusicEvent] = []
        for (offset, byte) in data.prefix(128).enumerated() where Int(address[2]) + offset < 128 {
            let place = [address[0], address[1], address[2] + UInt8(offset)]
            guard let index = ExclusiveParameter.find(place, in: table) else { continue }
            let parameter = table[index], value = byte & 127
            let isRoland = address[0] == 0x40 || address[0] == 0x41
            let channel = isRoland ? PartMode.channel(ofBlock: place[1]) : place[1] & 15
            let part = port << 4 | channel, step = place[2] - parameter.first
            func control(_ number: UInt8, _ value: UInt8) -> MusicEvent {
                .message(MIDIMessage(status: 0xB0 | channel, data1: number, data2: value, port: port))
            }
            switch parameter.meaning {
            // A switch of portamento is 1, a pedal 64 or more.
            case .controller(let number): events.append(control(number, number == 65 && value > 0 ? 127 : value))
            case .pan: events.append(value == 0 ? .part(.randomPan, 1, key: 0, part: part) : control(10, value))
            case .mono: events.append(value == 0 ? control(126, 1) : control(127, 0))
            case .program: events.append(.message(MIDIMessage(status: 0xC0 | channel, data1: value, port: port)))
            case .part(let setting): events.append(.part(setting, value, key: 0, part: part))
            case .pitchOffset:
                if step == 0, data.count > offset + 1 {
                    let tenths = Int(value & 15) << 4 | Int(data[offset + 1] & 15)
                    events.append(.part(.pitchOffset, UInt8(min(tenths, 254)), key: 0, part: part))
                }
            case .bendRange:
                // XG goes down to -24: 104.
                let range = value >= 64 ? value - 64 : isRoland ? 0 : max(value, 0x28) + 64
                events.append(.part(.bendRange, range, key: 0, part: part))
            case .receives(let kinds): events.append(.part(.receives(kinds[Int(step)]), value, key: 0, part: part))
            case .matrix(let source, let destinations):
                events.append(.part(.depth(source, destinations[Int(step)]), value, key: 0, part: part))
            case .drum(let control): events += drum(control, value, key: isRoland ? place[2] : place[1], place, port)
            case .receiveChannel: events += receive(value, channel: channel, port: port)
            case .mode: events += mode(value, isRoland: isRoland, channel: channel, port: port)
            case .scale:
                events.append(
                    .scaleTuning(channels: 1 << UInt16(channel), step: step, hundredths: Self.hundredths(byte), port: port))
            case .masterTune:
                if step == 0, data.count >= offset + 4 {
                    let tenths = data[offset..<(offset + 4)].reduce(0) { $0 << 4 | Int($1 & 15) } - 0x400
                    let bounds = isRoland ? -1_000...1_000 : -1_024...1_023
                    events += tune(port: port) {
                        $0.fineCents = Float(min(max(tenths, bounds.lowerBound), bounds.upperBound)) / 10
                    }
                }
            case .masterVolume: events += masterVolume(value, isAttenuator: place[2] == 5, port: port)
            case .masterPan: events.append(.masterBalance(max(Float(Int(value) - 64) / 63, -1), port: port))
            case .transpose: events += transpose(value, port: port)
            case .reset(let standard, let highest): if value <= highest { events += reset(standard, port: port) }
            case .effects: events += effects(&self, place[2], value).map { .effect($1, of: $0, port: port) }
            case .insertion:
                let (slot, changes) = insertions[Int(port)].take(place, value)
                events += changes.map { .insertion($0.value, of: $0.parameter.number, slot: slot, port: port) }
            case .unfollowed, .silent: break
            }
        }
        return events
    }

    /// Rows of drums are those of a map, which parts have chosen.
    private func drum(
        _ control: DrumControl, _ value: UInt8, key: UInt8, _ place: [UInt8], _ port: UInt8
    ) -> [MusicEvent] {
        let map = (place[0] == 0x41 ? place[1] >> 4 : place[0] & 15) + 1
        return (UInt8(0)..<16).filter { drumMaps[Int(port)][Int($0)] == map }.map { channel in
            .part(.drum(control), value, key: key & 127, part: port << 4 | channel)
        }
    }

    /// GS: 0 melodic, 1 and 2 the drum maps; XG: 0 melodic, 1 drums that cannot be edited, 2 and on the set-ups.
    private mutating func mode(_ value: UInt8, isRoland: Bool, channel: UInt8, port: UInt8) -> [MusicEvent] {
        drumMaps[Int(port)][Int(channel)] = isRoland || value == 0 ? value : value - 1
        return [.partMode(value == 0 ? .melodic : .drums, port: port, channel: channel)]
    }
}
