// [render]
import MIDI
import UnitAPI

/// One music edge of a plan, with its pointers resolved: the events that a step gets from another.
struct MusicFeed: BitwiseCopyable {
    let source: UnsafeMutablePointer<MusicBuffer>
    let sourceStep: Int32
    /// The next event of the slice: of the one step that receives it.
    var position: Int32 = 0
}

/// A music edge that this plan removes: the notes of the unit that received them have to be ended.
struct Parting: BitwiseCopyable {
    let sent: SentNotes
    let step: Int32
    /// The part and key from which on its notes have not been ended yet; -1: all have.
    var place = 0
}

/// The events that a step receives in one slice: its own events and those of the music edges that lead to it, in the order of
/// frames; on one frame its own first, then edge by edge.
struct SliceEvents: BitwiseCopyable {
    private let pool: UnsafeMutablePointer<SliceEvent>
    private var next: Int32
    private let links: UnsafeMutablePointer<MusicFeed>
    private let linkCount: Int
    private let side: Int
    private(set) var offset = 0
    private(set) var event = UnitEvent.reset

    /// Begins before the first one; `first` of its own events in `pool`, or -1.
    @_noLocks init(
        pool: UnsafeMutablePointer<SliceEvent>, first: Int32, links: UnsafeMutablePointer<MusicFeed>, linkCount: Int, side: Int
    ) {
        self.pool = pool
        next = first
        (self.links, self.linkCount, self.side) = (links, linkCount, side)
        for link in 0..<linkCount { links[link].position = 0 }
    }

    /// Goes on to the next event; false if there is none. Music that the unit has no use for is left out.
    @_noLocks mutating func advance(_ step: UnsafeMutablePointer<RenderStep>) -> Bool {
        var first = next >= 0 ? pool[Int(next)].offset : Int32.max
        var found = -1
        for link in 0..<linkCount {
            let buffer = links[link].source + side, count = buffer.pointee.count
            var position = links[link].position
            while position < count && !step.hears(buffer.pointee.entries[Int(position)].event) { position &+= 1 }
            links[link].position = position
            if position < count, buffer.pointee.entries[Int(position)].offset < first {
                first = buffer.pointee.entries[Int(position)].offset
                found = link
            }
        }
        if first == Int32.max { return false }
        offset = Int(first)
        if found >= 0 {
            let buffer = links[found].source + side
            event = .music(buffer.pointee.entries[Int(links[found].position)].event)
            links[found].position &+= 1
        } else {
            event = pool[Int(next)].event
            next = pool[Int(next)].next
        }
        return true
    }
}
