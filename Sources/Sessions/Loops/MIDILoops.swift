import EngineCore
import Graphs
import MIDI
import RealtimeCore
import Reports
import Sequencer
import Units

/// The MIDI tracks of the looper: what keyboards played, as instruments heard it, played again beside them and in the session's
/// tempo. Session's thread.
///
/// One player plays all of them in the renderer's lane of loops. Its beats go on from the first request on and follow metronome
/// and song. What begins on a bar is given to the player a tenth of a second before: its commands come in the order of time.
final class MIDILoops: LoopTracks {
    typealias Track = Song.Arrangement.Track

    /// What a request has replaced: for as long as it can be called off.
    struct Former {
        let loop: AskedLoop
        let place: LoopPlace
        /// True until it is given to the player, and whether the loop begins anew then.
        var waits = true
        var startsAnew = false, isOnce = false
    }

    let core: SessionCore
    let metronome: MetronomePart
    var loops = [AskedLoop](repeating: AskedLoop(), count: Looper.tracks)
    var places = [LoopPlace](repeating: LoopPlace(), count: Looper.tracks)
    var former: [Int: Former] = [:]
    var takes: [Int: [LoopTake]] = [:]
    var muted: Set<Int> = [], soloed: Set<Int> = []
    /// True while a loop of sound is soloed.
    var isOtherSoloed = false { didSet { if isOtherSoloed != oldValue { refresh() } } }
    /// Returns true if there are no loops of sound.
    var isAlone: () -> Bool = { true }
    var music = LoopMusic()
    var heardUntil = SampleTime.zero
    var follower: LoopClock?
    /// By track the loop, and after those what began too late and is made up for.
    var arrangement = Song.Arrangement(tracks: [Track](repeating: Track(), count: 2 * Looper.tracks))
    /// The loop that has set the tempo.
    var measure: Int?
    var layers = 0

    /// Events of a loop.
    static let mostEvents = 65_536

    init(_ core: SessionCore, _ metronome: MetronomePart) { (self.core, self.metronome) = (core, metronome) }

    var sampleRate: Int { core.options.sampleRate }
    /// True once anything was asked of them.
    var isThere: Bool { follower != nil }

    /// The engine's ports that loops are played on, or recorded for.
    var ports: Set<UInt8> {
        let known =
            layerPorts ?? Set(loops.flatMap { $0.layers.flatMap { $0.events.compactMap { $0.part.map { UInt8($0 / 16) } } } })
        layerPorts = known
        return takes.values.reduce(known) { ports, takes in takes.reduce(ports) { $0.union($1.ports) } }
    }
    var layerPorts: Set<UInt8>?

    /// The clock, which goes from the first request on.
    var clock: LoopClock {
        if let follower { return follower }
        let made = LoopClock(arrangement, core, metronome)
        follower = made
        return made
    }

    // Requests.

    func begin(_ state: LoopState, _ index: Int, at moment: SampleTime) throws(Fault) {
        update(index)
        try callOff(index)
        let before = loops[index], writes = state == .overdubbing || state == .replacing
        if state != .recording { try needsLoop(index) }
        if writes, places[index].factor != 1 || places[index].isReversed { throw Self.hasOtherSpeed(index) }
        _ = clock
        let counted = state == .recording ? try metronome.countIntoLoop() : nil
        let from = counted ?? start(of: moment)
        var next = before
        if state == .recording {
            (next.start, next.length) = (from, 0)
            next.forget()
            if measure == index { measure = nil }
        } else if before.state == .recording {
            next.length = from - before.start
            next.add(newLayer(AskedLoop.Layer()))
        }
        if writes { next.add(newLayer(next.layer ?? AskedLoop.Layer())) }
        (next.state, next.time, next.wasUndone) = (state, from, false)
        ask(next, index, startsAnew: before.state == .stopped)
    }

    func start(of moment: SampleTime) -> SampleTime {
        metronome.next(.bar, after: moment + -sampleRate / 10) ?? moment
    }

