// [render]
import MIDI
import RealtimeCore

/// Notes that began later than they were played, after a stretch that was not audible. Each keeps its own length, and no
/// event that ends or holds notes overtakes the events that wait.
///
/// A machine that is held up delivers key-down and key-up together, and the kernel stamps both when it can: so no note is
/// shorter than `shortest`, with or without an inaudible stretch.
///
/// A note-off is delayed by as much as its note was late; the note-off of a note that was cut by the stretch is delayed until
/// enough of the note was heard. A note of which less than `shortest` was heard is struck again: its attack, which is all of
/// a drum, was missed. A pedal does not overtake a waiting note-off of its part, so that it holds the notes that it was to
/// hold. A key that is struck again, a reset or "all notes off" brings the events that wait for it forward. Events for which
/// there is no room here take effect at once. Memory belongs to the renderer.
struct LateNotes: BitwiseCopyable {
    /// The most notes with a known end, and the most events that wait.
    private static var capacity: Int { @_noLocks get { 256 } }

    /// A note that sounds: its channel and key, by how many frames it was late, and the first frame on which it may end.
    private struct Note: BitwiseCopyable {
        var part: Int
        var key: UInt8
        var delay: Int
        var least: SampleTime
    }

    /// A note that began to sound: by what, when, and when it was meant to.
    private struct Beginning: BitwiseCopyable {
        var part: Int
        var key: UInt8
        var command: RenderCommand
        var time: SampleTime, meant: SampleTime
    }

    private let notes: UnsafeMutablePointer<Note>
    private var noteCount = 0
    /// The newest beginnings, and how many there ever were.
    private let beginnings: UnsafeMutablePointer<Beginning>
    private var beginningCount = 0
    private static var remembered: Int { @_noLocks get { 64 } }
    private var unheardFrom = SampleTime.zero, heardFrom = SampleTime.zero
    private let waiting: UnsafeMutablePointer<EventSchedule.Entry>
    private var waitingCount = 0
    /// Notes that begin before it may be late because of the stretch before.
    private var windowEnd = SampleTime.immediately
    /// The shortest length of notes whose own length is not known. Unit: frames.
    private var least = 0
    /// The shortest note of all. Unit: frames; 0: each is as short as its stamps.
    private var shortest = 0

    /// Nothing waits. Control side.
    init() {
        notes = .allocate(capacity: Self.capacity)
        waiting = .allocate(capacity: Self.capacity)
        beginnings = .allocate(capacity: Self.remembered)
    }

    /// Control side, once.
    func deallocate() {
        notes.deallocate()
        waiting.deallocate()
        beginnings.deallocate()
    }

    @_noLocks mutating func keep(shortest: Int) { self.shortest = shortest }

    @_noLocks mutating func close(at now: SampleTime) { unheardFrom = now }

    /// Sound is heard again from `now` on; late notes that begin before `windowEnd` keep their length.
    @_noLocks mutating func open(at now: SampleTime, until windowEnd: SampleTime, least: Int) {
        heardFrom = now
        self.windowEnd = windowEnd
        self.least = least
        let count = min(beginningCount, LateNotes.remembered)
        for i in 0..<count { strikeAgain((beginningCount &- count &+ i) % LateNotes.remembered, at: now) }
    }

    /// Strikes a note anew at `now` of which hardly anything was heard, for its whole length.
    @_noLocks private mutating func strikeAgain(_ index: Int, at now: SampleTime) {
        let note = beginnings[index]
        guard note.time < unheardFrom, unheardFrom - note.time < shortest, waitingCount &+ 2 <= LateNotes.capacity,
            case .music(.message(let message)) = note.command.event
        else { return }
        var hasEnd = false
        for i in 0..<waitingCount {
            guard case .music(.message(let other)) = waiting[i].command.event, other.endsNote, other.part == note.part,
                other.data1 == note.key
            else { continue }
            var end = waiting[i]
            end.due = end.due + (now - note.time)
            remove(i)
            insert(end)
            hasEnd = true
            break
        }
        let release = MIDIMessage(status: 0x80 | message.status & 0x0F, data1: note.key, data2: 64, port: message.port)
        let end = RenderCommand(time: .inTurn, node: note.command.node, event: .music(.message(release)))
        insert(EventSchedule.Entry(due: now, turn: 0, command: end))
        insert(EventSchedule.Entry(due: now, turn: 0, command: note.command))
        beginnings[index].time = now
        if hasEnd || noteCount == LateNotes.capacity { return }
        let isStamped = note.command.time.isFrame
        keep(
            Note(
                part: note.part, key: note.key, delay: max(0, now - note.meant),
                least: isStamped ? now : now + least))
    }

    /// Remembers a note that sounds, in the place of the one before of its key.
    @_noLocks private mutating func keep(_ new: Note) {
        if let index = note(new.part, new.key) {
            noteCount &-= 1
            notes[index] = notes[noteCount]
        }
        (notes + noteCount).initialize(to: new)
        noteCount &+= 1
    }

    @_noLocks private mutating func insert(_ entry: EventSchedule.Entry) {
        var place = waitingCount
        while place > 0, waiting[place &- 1].due > entry.due {
            waiting[place] = waiting[place &- 1]
            place &-= 1
        }
        (waiting + place).initialize(to: entry)
        waitingCount &+= 1
    }

    var nextTime: SampleTime { @_noLocks get { waitingCount > 0 ? waiting[0].due : SampleTime(.max) } }

    @_noLocks mutating func take() -> RenderCommand {
        let first = waiting[0].command
        remove(0)
        return first
    }

