import DSP
import MIDI
import RealtimeCore
import Reports
import Sequencer

/// What was changed of a song's notes, with undo. Session's thread.
struct SongEdits: Sendable {
    /// A note that is meant: the one that begins next to a time, at most `reach` away.
    struct Aim {
        /// Counted from 1 over all ports.
        let channel: Int
        let key: Int
        /// Seconds of the song at its own tempo.
        let time: Double

        static let reach = 0.05
    }

    /// The notes of a channel, nil for all, that begin in the bars from one to another; nil: from the first, to the last.
    struct Passage {
        var channel: Int?
        var from: Int?
        var to: Int?
    }

    /// The notes that one request changed, before and after it.
    private struct Step {
        var notes: [(number: Int, before: SongNotes.Note?, after: SongNotes.Note?)] = []
    }

    private(set) var notes: SongNotes
    private let map: TempoMap
    private var done: [Step] = [], undone: [Step] = []
    /// Requests that were carried out, taken back ones too.
    private var count: Int

    /// Steps and notes that can be taken back, of which the oldest go; and notes of a song to which some are added.
    static let mostSteps = 1_000, mostNotes = 1_000_000

    /// - Throws: `sound` for a song of patterns that follow each other.
    /// - Parameter count: requests that were carried out before; chance depends on it.
    init(_ song: Song, _ map: TempoMap, after count: Int = 0) throws(Fault) {
        self.count = count
        guard let notes = SongNotes(song) else { throw .patternsNotEdited }
        (self.notes, self.map) = (notes, map)
    }

    var song: Song { notes.song }
    /// Requests that undo and redo can take.
    var canUndo: Int { done.count }
    var canRedo: Int { undone.count }

    mutating func undo() throws(Fault) {
        guard let step = done.popLast() else { throw .nothingToUndo }
        for change in step.notes { notes.notes[change.number] = change.before }
        undone.append(step)
    }

    mutating func redo() throws(Fault) {
        guard let step = undone.popLast() else { throw .nothingToRedo }
        for change in step.notes { notes.notes[change.number] = change.after }
        done.append(step)
    }

    /// Moves a note to another time, in seconds of the song at its own tempo, and another key.
    mutating func move(_ aim: Aim, to time: Double, key: Int) throws(Fault) {
        let tick = tick(time)
        change([try number(of: aim)]) { note, _ in (note.tick, note.key) = (tick, UInt8(key)) }
    }

    mutating func setLength(_ seconds: Double, of aim: Aim) throws(Fault) {
        let map = map
        change([try number(of: aim)]) { note, _ in
            let frame = map.time(ofTick: note.tick).rawValue + Int64((seconds * Double(map.sampleRate)).rounded())
            note.length = max(map.tick(at: SampleTime(frame)) - note.tick, 1)
        }
    }

    mutating func setVelocity(_ velocity: Int, of aim: Aim) throws(Fault) {
        change([try number(of: aim)]) { note, _ in note.velocity = UInt8(velocity) }
    }

    mutating func delete(_ aim: Aim) throws(Fault) { remove([try number(of: aim)]) }

    /// Adds a note to the first track that plays its channel.
    mutating func add(_ aim: Aim, length seconds: Double, velocity: Int) throws(Fault) {
        let part = aim.channel - 1, tick = tick(aim.time), end = self.tick(aim.time + seconds)
        guard let track = notes.notes.lazy.compactMap({ $0 }).first(where: { $0.part == part })?.track else {
            throw .channelWithoutNotes(aim.channel)
        }
        let note = SongNotes.Note(
            track: track, tick: tick, length: max(end - tick, 1), part: part, key: UInt8(aim.key), velocity: UInt8(velocity))
        try add([note])
    }

    /// Moves notes towards the nearest line of a grid that begins with each bar.
    ///
    /// - Parameters:
    ///   - lines: lines of a whole note.
    ///   - strength: the share of the way, 0...1.
    mutating func quantise(to lines: Int, strength: Double, _ passage: Passage) throws(Fault) {
        guard case .ticksPerQuarter(let quarter) = map.division else { throw .noBars }
        let grid = 4 * Double(quarter) / Double(lines), map = map
        change(try numbers(of: passage)) { note, _ in
            guard let bar = map.position(ofTick: note.tick)?.bar, let line = map.tick(ofBar: bar),
                let next = map.tick(ofBar: bar + 1)
            else { return }
            let nearest = line + Int64(((Double(note.tick - line) / grid).rounded() * grid).rounded())
            note.tick += Int64((Double(min(nearest, next) - note.tick) * strength).rounded())
        }
    }

    /// Moves notes by chance, by up to `milliseconds`, and changes their velocities by up to `velocity`. The same requests on the
    /// same song give the same.
    mutating func humanise(_ milliseconds: Double, velocity: Int, _ passage: Passage) throws(Fault) {
        let chance = CounterNoise(seed: UInt64(count)), frames = milliseconds / 1_000 * Double(map.sampleRate), map = map
        change(try numbers(of: passage)) { note, number in
            let (time, force) = chance.pair(at: Int64(number))
            let frame = Double(map.time(ofTick: note.tick).rawValue) + time * frames
            note.tick = map.tick(at: SampleTime(Int64(max(frame, 0).rounded())))
            note.velocity = UInt8(min(max((Double(note.velocity) + force * Double(velocity)).rounded(), 1), 127))
        }
    }

