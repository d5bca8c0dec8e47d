import DSP

/// A note-on that a sampler received, and its outcome. Times are sample times of the render.
package struct LoggedNote: Sendable, Hashable {
    /// The outcome of a note-on.
    package enum Outcome: Sendable, Hashable {
        case played
        /// The channel has no sound.
        case noPreset
        /// Nothing of the channel's sound answers this key at this velocity, or its samples are empty.
        case noSample
        /// Newer notes took its voices before they sounded.
        case stolen
        /// The voices were too quiet to be played.
        case inaudible
    }

    /// A change of a note's pitch.
    package struct Bend: Sendable, Hashable {
        package let frame: Int64
        /// Hertz from then on.
        package let pitch: Double
    }

    /// 0...15.
    package var channel: UInt8 = 0
    /// The key as the sampler received it, 0...127.
    package var key: UInt8 = 0
    /// The key that sounds, which a key shift of the part moves.
    package var soundingKey: UInt8 = 0
    /// The velocity as the sampler received it, 1...127.
    package var velocity: UInt8 = 0
    /// The frame on which it was struck.
    package var onset: Int64 = 0
    /// The frame on which its key went up; nil means it did not.
    package var keyUp: Int64?
    /// The frame on which the last of its voices was released, by its key, a pedal or another note; nil means none was.
    package var release: Int64?
    /// The frame from which on none of its voices is heard, at most 64 frames late; nil if one sounds on.
    package var end: Int64? { voices > 0 && ended == voices ? lastEnd : nil }
    /// The pitch when it was struck, by key, tuning and bend, in hertz; nil for a drum.
    package var pitch: Double?
    /// The changes of its pitch until it is over, by bend and tuning, in their order.
    package internal(set) var bends: [Bend] = []
    /// The peak of either side of all its voices together, by the sampler's gain and master volume; 1 is full scale.
    package internal(set) var peak = SIMD2<Float>(repeating: 0)
    /// Voices that it has begun, or taken over.
    package internal(set) var voices = 0

    var isWithoutPreset = false
    var ended = 0
    var lastEnd: Int64 = 0
    var lost = 0
    var isTakenOver = false

    /// The outcome.
    package var outcome: Outcome {
        if isWithoutPreset { return .noPreset }
        if isTakenOver { return .played }
        if voices == 0 { return lost > 0 ? .stolen : .noSample }
        if let end, end <= onset { return lost > 0 ? .stolen : .inaudible }
        return .played
    }
}

extension LoggedNote {
    /// Returns the pitch in hertz of a key that is shifted by `cents` against equal temperament.
    fileprivate static func pitch(_ key: UInt8, cents: Float) -> Double {
        440 * DeterministicMath.exp2((Double(key) - 69 + Double(cents) / 100) / 12)
    }

    fileprivate mutating func settle() {
        if bends.isEmpty { return }
        let ordered = bends.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
        bends.removeAll(keepingCapacity: true)
        for (_, bend) in ordered {
            if let end, bend.frame >= end { break }
            if bends.last?.frame == bend.frame { bends.removeLast() }
            if bend.pitch != bends.last?.pitch ?? pitch { bends.append(bend) }
        }
    }
}

/// The notes that the records of a sampler's shares make.
struct LoggedNoteLedger {
    private(set) var notes: [LoggedNote] = []
    private var waiting: [[NoteRecord]]
    /// Notes whose key is down, by channel * 128 + key.
    private var open: [Int: [Int]] = [:]
    /// Notes that have taken another's voices over, by that one.
    private var heirs: [Int: Int] = [:]

    init(shares: Int) { waiting = Array(repeating: [], count: shares) }

    var settled: [LoggedNote] {
        var notes = notes
        for index in notes.indices where !notes[index].bends.isEmpty { notes[index].settle() }
        return notes
    }

    mutating func take(_ record: NoteRecord, share: Int) {
        if case .frame = record.kind {
            for waiting in waiting[share] { apply(waiting, at: record.frame) }
            waiting[share].removeAll(keepingCapacity: true)
        } else if record.frame == NoteRecord.unknown {
            waiting[share].append(record)
        } else if case .level = record.kind {
            raise(record.note, to: record.peak)
        } else {
            apply(record, at: record.frame)
        }
    }

    private mutating func apply(_ record: NoteRecord, at frame: Int64) {
        let number = Int(record.note) - 1
        // What a controller starts before any note belongs to none.
        if number < 0 && !record.kind.isOfKeys { return }
        switch record.kind {
        case .struck, .noPreset: strike(record, number, frame)
        case .takenOver: takeOver(Int(record.other) - 1, by: number, frame)
        case .keyUp: up(Int(record.channel) * 128 + Int(record.key), frame)
        case .channelUp: for key in 0..<128 { up(Int(record.channel) * 128 + key, frame) }
        case .began:
            grow(to: number)
            notes[number].voices += 1
        case .released:
            let note = owner(of: number)
            notes[note].release = max(notes[note].release ?? frame, frame)
        case .stolen: notes[owner(of: number)].lost += 1
        case .unplaced:
            grow(to: number)
            notes[number].lost += 1
        case .ended:
            let note = owner(of: number)
            notes[note].ended += 1
            notes[note].lastEnd = max(notes[note].lastEnd, frame)
        case .bent:
            let note = owner(of: number), pitch = LoggedNote.pitch(record.key, cents: record.cents)
            if notes[note].bends.last?.pitch ?? notes[note].pitch != pitch {
                notes[note].bends.append(LoggedNote.Bend(frame: frame, pitch: pitch))
            }
        case .frame, .level: break
        }
    }

    mutating func raise(_ number: UInt32, to peak: SIMD2<Float>) {
        if number == 0 { return }
        let note = owner(of: Int(number) - 1)
        notes[note].peak = pointwiseMax(notes[note].peak, peak)
    }

    private mutating func strike(_ record: NoteRecord, _ number: Int, _ frame: Int64) {
        grow(to: number)
        let sounding = UInt8(record.other)
        (notes[number].channel, notes[number].key, notes[number].soundingKey) = (record.channel, record.key, sounding)
        (notes[number].velocity, notes[number].onset) = (record.velocity, frame)
        if case .noPreset = record.kind { notes[number].isWithoutPreset = true }
        if !record.cents.isNaN {
            notes[number].pitch = LoggedNote.pitch(sounding, cents: record.cents)
        }
        open[Int(record.channel) * 128 + Int(sounding), default: []].append(number)
    }

    private mutating func takeOver(_ former: Int, by number: Int, _ frame: Int64) {
        let note = owner(of: former)
        grow(to: number)
        if note == number { return }
        heirs[note] = number
        notes[number].isTakenOver = true
        notes[number].voices += notes[note].voices - notes[note].ended
        notes[note].ended = notes[note].voices
        notes[note].lastEnd = max(notes[note].lastEnd, frame)
        notes[note].release = max(notes[note].release ?? frame, frame)
    }

    private mutating func up(_ place: Int, _ frame: Int64) {
        guard let numbers = open.removeValue(forKey: place) else { return }
        for number in numbers { notes[number].keyUp = frame }
    }

    /// Shares are read one after the other, so a record of a voice may come before that of its note.
    private mutating func grow(to number: Int) {
        while notes.count <= number { notes.append(LoggedNote()) }
    }

    private mutating func owner(of number: Int) -> Int {
        grow(to: number)
        var owner = number
        while let heir = heirs[owner] { owner = heir }
        return owner
    }
}
