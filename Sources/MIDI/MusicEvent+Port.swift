extension MusicEvent {
    /// The same for another port. Control side.
    public func moved(toPort port: UInt8) -> MusicEvent {
        switch self {
        case .message(var message):
            message.port = port
            return .message(message)
        case .reset(let kind, _): return .reset(kind, port: port)
        case .standard(let kind, _): return .standard(kind, port: port)
        case .masterVolume(let volume, _): return .masterVolume(volume, port: port)
        case .masterTuning(let cents, _): return .masterTuning(cents: cents, port: port)
        case .partMode(let mode, _, let channel): return .partMode(mode, port: port, channel: channel)
        }
    }
}
