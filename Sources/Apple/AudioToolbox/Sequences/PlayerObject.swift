internal import EngineCore
internal import RealtimeCore
internal import RemoteIO
internal import Reports
internal import Sequencer

/// What stands behind a MusicPlayer: a sequence at a beat, and the tracks of an engine while it is ready to play.
final class PlayerObject: HandledObject, @unchecked Sendable {
    private struct PendingEnd {
        let beat: Double
        let endpoint: MIDIEndpointRef
        let bytes: [UInt8]
    }

    private(set) var sequence: SequenceObject?
    private(set) var host: (any SequenceHost)?
    private var tracks: SongPlayback.Tracks?
    private var service: PeriodicThread?
    private(set) var isPlaying = false
    /// Where it stands while it does not play.
    private var standing = 0.0
    private(set) var rate = 1.0
    /// A test renders it.
    var isOffline = false
    private var ends: [PendingEnd] = []
    /// The beat up to which the callbacks have been called.
    private var served = 0.0

    init() { super.init(using: MusicCalls.shared) }

    func set(_ sequence: SequenceObject?) {
        release()
        self.sequence?.players.removeAll { $0 === self }
        self.sequence = sequence
        sequence?.players.append(self)
        standing = 0
    }

    /// Gives up what sounds: the engine with its device, unless a graph has it.
    func release() {
        do { try stop() } catch { report("\(error)") }
        if let service { Thread.detachNewThread { service.stop() } }
        (service, tracks) = (nil, nil)
        host = nil
    }

    private func arrangement(_ sequence: SequenceObject, _ host: any SequenceHost) -> Song.Arrangement {
        Song.Arrangement(
            tracks: sequence.tracks.map { track in
                let place = host.place(of: track.node) ?? (0, nil)
                return track.played(port: place.port, channel: place.channel)
            }, tempoTrack: sequence.tempoTrack.music)
    }

    func prepare() throws -> any SequenceHost {
        guard let sequence else { throw Refusal(kAudioToolboxErr_NoSequence) }
        if let host, tracks != nil { return host }
        do {
            let host: any SequenceHost =
                try sequence.host ?? GraphMusic(Handles.find(sequence.graph, GraphObject.self), isOffline: isOffline)
            let arrangement = arrangement(sequence, host)
            tracks = try host.withEngine { engine in
                let tracks = try SongPlayback.Tracks(arrangement, on: engine)
                try tracks.setTempo(rate)
                return tracks
            }
            self.host = host
            return host
        } catch {
            _ = UnitFaults.status(of: error)
            throw Refusal(kAudioToolboxErr_CannotDoInCurrentContext)
        }
    }

    func start() throws {
        if isPlaying { return }
        let host = try prepare()
        try host.start()
        try command { tracks in
            try tracks.seek(toBeat: standing)
            try tracks.play()
        }
        (isPlaying, served) = (true, standing)
        if service == nil, !isOffline, !host.servesPlayers {
            let number = UInt(bitPattern: ownHandle)
            service = try PeriodicThread(name: "carillon-player", milliseconds: 5) {
                PlayerObject.serve(OpaquePointer(bitPattern: number))
            }
        }
    }

    func stop() throws {
        guard isPlaying else { return }
        standing = beat
        isPlaying = false
        sendEnds(before: .infinity)
        try command { try $0.stop() }
    }

    var beat: Double {
        guard isPlaying, let host, let tracks else { return standing }
        return host.withEngine { _ in max(tracks.beat, 0) }
    }

    func seek(_ beat: Double) throws {
        (standing, served) = (beat, beat)
        if !isPlaying { return }
        sendEnds(before: .infinity)
        try command { try $0.seek(toBeat: beat) }
    }

    func setRate(_ factor: Double) throws {
        rate = factor
        if tracks != nil { try command { try $0.setTempo(factor) } }
    }

    func follow() {
        guard let sequence, let host, tracks != nil else { return }
        let arrangement = arrangement(sequence, host)
        _ = UnitFaults.status { try command { try $0.edit { $0 = arrangement } } }
    }

