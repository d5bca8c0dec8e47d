/// The MPE zones that the messages of one port have made so far, for those that keep no `Part`. Control side.
package struct ZoneScan: Sendable {
    /// The zones as they are now.
    package private(set) var zones = MPEZones()
    private var selections = [ParameterSelection](repeating: ParameterSelection(), count: 16)

    /// Creates a scan without zones.
    package init() {}

    /// Takes the next event in.
    package mutating func apply(_ event: MusicEvent) {
        switch event {
        case .message(let message) where message.status & 0xF0 == 0xB0:
            control(message.channel, Controller(rawValue: message.data1), message.data2)
        case .reset, .standard: self = ZoneScan()
        default: break
        }
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
}
