import Reports

/// A reason why live MIDI cannot be had. Every description is one line with the remedy.
public enum MIDIInletError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no `/dev/snd/seq`.
    case noSequencer
    /// The sequencer exists, but this user may not open it.
    case notPermitted
    /// The kernel has no room for another client.
    case noRoom
    /// A call that prepares the client failed.
    case failed(String)
    /// The operating system refused a thread or a descriptor.
    case system(String, code: Int32)
    /// 0...16 ports are possible; 0 is for a client that only plays out.
    case portCount(Int)
    /// A connection rule that cannot be read; `reason` is its fault.
    case rule(String, RuleFault)

    /// A fault in the text of a `ConnectionRule`.
    public enum RuleFault: Hashable, Sendable, CustomStringConvertible {
        case empty
        /// `usb:` without vendor and product in hexadecimal.
        case usb
        /// A field that must have a text has none.
        case noValue(String)
        /// The number after `@` or `port:`.
        case number(String)

        public var description: String {
            switch self {
            case .empty: "it is empty; use any, a name with * and ?, or an identity such as usb:0499:1617"
            case .usb: "a USB identity is usb:VENDOR:PRODUCT, four hexadecimal digits each, as in usb:0499:1617"
            case .noValue(let field): "nothing follows \(field):"
            case .number(let text): "'\(text)' is no number; ports of a device count from 0, input ports (@) from 1 to 16"
            }
        }
    }

    public var description: String {
        switch self {
        case .noSequencer:
            "no ALSA sequencer (/dev/snd/seq): live MIDI is not possible; load it with: modprobe snd-seq"
        case .notPermitted:
            "the ALSA sequencer (/dev/snd/seq) may not be opened by this user; add the user to the group audio"
        case .noRoom:
            "the ALSA sequencer has no room for another client; close a program that uses MIDI"
        case .failed(let fault):
            "the ALSA sequencer cannot be used: \(fault); see whether 'aconnect -l' works"
        case .system(let what, let code):
            "\(what) failed with system error \(code); free some memory or raise the limits of this user (ulimit -a)"
        case .portCount(let count):
            "\(count) MIDI ports: from 1 to 16 are possible, with 16 channels each"
        case .rule(let text, let fault):
            "connection rule '\(text)': \(fault)"
        }
    }
}

extension MIDIInletError: ClassifiedError {
    /// The class of a fault that is made of it.
    public var exit: Fault.Exit {
        switch self {
        case .portCount, .rule: .usage
        case .noSequencer, .notPermitted, .noRoom, .failed: .unavailable
        case .system: .system
        }
    }
}
