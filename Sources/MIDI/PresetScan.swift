/// Which presets and channels a score really sounds: what to load for it, and what to report.
///
/// Feed it every event of one port in order. A program that is chosen but never played is not among them; in an MPE zone the
/// manager's is played. Control side.
public struct PresetScan: Sendable {
    private var programs = ChannelPrograms()
    private var zones = MPEZones()
    /// What data entry means on each channel.
    private var selections = [ParameterSelection](repeating: ParameterSelection(), count: 16)
    private var seen: Set<PresetRequest> = []
    /// Channels that play a note, and managers of zones in which one is played; one bit each.
    public private(set) var usedChannels: UInt16 = 0

    /// A scan of nothing yet.
    public init() {}

    /// Takes the next event in.
    public mutating func apply(_ event: MusicEvent) {
        switch event {
        case .message(let message) where message.status & 0xF0 == 0x90 && message.data2 > 0:
            let manager = zones.manager(of: message.channel)
            usedChannels |= 1 << UInt16(message.channel) | 1 << UInt16(manager)
            seen.insert(programs.request(Int(manager)))
        case .message(let message) where message.status & 0xF0 == 0xB0:
            control(message.channel, Controller(rawValue: message.data1), message.data2)
        case .reset, .standard:
            zones = MPEZones()
            for channel in 0..<16 { selections[channel] = ParameterSelection() }
        default: break
        }
        _ = programs.apply(event)
    }

    private mutating func control(_ channel: UInt8, _ controller: Controller, _ value: UInt8) {
        switch controller {
        case .dataEntry where selections[Int(channel)].registered == 6:
            let before = zones
            _ = zones.configure(channel, members: value)
            for place in UInt8(0)..<16 where zones.manager(of: place) != before.manager(of: place) {
                selections[Int(place)] = ParameterSelection()
            }
        case .resetAllControllers: selections[Int(channel)] = ParameterSelection()
        default: selections[Int(channel)].choose(controller, value)
        }
    }

    /// What this scan or the other has seen; events that follow are read as after those of this one.
    public func merging(_ other: PresetScan) -> PresetScan {
        var both = self
        both.seen.formUnion(other.seen)
        both.usedChannels |= other.usedChannels
        return both
    }

    /// Presets that sound, in order of their code.
    public var requests: [PresetRequest] { seen.sorted() }
}