    /// Makes what must not come after `entry`, which is about to take effect at `time`, due then. False: nothing does.
    @_noLocks mutating func giveWay(to entry: EventSchedule.Entry, at time: SampleTime) -> Bool {
        guard waitingCount > 0, case .music(let music) = entry.command.event else { return false }
        var isChanged = false
        for i in 0..<waitingCount where waiting[i].due > time && LateNotes.clears(music, waiting[i].command.event) {
            // Nothing before it is due later: the order stays.
            var moved = waiting[i]
            moved.due = time
            var place = i
            while place > 0, waiting[place &- 1].due > time {
                waiting[place] = waiting[place &- 1]
                place &-= 1
            }
            waiting[place] = moved
            isChanged = true
        }
        return isChanged
    }

    /// Takes an event that was to take effect at `time` and must wait; false if it need not.
    @_noLocks mutating func takes(_ entry: EventSchedule.Entry, at time: SampleTime) -> Bool {
        guard noteCount > 0 || waitingCount > 0 || time < windowEnd || shortest > 0, waitingCount < LateNotes.capacity,
            case .music(.message(let message)) = entry.command.event
        else { return false }
        let part = message.part
        var due = time
        if message.endsNote {
            if let index = note(part, message.data1) {
                let note = notes[index]
                noteCount &-= 1
                notes[index] = notes[noteCount]
                due = max(LateNotes.meant(entry) + note.delay, note.least)
            } else if time < windowEnd {
                due = endOfInterrupted(entry, part, message.data1) ?? time
            }
            due = max(due, endOfShortest(part, message.data1) ?? time)
        } else if message.movesPedal {
            for i in 0..<waitingCount where LateNotes.part(waiting[i].command.event) == part { due = max(due, waiting[i].due) }
        }
        if due <= time { return false }
        insert(EventSchedule.Entry(due: due, turn: 0, command: entry.command))
        return true
    }

    @_noLocks mutating func observe(_ entry: EventSchedule.Entry, at time: SampleTime) {
        guard case .music(.message(let message)) = entry.command.event, message.beginsNote else { return }
        let meant = LateNotes.meant(entry), isStamped = entry.command.time.isFrame
        (beginnings + beginningCount % LateNotes.remembered).initialize(
            to: Beginning(
                part: message.part, key: message.data1, command: entry.command, time: time, meant: meant))
        beginningCount &+= 1
        // The note before it on this key is forgotten: this is another note.
        if let index = note(message.part, message.data1) {
            noteCount &-= 1
            notes[index] = notes[noteCount]
        }
        if time >= windowEnd { return }
        if isStamped && meant >= time { return }
        // One of them has to go; its end comes when it comes.
        if noteCount == LateNotes.capacity {
            noteCount &-= 1
            for i in 0..<noteCount { notes[i] = notes[i &+ 1] }
        }
        (notes + noteCount).initialize(
            to: Note(
                part: message.part, key: message.data1, delay: max(0, time - meant), least: isStamped ? time : time + least))
        noteCount &+= 1
    }

    /// The time at which a note from before the inaudible stretch has been heard for its length, or for the shortest note's;
    /// nil for other notes.
    @_noLocks private func endOfInterrupted(_ entry: EventSchedule.Entry, _ part: Int, _ key: UInt8) -> SampleTime? {
        for i in 0..<min(beginningCount, LateNotes.remembered) {
            let note = beginnings[(beginningCount &- 1 &- i) % LateNotes.remembered]
            if note.part != part || note.key != key { continue }
            if note.time >= unheardFrom { return nil }
            let length = entry.command.time.isFrame ? min(entry.command.time - note.meant, least) : least
            return heardFrom + (length &- (unheardFrom - note.time))
        }
        return nil
    }

    /// Returns when the shortest note would end that began as the last one of that key did; nil if none is known.
    @_noLocks private func endOfShortest(_ part: Int, _ key: UInt8) -> SampleTime? {
        for i in 0..<min(beginningCount, LateNotes.remembered) {
            let note = beginnings[(beginningCount &- 1 &- i) % LateNotes.remembered]
            if note.part == part, note.key == key { return note.time + shortest }
        }
        return nil
    }

    /// The frame for which an event was meant, as far as it has one.
    @_noLocks private static func meant(_ entry: EventSchedule.Entry) -> SampleTime {
        entry.command.time.isFrame ? entry.command.time : entry.due
    }

    @_noLocks private func note(_ part: Int, _ key: UInt8) -> Int? {
        for i in 0..<noteCount where notes[i].part == part && notes[i].key == key { return i }
        return nil
    }

    @_noLocks private mutating func remove(_ index: Int) {
        waitingCount &-= 1
        for i in index..<waitingCount { waiting[i] = waiting[i &+ 1] }
    }

    /// Returns true if `music` takes effect only after `event`, which waits: it strikes the key again, or ends all notes.
    @_noLocks private static func clears(_ music: MusicEvent, _ event: UnitEvent) -> Bool {
        guard case .music(.message(let late)) = event else { return false }
        switch music {
        case .message(let message):
            if message.part != late.part { return false }
            if message.beginsNote { return late.endsNote && late.data1 == message.data1 }
            return message.status & 0xF0 == 0xB0 && message.data1 >= 120
        case .reset(_, let port): return Int(port) == late.part &>> 4
        case .partMode(_, let port, let channel): return Int(port) &* 16 &+ Int(channel) == late.part
        case .standard, .masterVolume, .masterTuning, .masterBalance, .scaleTuning, .keyTuning, .effect, .part, .insertion, .time:
            return false
        }
    }

    @_noLocks private static func part(_ event: UnitEvent) -> Int {
        guard case .music(.message(let message)) = event else { return -1 }
        return message.part
    }
}

extension MIDIMessage {
    fileprivate var movesPedal: Bool {
        @_noLocks get { status & 0xF0 == 0xB0 && (data1 == 64 || data1 == 66 || data1 == 69) }
    }
}
