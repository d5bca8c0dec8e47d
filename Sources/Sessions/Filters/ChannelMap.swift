import EngineCore
import MIDI

/// Moves events from one channel to another. Channels count from 1, as they do on keyboards; ports stay.
public struct ChannelMap: MIDIFilter {
    /// The channel on which each channel, 1...16, is heard; others stay as they are.
    public var channels: [Int: Int]

    /// Moves events from the channels named first to those named second.
    ///
    /// Precondition: channels are 1...16.
    public init(_ channels: [Int: Int]) {
        precondition(channels.allSatisfy { (1...16).contains($0) && (1...16).contains($1) }, "a channel is 1...16")
        self.channels = channels
    }

    /// Everything is heard on `channel`, 1...16.
    public init(to channel: Int) { self.init(Dictionary(uniqueKeysWithValues: (1...16).map { ($0, channel) })) }

    /// Returns the event on the channel where it is heard.
    public func events(for event: MusicEvent) -> [MusicEvent] {
        switch event {
        case .message(var message):
            guard let channel = channels[Int(message.channel) + 1] else { return [event] }
            message.status = message.status & 0xF0 | UInt8(channel - 1)
            return [.message(message)]
        case .partMode(let mode, let port, let channel):
            return [.partMode(mode, port: port, channel: channels[Int(channel) + 1].map { UInt8($0 - 1) } ?? channel)]
        case .scaleTuning(let mask, let step, let hundredths, let port):
            var mapped: UInt16 = 0
            for channel in 1...16 where mask >> UInt16(channel - 1) & 1 != 0 {
                mapped |= 1 << UInt16((channels[channel] ?? channel) - 1)
            }
            return [.scaleTuning(channels: mapped, step: step, hundredths: hundredths, port: port)]
        case .part(let parameter, let value, let key, let part):
            let channel = channels[Int(part & 15) + 1].map { UInt8($0 - 1) } ?? part & 15
            return [.part(parameter, value, key: key, part: part & 0xF0 | channel)]
        case .reset, .standard, .masterVolume, .masterTuning, .masterBalance, .keyTuning, .effect, .insertion, .time:
            return [event]
        }
    }
}
