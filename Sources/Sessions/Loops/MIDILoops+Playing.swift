import EngineCore
import Graphs
import MIDI
import RealtimeCore
import Reports
import Sequencer
import Units

/// What MIDI loops hear, their time, and what they play.
extension MIDILoops {
    // What is heard.

    /// Takes in what was performed.
    func hear(_ performance: Performance) {
        let known = heardUntil, played = music.take(performance.live)
        heardUntil = core.now
        guard let follower else { return }
        for index in takes.keys.sorted() {
            var left: [LoopTake] = [], rest = takes[index] ?? [], changes = false, isFirst = false
            for place in rest.indices {
                for event in played { Self.feed(event, to: &rest[place], follower) }
                if let end = rest[place].end, end <= known {
                    finish(&rest[place], index, at: end)
                    (changes, isFirst) = (true, isFirst || rest[place].length == nil)
                } else {
                    left.append(rest[place])
                }
            }
            takes[index] = left.isEmpty ? nil : left
            if handOver(index) || changes { refresh(index) }
            if left.contains(where: { $0.count >= Self.mostEvents }), loops[index].writes {
                core.tell(["loop \(index + 1): \(Self.mostEvents) events are the most"])
                report { () throws(Fault) in try begin(.playing, index, at: core.now) }
            }
            if isFirst { setTempo(by: index) }
        }
    }

    static func feed(_ event: LoopMusic.Played, to take: inout LoopTake, _ clock: LoopClock) {
        if event.time >= take.start, take.end.map({ event.time < $0 }) ?? true {
            take.take(event.message, at: clock.beat(at: event.time))
        }
    }

    /// Gives what was recorded to the layers. Returns whether any has changed.
    func handOver(_ index: Int) -> Bool {
        var changes = false
        for place in (takes[index] ?? []).indices {
            guard let layer = takes[index]?[place].layer, loops[index].layers.contains(where: { $0.number >= layer }) else {
                continue
            }
            let events = takes[index]?[place].takeEvents() ?? []
            if events.isEmpty { continue }
            changes = true
            loops[index].changeLayers { if $0.number >= layer { $0.add(events) } }
        }
        return changes
    }

    func finish(_ take: inout LoopTake, _ index: Int, at end: SampleTime) {
        let first = take.finish(at: clock.beat(at: end)), events = take.takeEvents() + take.kept(to: clock.beat(at: end))
        let number = take.layer
        loops[index].changeLayers { layer in
            guard layer.number >= number else { return }
            layer.add(events)
            layer.events.insert(contentsOf: first, at: 0)
        }
    }

    /// Ends all that records, at a time that has passed.
    func finishTakes(_ index: Int, at time: SampleTime) {
        for var take in takes.removeValue(forKey: index) ?? [] { finish(&take, index, at: min(take.end ?? time, time)) }
    }

    // Its time.

    /// The tempo is another from a time on.
    func follow(tempo: Double, at time: SampleTime) { follower?.follow(tempo: tempo, at: time) }

    func turn() {
        guard let follower else { return }
        follower.turn()
        for index in loops.indices { update(index) }
        follower.advance()
    }

    func update(_ index: Int) {
        if former[index]?.waits == true, isDue(index) { commit(index) }
        guard places[index].isOnce, loops[index].state == .playing, former[index]?.waits != true, let layer = loops[index].layer,
            clock.beat(at: core.now) >= places[index].origin + layer.beats * places[index].factor
        else { return }
        (loops[index].state, places[index].isOnce) = (.stopped, false)
        refresh(index)
    }

    /// Gives what was asked for to the player.
    func commit(_ index: Int) {
        guard let before = former[index] else { return }
        former[index]?.waits = false
        let loop = loops[index], time = max(loop.time, core.soon), begin = clock.beat(ofBar: loop.time)
        if before.loop.state == .recording, loop.state != .recording {
            setLength(index, until: loop.time)
        } else if before.startsAnew {
            (places[index].origin, places[index].isOnce) = (begin, before.isOnce)
        }
        for place in (takes[index] ?? []).indices where takes[index]?[place].end == nil { takes[index]?[place].end = loop.time }
        if loop.writes {
            if loop.state == .recording { places[index] = LoopPlace(origin: begin, level: places[index].level) }
            let length = loop.state == .recording ? nil : loop.layer?.beats
            var take = LoopTake(
                layer: loop.state == .recording ? layers + 1 : loop.layer?.number ?? 0, start: loop.time, beat: begin,
                origin: places[index].origin, length: length, holding: music.held(at: loop.time))
            if loop.state == .replacing {
                take.replaced = loop.layer?.events ?? []
                loops[index].changeLayers { if $0.number == take.layer { $0.events = [] } }
            }
            for event in music.events where event.time >= loop.time { Self.feed(event, to: &take, clock) }
            takes[index, default: []].append(take)
        }
        _ = handOver(index)
        arrangement.tracks[Looper.tracks + index] = Track()
        let isNew = before.startsAnew || before.loop.state == .recording
        if isNew, time > loop.time, isHeard(index) { makeUp(index, since: begin, at: time) }
        refresh(index, at: time)
    }

