import CRealtime
import Glibc
import RemoteIO
import Reports
import Synchronization

/// The volume of a sound card itself, as its mixer has it: what Core Audio calls `kHALOutputParam_Volume`.
///
///     let volume = try HardwareVolume(of: "hw:USB,0")
///     try volume.set(decibels: -12)
///     try volume.onChange { print($0) }
///
/// It is set in the hardware, after everything that Carillon makes, and shared by all programs of the machine: it is not part
/// of a patch, a journal or a file, and it stays as it was left. A card that is unplugged and comes back is found again, and
/// `onChange` gets its volume then. Any thread.
public final class HardwareVolume: Sendable {
    /// The volume that a card is set to.
    public struct Level: Sendable, Hashable {
        /// Decibels; nil if the card does not know.
        public var decibels: Double?
        /// The share of the card's own steps, 0...1, as `amixer` counts per cent.
        public var share: Double
        /// True if the card is switched off; nil if it has no switch.
        public var isMuted: Bool?
    }

    private struct Handle: @unchecked Sendable {
        /// nil while the card is gone, as far as is known.
        var card: (any CardVolume)?
        var watch: PlainThread?
    }

    /// The device, as it was named.
    public let device: String
    /// The mixer's control: `Master`.
    public let control: String
    /// All controls of the card that have a volume, in its order.
    public let controls: [String]
    /// The quietest and the loudest, decibels; nil if the card does not know.
    public let decibels: ClosedRange<Double>?
    private let handle: Mutex<Handle>
    /// A struct, since a closure that lies bare in a mutex is wrapped anew at each access.
    private struct Listener {
        var body: (@Sendable (Level) -> Void)?
    }

    private let listener = Mutex(Listener())

    /// Opens the control.
    private let open: @Sendable () throws(Fault) -> any CardVolume
    /// Signalled when the card was opened again, or when it is over.
    private let bell: Int32
    private let isOver = Atomic<Bool>(false)
    /// Milliseconds between two looks for a card that is gone.
    private let pause: Int32

    /// The volume of a device's card: `default`, `hw:USB,0`, `plughw:1`.
    /// `control` is one of its mixer's; nil for the master volume. - Throws: `noCard`, `noVolume`, `noControl`, `failed`.
    public convenience init(of device: String, control wanted: String? = nil) throws(Fault) {
        PCMCalls.silence()
        try self.init(of: device) { () throws(Fault) in try MixerVolume(of: device, control: wanted) }
    }

    init(
        of device: String, pause: Int32 = 500, open: @escaping @Sendable () throws(Fault) -> any CardVolume
    ) throws(Fault) {
        let card = try open()
        (self.device, control, controls) = (device, card.name, card.names)
        decibels = card.decibels.map { Double($0.lowerBound) / 100...Double($0.upperBound) / 100 }
        handle = Mutex(Handle(card: card))
        (self.open, self.pause) = (open, pause)
        bell = rt_event_make()
    }

    deinit {
        isOver.store(true, ordering: .releasing)
        let watch = handle.withLock { $0.watch }
        if watch != nil { rt_event_signal(bell) }
        watch?.join()
        if bell >= 0 { rt_event_close(bell) }
    }

    /// The control device of a PCM's card: `hw:USB` for `plughw:USB,0`.
    static func card(of device: String) -> String {
        guard let colon = device.firstIndex(of: ":") else { return device }
        let card = device[device.index(after: colon)...].split(separator: ",").first.map(String.init) ?? "0"
        return "hw:" + (card.split(separator: "=").last.map(String.init) ?? card)
    }

    /// The volume of the card now, set by any program. - Throws: `failed`.
    public var level: Level {
        get throws(Fault) {
            try ask { (card) throws(DeviceFault) in try self.read(card) }
        }
    }

    /// Makes it as loud as the card's step that is nearest. - Throws: `outOfRange`, `noDecibels`, `failed`.
    public func set(decibels wanted: Double) throws(Fault) {
        guard let decibels else { throw .noDecibels(device: device, control: control) }
        guard decibels.contains(wanted) else { throw .outOfRange(device: device, decibels: wanted, range: decibels) }
        try ask { (card) throws(DeviceFault) in try card.set(decibel: Int((wanted * 100).rounded())) }
    }