    /// Runs a command on the tracks. Another player of the same graph may have taken their place.
    private func command(_ body: (SongPlayback.Tracks) throws -> Void) throws {
        guard let host, let tracks else { throw Refusal(kAudioToolboxErr_InvalidPlayerState) }
        do { try host.withEngine { _ in try body(tracks) } } catch {
            (self.tracks, isPlaying) = (nil, false)
            throw Refusal(kAudioToolboxErr_InvalidPlayerState)
        }
    }

    func hostTime(ofBeat beat: Double) -> UInt64? {
        guard isPlaying, let host, let tracks else { return nil }
        let time = host.withEngine { engine -> Int64? in
            do { return try tracks.hostTime(ofBeat: beat) } catch {
                // A device that has just started does not know its clock yet.
                guard engine.deviceStatus != nil, let now = tracks.time(ofBeat: tracks.beat), let then = tracks.time(ofBeat: beat)
                else { return nil }
                return Int64(mach_absolute_time()) + Int64(Double(then - now) / engine.sampleRate * 1e9)
            }
        }
        return time.flatMap { UInt64(exactly: $0) }
    }

    func beat(atHostTime time: UInt64) -> Double? {
        guard isPlaying, let host, let tracks else { return nil }
        return host.withEngine { engine in
            do { return try tracks.beat(atHostTime: Int64(clamping: time)) } catch {
                guard engine.deviceStatus != nil, let now = tracks.time(ofBeat: tracks.beat) else { return nil }
                let seconds = Double(Int64(clamping: time) - Int64(mach_absolute_time())) / 1e9
                return tracks.beat(at: now + Int(min(max(seconds, -86_400), 86_400) * engine.sampleRate))
            }
        }
    }

    private func sendEnds(before beat: Double) {
        let sender = EndpointMessages.sender.withLock { $0 }
        for end in ends where end.beat < beat { sender.send(end.endpoint, end.bytes, hostTime(ofBeat: end.beat) ?? 0) }
        ends.removeAll { $0.beat < beat }
    }

    /// Plans ahead, and calls what is due, outside of all locks.
    static func serve(_ handle: MusicPlayer?) {
        var calls: [() -> Void] = []
        _ = Handles.run(handle, PlayerObject.self) { calls = $0.collect() }
        for call in calls { call() }
    }

    private func collect() -> [() -> Void] {
        guard let host, let tracks, let sequence else { return [] }
        var calls: [() -> Void] = []
        let reports = host.withEngine { engine in
            do { try engine.maintain() } catch { report("\(error)") }
            return tracks.takeReports()
        }
        let slice = (served, beat)
        served = slice.1
        for report in reports {
            guard case .cue(let bytes, let kind) = report.kind, let track = sequence.track(report.track) else { continue }
            if kind == Int(kMusicEventType_User), let callback = sequence.callback, let own = sequence.ownHandle,
                let of = track.ownHandle
            {
                calls.append { call(callback.function, callback.data, own, of, report.beat, bytes, slice) }
            } else if kind == Int(kMusicEventType_Parameter), bytes.count == MemoryLayout<ParameterEvent>.size {
                host.set(bytes.withUnsafeBytes { $0.loadUnaligned(as: ParameterEvent.self) }, of: track.node)
            } else if let endpoint = track.endpoint, let sent = EndpointMessages.sent(bytes, kind: kind) {
                let sender = EndpointMessages.sender.withLock { $0 }
                sender.send(endpoint, sent.now, hostTime(ofBeat: report.beat) ?? 0)
                if let end = sent.end { ends.append(PendingEnd(beat: report.beat + sent.length, endpoint: endpoint, bytes: end)) }
            }
        }
        sendEnds(before: served)
        return calls
    }
}

private func call(
    _ function: MusicSequenceUserCallback, _ data: UnsafeMutableRawPointer?, _ sequence: MusicSequence, _ track: MusicTrack,
    _ beat: Double, _ bytes: [UInt8], _ slice: (Double, Double)
) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 8, alignment: 8)
    defer { memory.deallocate() }
    memory.storeBytes(of: UInt32(bytes.count), as: UInt32.self)
    UnsafeMutableRawBufferPointer(rebasing: memory[4...]).copyBytes(from: bytes)
    guard let base = memory.baseAddress else { return }
    function(data, sequence, track, beat, base.assumingMemoryBound(to: MusicEventUserData.self), slice.0, slice.1)
}