    /// A recording is a loop from a time on.
    func setLength(_ index: Int, until end: SampleTime) {
        let beats = max(LoopTake.whole(clock.beat(ofBar: end) - places[index].origin), 1.0 / 32)
        loops[index].changeLayers { $0.beats = beats }
        // Turns begin where it ends.
        places[index].origin += beats
    }

    /// What a loop that begins late has missed is struck at `time`, as long as it is.
    private func makeUp(_ index: Int, since begin: Double, at time: SampleTime) {
        guard let layer = loops[index].layer else { return }
        let now = clock.beat(at: time)
        var track = Track()
        for event in places[index].played(layer) where clock.time(ofBeat: begin + event.beat) < time {
            track.add(Song.Arrangement.Event(now, event.kind))
        }
        arrangement.tracks[Looper.tracks + index] = track
    }

    /// The place in a loop at a beat of the player, in beats of the player.
    func place(_ index: Int, at beat: Double) -> Double {
        guard let layer = present(index).layer, layer.beats > 0 else { return 0 }
        return LoopTake.place(of: beat, from: places[index].origin, layer.beats * places[index].factor)
    }

    /// A change of length or speed leaves the loop at its place in the present turn, which is `scale` times as far from its origin.
    func keepPlace(_ index: Int, scaledBy scale: Double = 1, _ change: () -> Void) {
        let now = clock.beat(at: core.soon)
        places[index].origin = now - place(index, at: now) * scale
        change()
    }

    /// The first recording without a tempo gives the session its own.
    func setTempo(by index: Int) {
        guard isFirst(index), measure == nil, loops[index].length > 0, loops[index].state != .empty,
            metronome.next(.bar, after: core.now) == nil, let beats = AudioLoops.beats(of: loops[index].length, sampleRate)
        else { return }
        measure = index
        report { () throws(Fault) in try set(beats: beats) }
    }

    private func report(_ body: () throws(Fault) -> Void) { do throws(Fault) { try body() } catch { core.tell(["\(error)"]) } }

    // What is played.

    /// A loop as it is now: what was asked for and waits for its bar is not yet there.
    func present(_ index: Int) -> AskedLoop {
        former[index].flatMap { $0.waits ? $0.loop : nil } ?? loops[index]
    }

    func plays(_ index: Int) -> Bool { [.playing, .overdubbing, .replacing].contains(present(index).state) }

    func isHeard(_ index: Int) -> Bool {
        let isSoloed = soloed.isEmpty && !isOtherSoloed || soloed.contains(index)
        return plays(index) && !muted.contains(index) && isSoloed
    }

    func refresh() { for index in loops.indices { refresh(index) } }

    /// Gives a loop as it is to the player, from `time` on.
    func refresh(_ index: Int, at time: SampleTime? = nil) {
        layerPorts = nil
        guard let follower else { return }
        var track = Track()
        if isHeard(index), let layer = present(index).layer, layer.beats > 0 {
            track = Track(places[index].played(layer))
            track.offset = places[index].origin
            track.loop = Song.Arrangement.Loop(0..<layer.beats * places[index].factor, rounds: places[index].isOnce ? 1 : nil)
        } else {
            arrangement.tracks[Looper.tracks + index] = Track()
        }
        if arrangement.tracks[index] == track, follower.arrangement == arrangement { return }
        arrangement.tracks[index] = track
        follower.edit(arrangement, at: time)
    }

    func shown(_ index: Int) -> SessionSnapshot.Loop {
        let loop = present(index), beat = 60 / metronome.tempo
        let isRecording = loop.state == .recording
        let now = follower?.beat(at: core.moment) ?? 0, place = place(index, at: now)
        let beats =
            isRecording ? max(now - places[index].origin, 0) : (loop.layer?.beats ?? 0) * places[index].factor
        return SessionSnapshot.Loop(
            track: index + 1, state: "\(loop.isEmpty ? .empty : loop.state)", seconds: beats * beat, beats: beats,
            position: (isRecording ? beats : !plays(index) ? 0 : places[index].isReversed ? beats - place : place) * beat,
            layers: loop.layers.count - loop.undone, undone: loop.undone, isMuted: muted.contains(index),
            isSoloed: soloed.contains(index), isSaved: loops[index].isSaved, kind: .midi)
    }
}
