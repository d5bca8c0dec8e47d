import MIDI

/// Makes of each event that is played the events that are heard: transposed, on another channel, louder, several, none.
///
/// A filter need not end the notes that it begins: its owner (`MIDIInput`, a `Session`) keeps a ledger of what became of each
/// note-on and each pedal, and sends the end there itself, even if the filter has changed by then. So it may leave out
/// note-offs, forget, or be exchanged at any time. Notes begin by note-ons only: a note-on that is made of anything else is
/// left out, since nothing would end it.
///
/// Control side, or the thread of live input; never the render thread.
public protocol MIDIFilter: Sendable {
    /// Returns the events that `event` becomes, in order; none: it is not heard.
    mutating func events(for event: MusicEvent) -> [MusicEvent]
}

/// Several filters, each of which gets the output of the one before.
public struct FilterChain: MIDIFilter {
    /// The filters, the first one first.
    public var filters: [any MIDIFilter]

    public init(_ filters: any MIDIFilter...) { self.filters = filters }

    /// Returns the last filter's output for the event.
    public mutating func events(for event: MusicEvent) -> [MusicEvent] {
        var events = [event]
        for index in filters.indices {
            var made: [MusicEvent] = []
            for event in events { made += filters[index].events(for: event) }
            events = made
        }
        return events
    }
}