    func newLayer(_ layer: AskedLoop.Layer) -> AskedLoop.Layer {
        layers += 1
        var layer = layer
        layer.number = layers
        return layer
    }

    func ask(_ next: AskedLoop, _ index: Int, startsAnew: Bool = false, isOnce: Bool = false) {
        former[index] = Former(loop: loops[index], place: places[index], startsAnew: startsAnew, isOnce: isOnce)
        loops[index] = next
        if isDue(index) { commit(index) }
    }

    func isDue(_ index: Int) -> Bool { loops[index].time - core.soon <= sampleRate / 10 }

    func end(_ index: Int, _ state: LoopState) throws(Fault) {
        update(index)
        try callOff(index)
        let before = loops[index]
        if before.state == .empty || state == .stopped && before.isEmpty { return }
        former[index] = nil
        (loops[index].state, loops[index].time, loops[index].wasUndone) = (state, core.soon, false)
        if state == .empty {
            takes[index] = nil
            loops[index].length = 0
            loops[index].forget()
            if measure == index { measure = nil }
        } else if before.state == .recording {
            close(index, at: core.now)
            setTempo(by: index)
        } else {
            finishTakes(index, at: core.now)
        }
        refresh(index)
    }

    /// A recording ends as a loop at a time that has passed.
    func close(_ index: Int, at time: SampleTime) {
        loops[index].length = max(time - loops[index].start, 1)
        loops[index].add(newLayer(AskedLoop.Layer()))
        setLength(index, until: time)
        finishTakes(index, at: time)
    }

    @discardableResult
    func callOff(_ index: Int) throws(Fault) -> Bool {
        guard let before = former.removeValue(forKey: index), loops[index].time > core.soon else { return false }
        // What had begun to be given to the player is taken back; a recording goes on.
        let events = before.loop.state == .recording ? loops[index].layers.first?.events ?? [] : []
        loops[index] = before.loop
        places[index].isOnce = before.place.isOnce
        let (now, then) = (places[index], before.place)
        if now.factor == then.factor, now.isReversed == then.isReversed { places[index].origin = then.origin }
        takes[index] = takes[index].map { takes in
            takes.filter { $0.start <= core.now }.map { take in
                var take = take
                take.end = nil
                take.giveBack(events)
                return take
            }
        }
        refresh(index)
        return true
    }

    func undo(_ index: Int, by layers: Int) throws(Fault) {
        update(index)
        let waits = loops[index].writes
        if try callOff(index), layers > 0, waits { return }
        var loop = loops[index]
        if loop.state == .empty { throw Self.noLoop(index) }
        if loop.state == .recording {
            close(index, at: core.now)
            loop = loops[index]
        }
        try Self.undo(layers, of: &loop, index)
        finishTakes(index, at: core.now)
        let undone = loop.undone
        loop = loops[index]
        loop.undone = undone
        if loop.writes { loop.state = .playing }
        loop.time = core.soon
        former[index] = nil
        keepPlace(index) { self.loops[index] = loop }
        refresh(index)
    }

    func restart(_ index: Int, isOnce: Bool, at moment: SampleTime) throws(Fault) {
        update(index)
        try callOff(index)
        try needsLoop(index)
        if loops[index].state == .recording { return try begin(.playing, index, at: moment) }
        finishTakes(index, at: core.now)
        var next = loops[index]
        (next.state, next.time) = (.playing, start(of: moment))
        ask(next, index, startsAnew: true, isOnce: isOnce)
    }

