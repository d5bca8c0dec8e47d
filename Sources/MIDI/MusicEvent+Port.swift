extension MusicEvent {
    /// Returns the event for another port. Control side.
    public func moved(toPort port: UInt8) -> MusicEvent {
        switch self {
        case .message(var message):
            message.port = port
            return .message(message)
        case .reset(let kind, _): return .reset(kind, port: port)
        case .standard(let kind, _): return .standard(kind, port: port)
        case .masterVolume(let volume, _): return .masterVolume(volume, port: port)
        case .masterTuning(let cents, _): return .masterTuning(cents: cents, port: port)
        case .masterBalance(let balance, _): return .masterBalance(balance, port: port)
        case .scaleTuning(let channels, let step, let hundredths, _):
            return .scaleTuning(channels: channels, step: step, hundredths: hundredths, port: port)
        case .keyTuning(var change):
            change.port = port
            return .keyTuning(change)
        case .effect(let value, let parameter, _): return .effect(value, of: parameter, port: port)
        case .partMode(let mode, _, let channel): return .partMode(mode, port: port, channel: channel)
        case .insertion(let value, let parameter, let slot, _):
            return .insertion(value, of: parameter, slot: slot, port: port)
        case .part(let parameter, let value, let key, let part):
            return .part(parameter, value, key: key, part: part & 15 | port << 4)
        case .time: return self
        }
    }
}