    /// Moves keys; those of channel 10 are drums and stay.
    mutating func transpose(_ semitones: Int, _ passage: Passage) throws(Fault) {
        change(try numbers(of: passage)) { note, _ in
            if note.part % 16 != 9 { note.key = UInt8(min(max(Int(note.key) + semitones, 0), 127)) }
        }
    }

    /// Adds what begins in the bars of a passage again, from the bar `bar` on.
    mutating func copy(_ passage: Passage, to bar: Int) throws(Fault) {
        guard let from = map.tick(ofBar: Int64(passage.from ?? 1)), let to = map.tick(ofBar: Int64(bar)) else { throw .noBars }
        try add(
            numbers(of: passage).compactMap { notes.notes[$0] }.map {
                SongNotes.Note(
                    track: $0.track, tick: $0.tick + to - from, length: $0.length, part: $0.part, key: $0.key,
                    velocity: $0.velocity)
            })
    }

    mutating func clear(_ passage: Passage) throws(Fault) { remove(try numbers(of: passage)) }

    /// True if a note that sounds at a frame of the song ends, or is another one, after changes.
    func changesSounding(at frame: Int64, since before: SongEdits) -> Bool {
        let tick = map.tick(at: SampleTime(frame))
        return before.notes.notes.enumerated().contains { number, note in
            guard let note, note.tick <= tick, note.end > tick else { return false }
            guard let now = notes.notes[number] else { return true }
            return now.key != note.key || now.tick > tick || now.end <= tick
        }
    }

    private func tick(_ seconds: Double) -> Int64 {
        map.tick(at: SampleTime(Int64((seconds * Double(map.sampleRate)).rounded())))
    }

    private func number(of aim: Aim) throws(Fault) -> Int {
        let frame = aim.time * Double(map.sampleRate)
        var nearest: (number: Int, distance: Double)?
        for (number, note) in notes.notes.enumerated() {
            guard let note, note.part == aim.channel - 1, note.key == aim.key else { continue }
            let distance = abs(Double(map.time(ofTick: note.tick).rawValue) - frame)
            if distance < nearest?.distance ?? (Aim.reach * Double(map.sampleRate)) { nearest = (number, distance) }
        }
        guard let nearest else { throw .noNote(channel: aim.channel, key: aim.key, time: aim.time) }
        return nearest.number
    }

    private func numbers(of passage: Passage) throws(Fault) -> [Int] {
        var range = Int64.min..<Int64.max
        if passage.from != nil || passage.to != nil {
            guard let first = map.tick(ofBar: Int64(passage.from ?? 1)),
                let last = map.tick(ofBar: Int64(passage.to ?? 999_999) + 1)
            else { throw .noBars }
            range = first..<max(first, last)
        }
        let numbers = notes.notes.indices.filter { number in
            guard let note = notes.notes[number] else { return false }
            return range.contains(note.tick) && passage.channel.map { note.part == $0 - 1 } ?? true
        }
        if numbers.isEmpty { throw .noNotesThere }
        return numbers
    }

    private mutating func change(_ numbers: [Int], _ body: (inout SongNotes.Note, Int) -> Void) {
        let before = notes.notes
        for number in numbers {
            guard var note = notes.notes[number] else { continue }
            body(&note, number)
            notes.notes[number] = note
        }
        finish(Set(numbers), before)
    }

    private mutating func remove(_ numbers: [Int]) {
        let before = notes.notes
        for number in numbers { notes.notes[number] = nil }
        finish([], before)
    }

    private mutating func add(_ added: [SongNotes.Note]) throws(Fault) {
        let before = notes.notes
        if before.count + added.count > Self.mostNotes { throw .tooManyNotes }
        notes.notes += added
        finish(Set(before.count..<notes.notes.count), before)
    }

    private mutating func finish(_ changed: Set<Int>, _ before: [SongNotes.Note?]) {
        notes.separate(changed)
        var step = Step()
        for (number, after) in notes.notes.enumerated() {
            let former = number < before.count ? before[number] : nil
            if former != after { step.notes.append((number, former, after)) }
        }
        count += 1
        if step.notes.isEmpty { return }
        undone = []
        done.append(step)
        while done.count > Self.mostSteps || done.reduce(0, { $0 + $1.notes.count }) > Self.mostNotes, done.count > 1 {
            done.removeFirst()
        }
    }
}

extension Fault {
    fileprivate static let patternsNotEdited = Fault(
        "the notes of a song of patterns (format 2) cannot be changed", .usage, remedy: "save it as format 1 first")
    fileprivate static let nothingToUndo = Fault("no change of a note is left to undo", .usage)
    fileprivate static let nothingToRedo = Fault("no change of a note was undone", .usage)
    fileprivate static let noNotesThere = Fault(
        "the song has no notes there", .usage, remedy: "choose other bars or another channel")
    fileprivate static let noBars = Fault(
        "this song counts film frames and has no bars", .usage, remedy: "leave the bars out; quantise and copy need them")
    fileprivate static let tooManyNotes = Fault(
        "the song would have more than \(SongEdits.mostNotes) notes", .usage, remedy: "copy fewer bars")
    fileprivate static func noNote(channel: Int, key: Int, time: Double) -> Fault {
        Fault(
            "no note of key \(key) on channel \(channel) begins at \(time) s", .usage, remedy: "notes FROM TO lists the notes")
    }
    fileprivate static func channelWithoutNotes(_ channel: Int) -> Fault {
        Fault("the song has no notes on channel \(channel)", .usage, remedy: "add notes to a channel that plays")
    }
}
