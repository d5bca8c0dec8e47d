// [render]
import RealtimeCore

/// The tuning programs that MIDI Tuning Standard messages have filled: for every port up to `capacity` of them, each with how
/// far its 128 keys are moved.
///
/// The control side makes it; then only the render thread uses it. A channel chooses one by registered parameters 3 and 4 and
/// takes its keys over (`Part.tune(by:port:)`); until then it follows program 0 of bank 0.
///
/// They also hold the tuning of a session, which moves all channels but those of drums, and which no reset of a port forgets.
public struct TuningTables: ~Copyable {
    /// The number of tuning programs that a port holds besides those in equal temperament.
    public static var capacity: Int { @_noLocks get { 16 } }

    private let ports: Int
    private var owned = OwnedMemory()
    /// The programs in use, bank and program as one number of 14 bits, `capacity` for each port; those free are all ones.
    private let programs: UnsafeMutablePointer<UInt16>
    /// Cents from equal temperament, 128 for each program.
    private let cents: UnsafeMutablePointer<Float>
    /// Cents from equal temperament by the session, and the keys that it silences.
    private let session: UnsafeMutablePointer<Float>
    private var silent = KeySet()
    /// True once a session's tuning has come.
    public private(set) var hasSession = false
    /// Changes that found no room.
    public private(set) var refused = 0

    /// Tables in equal temperament for this many ports, at least one. Control side.
    public init(ports: Int) {
        self.ports = max(ports, 1)
        programs = owned.make(self.ports * Self.capacity, of: .max)
        cents = owned.make(self.ports * Self.capacity * 128, of: 0)
        session = owned.make(128, of: 0)
    }

    /// Takes a change in. The first `capacity` programs of a port have room, and more are counted as `refused`.
    @_noLocks public mutating func write(_ change: KeyTuning) {
        if change.isOfSession { return writeSession(change) }
        let first = Int(change.port) % ports &* Self.capacity
        let program = UInt16(change.bank) &<< 7 | UInt16(change.program)
        for row in first..<(first &+ Self.capacity) where programs[row] == program || programs[row] == .max {
            programs[row] = program
            cents[row &* 128 &+ Int(change.key)] = change.cents
            return
        }
        refused &+= 1
    }

    @_noLocks private mutating func writeSession(_ change: KeyTuning) {
        hasSession = true
        let (first, step) = change.places
        for key in stride(from: first, to: 128, by: step) {
            session[key] = change.cents
            silent.set(UInt8(truncatingIfNeeded: key), change.isSilent)
        }
    }

    /// Returns the distance by which a session moves `key`. Unit: cents.
    @_noLocks public func sessionCents(of key: UInt8) -> Float { session[Int(key & 127)] }

    /// Returns true if a session silences `key`, except on channels of drums.
    @_noLocks public func isSilent(_ key: UInt8) -> Bool { hasSession && silent.contains(key & 127) }

    /// Forgets everything, the session's tuning too.
    @_noLocks public mutating func clear() {
        for port in 0..<ports { reset(port: UInt8(truncatingIfNeeded: port)) }
        for key in 0..<128 { session[key] = 0 }
        silent = KeySet()
        hasSession = false
    }

    /// Returns the distance by which `key` is moved in a tuning program. Unit: cents.
    @_noLocks public func cents(of key: UInt8, program: UInt8, bank: UInt8, port: UInt8) -> Float {
        cents(of: Int(key & 127), row(program, bank, port))
    }

    @_noLocks func cents(of key: Int, _ row: Int) -> Float { row < 0 ? 0 : cents[row &* 128 &+ key] }

    /// Where a tuning program is, or -1.
    @_noLocks func row(_ program: UInt8, _ bank: UInt8, _ port: UInt8) -> Int {
        let first = Int(port) % ports &* Self.capacity
        let number = UInt16(bank) &<< 7 | UInt16(program)
        for row in first..<(first &+ Self.capacity) where programs[row] == number { return row }
        return -1
    }

    /// Resets every program of the port to equal temperament.
    @_noLocks public mutating func reset(port: UInt8) {
        let first = Int(port) % ports &* Self.capacity
        for row in first..<(first &+ Self.capacity) where programs[row] != .max {
            programs[row] = .max
            for key in 0..<128 { cents[row &* 128 &+ key] = 0 }
        }
    }
}
