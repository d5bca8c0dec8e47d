import MIDI

/// A unit as its author writes it: one struct in one file.
///
/// The life of a unit:
/// 1. *find*: `UnitCatalog.first(matching:)`, or name the type;
/// 2. *instantiate* and *configure*: `UnitSetup` has rate, element count, start values, properties;
/// 3. *initialise*: `init(_:)` allocates everything the unit will ever need (control side, may throw);
/// 4. *start*: it becomes part of a plan that the renderer adopts;
/// 5. *control*: parameter changes and events reach it between two calls of `render`, at their exact frame;
/// 6. *stop*: a later plan does without it; the renderer gives the old plan back;
/// 7. *uninitialise* and *dispose*: `deinit`, on the control side, after the last plan with it has come back.
///
/// `handle`, `shed`, `render` and `reset` run on the render thread: they neither allocate nor wait, nor count references. Write
/// `@_noLocks` above each; the compiler then proves it (a protocol cannot ask for that, so a test does).
public protocol AudioUnit: ~Copyable, SendableMetatype {
    /// The type of the unit's parameters; omit it for a unit without parameters.
    associatedtype Parameter: UnitParameter = NoParameter

    /// The unit's description of itself.
    static var descriptor: UnitDescriptor { get }

    /// Allocates everything. Control side; the only place that does.
    init(_ setup: UnitSetup) throws(UnitError)

    /// Frames by which the output is later than the input. Constant through the unit's life.
    var latency: Int { get }

    /// The unit's object on the control side, made by `init`; leave it out for a unit that needs no files, devices or
    /// readers. The engine serves it as long as the unit is in its graph.
    var companion: UnitCompanion? { get }

    /// The number of shares that the unit's work is dealt into, so that several threads can take them at once; 1, the default:
    /// it is one piece. What is heard is the sum of all, in their order; so are its readouts. Constant through the unit's life,
    /// and never a matter of how many threads there are: the sound must not depend on that. For units without inputs.
    var shareCount: Int { get }

    /// Share `index`, 1 and up: a unit of its own that receives every event of this one, share 0, and does another part of
    /// the work. Data that they only read may be shared. Control side, once for each, right after `init`.
    borrowing func makeShare(_ index: Int, _ setup: UnitSetup) -> Self?

    /// A note, a controller, a reset: takes effect at the first frame of the next `render`. Render thread.
    mutating func handle(_ event: MusicEvent)

    /// An event for a unit with a music bus, a MIDI unit, which receives events by this call alone: what it makes of an event
    /// goes out on the event's own frame; `render` sends what is to sound later. Render thread.
    mutating func handle(_ event: MusicEvent, _ outlet: borrowing MusicOutlet)

    /// The machine is too slow: a unit that can do with less work does, from the next `render` on. Level 0 is full work
    /// again; 1 releases the quietest released voices, once for every call; 2 means cheaper voices, 3 cheaper effects as
    /// well. Leave it out if there is nothing to save. Render thread.
    mutating func shed(_ level: Int)

    /// Makes `io.frames` frames. Render thread.
    mutating func render(_ io: borrowing RenderIO) -> RenderStatus

    /// Back to what `init` made, without allocating: no tail, no notes. Render thread.
    mutating func reset()
}

extension AudioUnit where Self: ~Copyable {
    public var latency: Int { 0 }
    /// None.
    public var companion: UnitCompanion? { nil }
    /// One share.
    public var shareCount: Int { 1 }
    /// No others.
    public borrowing func makeShare(_ index: Int, _ setup: UnitSetup) -> Self? { nil }
    @_noLocks public mutating func handle(_ event: MusicEvent) {}
    /// Plays nothing for others.
    @_noLocks public mutating func handle(_ event: MusicEvent, _ outlet: borrowing MusicOutlet) {}
    /// Nothing to save.
    @_noLocks public mutating func shed(_ level: Int) {}
}