    func multiply(_ index: Int, by times: Int) throws(Fault) {
        update(index)
        try callOff(index)
        try needsLoop(index)
        guard var layer = loops[index].layer, layer.beats > 0 else {
            throw Self.noLoop(index, "end its recording first")
        }
        if layer.times == times { return }
        finishTakes(index, at: core.now)
        layer.events = loops[index].layer?.events ?? []
        let length = layer.beats / Double(layer.times) * Double(times)
        let turns = Int((length / layer.beats).rounded(.up))
        if turns * layer.events.count > Self.mostEvents {
            throw .option(name: "looper multiply", value: "\(times)", remedy: "it would have more than \(Self.mostEvents) events")
        }
        let old = layer
        layer.events = (0..<turns).flatMap { turn in
            old.events.map { Song.Arrangement.Event($0.beat + Double(turn) * old.beats, $0.kind) }
        }.filter { $0.beat < length }
        (layer.beats, layer.times) = (length, times)
        put(layer, index)
    }

    /// Plays another layer on the one that sounds; what was written ends.
    func put(_ layer: AskedLoop.Layer, _ index: Int) {
        if loops[index].writes { loops[index].state = .playing }
        former[index] = nil
        keepPlace(index) { self.loops[index].add(self.newLayer(layer)) }
        loops[index].time = core.soon
        refresh(index)
    }

    func flip(_ parameter: Looper.Parameter, _ index: Int) throws(Fault) {
        switch parameter {
        case .mute: muted.formSymmetricDifference([index])
        case .solo: soloed.formSymmetricDifference([index])
        default:
            update(index)
            if loops[index].writes || present(index).writes { throw Self.records(index) }
            let turn = (present(index).layer?.beats ?? 0) * places[index].factor, now = clock.beat(at: core.soon)
            // It goes back from where it is.
            places[index].origin = now - turn + place(index, at: now)
            places[index].isReversed.toggle()
        }
        refresh()
    }

    func isSoloed(_ index: Int) -> Bool { soloed.contains(index) }

    func set(speed: Float, _ index: Int) throws(Fault) {
        update(index)
        if loops[index].writes || present(index).writes { throw Self.records(index) }
        let wanted = speed == 0 ? 2 : 0.5, new = places[index].factor == wanted ? 1 : wanted
        keepPlace(index, scaledBy: new / places[index].factor) { places[index].factor = new }
        refresh(index)
    }

    func set(_ parameter: Looper.Parameter, _ value: Float, _ index: Int, at time: SampleTime?) throws(Fault) {
        guard parameter == .level else {
            throw .option(
                name: "looper \(parameter.spec.name)", value: "\(index + 1)",
                remedy: "it is a MIDI loop, which has a level alone; set its instrument")
        }
        do { try parameter.spec.check(Double(value)) } catch { throw Fault(error) }
        places[index].level = value
        refresh(index)
    }

    func set(beats: Int) throws(Fault) {
        guard let measure, let layer = loops[measure].layer, layer.beats > 0 else {
            throw Self.hasNoTempo(beats)
        }
        let own = layer.beats / Double(layer.times)
        try metronome.set(tempo: metronome.tempo * Double(beats) / own, ofSongs: false)
        let scale = Double(beats) / own
        keepPlace(measure, scaledBy: scale) {
            loops[measure].changeLayers { layer in
                layer.beats *= scale
                layer.events = layer.events.map { $0.scaled(by: scale) }
            }
        }
        refresh(measure)
    }

    /// Gives a loop to other parts: all its layers. - Throws: if one of them has no part there.
    func move(_ index: Int, to part: (Int) -> Int?) throws(Fault) {
        update(index)
        try callOff(index)
        try needsLoop(index)
        if loops[index].state == .recording { throw Self.noLoop(index, "end its recording first") }
        finishTakes(index, at: core.now)
        if loops[index].writes { loops[index].state = .playing }
        var parts: [Int: Int] = [:]
        for own in Set(loops[index].layers.flatMap { $0.events.compactMap(\.part) }) {
            guard let moved = part(own) else {
                throw .option(
                    name: "looper move", value: "\(index + 1)", remedy: "the patch in hand does not play its channels")
            }
            parts[own] = moved
        }
        loops[index].changeLayers { layer in
            layer.events = layer.events.map { event in event.part.flatMap { parts[$0] }.map(event.moved) ?? event }
        }
        // The old part's keys end: for a moment the track is empty.
        arrangement.tracks[index] = Track()
        arrangement.tracks[Looper.tracks + index] = Track()
        clock.edit(arrangement)
        refresh(index)
    }