    /// Makes it as loud as a share of the card's steps, 0...1. - Throws: `noShare`, `failed`.
    public func set(share: Double) throws(Fault) {
        guard share >= 0, share <= 1 else { throw .noShare(device: device, share) }
        try ask { (card) throws(DeviceFault) in
            try card.set(step: card.steps.lowerBound + Int((share * Double(card.steps.count - 1)).rounded()))
        }
    }

    /// Switches it off or on; its level stays. - Throws: `noSwitch`, `failed`.
    public func set(isMuted: Bool) throws(Fault) {
        let hasSwitch = try ask { (card) throws(DeviceFault) in
            guard try card.isMuted() != nil else { return false }
            try card.set(isMuted: isMuted)
            return true
        }
        if !hasSwitch { throw .noSwitch(device: device, control: control) }
    }

    /// Calls `body` whenever the level has changed, by this program or another, or with a card that came back, on a thread of
    /// its own; nil ends that. - Throws: `noThread`, `failed`.
    public func onChange(_ body: (@Sendable (Level) -> Void)?) throws(Fault) {
        let before = body == nil ? nil : try level
        listener.withLock { $0.body = body }
        guard let before else { return }
        let error = handle.withLock { handle -> DeviceError? in
            if handle.watch != nil { return nil }
            do throws(DeviceError) {
                // The thread ends before this object does: `deinit` waits for it.
                let me = Unmanaged.passUnretained(self)
                handle.watch = try PlainThread { me._withUnsafeGuaranteedRef { $0.watch(before) } }
                return nil
            } catch { return error }
        }
        if let error { throw Fault(error) }
    }

    /// A handle to a card that was unplugged returns an error: then the card is opened again, and asked again.
    private func ask<Answer: Sendable>(
        _ body: (any CardVolume) throws(DeviceFault) -> Answer
    ) throws(Fault) -> Answer {
        let result = handle.withLock { handle -> Result<Answer, Fault> in
            var fault: DeviceFault?
            if let card = handle.card {
                do throws(DeviceFault) { return .success(try Self.ask(card, body)) } catch { fault = error }
                // The system keeps a card that is gone for as long as it is open anywhere.
                handle.card = nil
                rt_event_signal(bell)
            }
            do throws(Fault) {
                let card = try open()
                do throws(DeviceFault) {
                    let answer = try Self.ask(card, body)
                    handle.card = card
                    rt_event_signal(bell)
                    return .success(answer)
                } catch { return .failure(.failed(device: device, error)) }
            } catch {
                if error.kind == .noCard, let refusal = error.origin as? DeviceFault {
                    return .failure(.failed(device: device, fault ?? refusal))
                }
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func ask<Answer: Sendable>(
        _ card: any CardVolume, _ body: (any CardVolume) throws(DeviceFault) -> Answer
    ) throws(DeviceFault) -> Answer {
        try card.takeChanges()
        return try body(card)
    }

    private func read(_ card: any CardVolume) throws(DeviceFault) -> Level {
        let step = try card.step(), width = max(card.steps.count - 1, 1)
        return Level(
            decibels: decibels == nil ? nil : card.decibel().map { Double($0) / 100 },
            share: Double(step - card.steps.lowerBound) / Double(width), isMuted: try card.isMuted())
    }

    private func watch(_ before: Level) {
        rt_thread_name("carillon-volume")
        var last = before
        while true {
            let descriptors = handle.withLock { $0.card?.descriptors } ?? []
            var list = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)] + descriptors
            let count = poll(&list, UInt(list.count), descriptors.isEmpty ? pause : -1)
            if count < 0 && errno != EINTR || isOver.load(ordering: .acquiring) { return }
            if list[0].revents != 0 { rt_event_clear(bell) }
            let now: Level
            do throws(Fault) { now = try level } catch { continue }
            if now == last { continue }
            last = now
            listener.withLock { $0.body }?(now)
        }
    }
}