    /// True if a MIDI loop has set the tempo.
    var hasTempo: Bool { measure != nil }

    /// Ends all that sounds, at a time: the session ends.
    func stop(at time: SampleTime) { follower?.stop(at: time) }

    /// Stops all of them at once.
    func stopAll() throws(Fault) { for index in loops.indices where !loops[index].isEmpty { try end(index, .stopped) } }

    /// Makes the last bars that keyboards played a loop, which goes on in phase with them.
    func capture(_ index: Int, bars: Int) throws(Fault) {
        update(index)
        guard let next = metronome.next(.bar, after: core.now), let second = metronome.next(.bar, after: next) else {
            throw .option(
                name: "looper capture", value: "\(bars)", remedy: "start the metronome or a song; without one there are no bars")
        }
        let clock = clock, bar = LoopTake.whole(clock.beat(ofBar: second) - clock.beat(ofBar: next))
        let end = clock.beat(ofBar: next) - bar, begin = end - Double(bars) * bar
        let start = clock.time(ofBeat: begin)
        var take = LoopTake(
            layer: layers + 1, start: start, beat: begin, origin: begin, length: nil, holding: music.held(at: start))
        take.end = clock.time(ofBeat: end)
        for event in music.events { Self.feed(event, to: &take, clock) }
        let first = take.finish(at: end)
        var layer = newLayer(AskedLoop.Layer(beats: Double(bars) * bar))
        layer.add(take.takeEvents())
        layer.events.insert(contentsOf: first, at: 0)
        if !layer.events.contains(where: { if case .note = $0.kind { true } else { false } }) {
            throw .option(name: "looper capture", value: "\(bars)", remedy: "keyboards played nothing in these bars")
        }
        former[index] = nil
        places[index] = LoopPlace(origin: end, level: places[index].level)
        loops[index].replace(by: layer, .playing, length: (take.end ?? start) - start, isSaved: false, at: core.soon)
        refresh(index)
    }

    // Saving and loading.

    /// A loop as a file has it, on the parts of its patch; nil for one that is empty or records.
    func item(_ index: Int, folder: String, part: (Int) -> Int) -> (LoopFile.Item, Song)? {
        guard !loops[index].isEmpty, var layer = loops[index].layer, layer.beats > 0 else { return nil }
        for place in layer.events.indices {
            if let own = layer.events[place].part { layer.events[place] = layer.events[place].moved(to: part(own)) }
        }
        let item = LoopFile.Item(
            track: index + 1, file: "\(folder)/\(index + 1).mid", times: layer.times,
            level: places[index].level == 0 ? nil : places[index].level, isOfBars: true, isMuted: muted.contains(index),
            isReversed: places[index].isReversed, speed: Float(1 / places[index].factor))
        return (item, layer.song)
    }

    /// Makes a song a loop that stands at its beginning. What has no part in the patch in hand is left out.
    func take(_ item: LoopFile.Item, _ song: Song, to part: (Int) -> Int?) {
        let index = item.track - 1, tracks = Song.Arrangement(song).tracks
        _ = clock
        var layer = newLayer(AskedLoop.Layer(times: item.times))
        for track in tracks { layer.add(track.events.compactMap { event in event.part.flatMap(part).map(event.moved) }) }
        layer.beats = max(tracks.map(\.length).max() ?? 0, 1.0 / 32)
        former[index] = nil
        places[index] = LoopPlace(factor: 1 / Double(item.speed), isReversed: item.isReversed, level: item.level ?? 0)
        let length = Int(layer.beats * 60 / metronome.tempo * Double(sampleRate))
        loops[index].replace(by: layer, .stopped, length: length, isSaved: true, at: core.soon)
        if item.isMuted { muted.insert(index) } else { muted.remove(index) }
        soloed.remove(index)
        refresh(index)
    }
}
