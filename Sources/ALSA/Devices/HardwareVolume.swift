import CRealtime
import Glibc
import RemoteIO
import Synchronization

/// The volume of a sound card itself, as its mixer has it: what Core Audio calls `kHALOutputParam_Volume`.
///
///     let volume = try HardwareVolume(of: "hw:USB,0")
///     try volume.set(decibels: -12)
///     volume.onChange { print($0) }
///
/// It stands in the hardware, behind all that Carillon makes, and belongs to every program of the machine: nothing of it is in
/// a patch, a journal or a file, and it stays as it was left. Any thread.
public final class HardwareVolume: Sendable {
    /// How loud a card is.
    public struct Level: Sendable, Hashable {
        /// Decibels; nil where the card does not know.
        public var decibels: Double?
        /// The share of the card's own steps, 0...1, as `amixer` counts per cent.
        public var share: Double
        /// Whether it is switched off; nil where it has no switch.
        public var isMuted: Bool?
    }

    /// Controls that mean all of what a card plays, best first; without one of them the first with a volume is taken.
    private static let usual = ["Master", "PCM", "Speaker", "Headphone", "Digital", "Line Out", "Front"]

    private struct Handle: @unchecked Sendable {
        var mixer: MixerCalls.Mixer
        var element: MixerCalls.Element
        var watch: PlainThread?
    }

    /// The device, as it was named.
    public let device: String
    /// The mixer's control: `Master`.
    public let control: String
    /// All controls of the card that have a volume, in its order.
    public let controls: [String]
    /// The quietest and the loudest, decibels; nil where the card does not know.
    public let decibels: ClosedRange<Double>?
    private let steps: ClosedRange<Int>
    private let handle: Mutex<Handle>
    private let listener = Mutex<(@Sendable (Level) -> Void)?>(nil)
    private let stopEvent: Int32

    /// The volume of the card behind a device: `default`, `hw:USB,0`, `plughw:1`.
    ///
    /// - Parameter control: which control of its mixer; nil for the one that means everything.
    /// - Throws: `noCard`, `noVolume`, `noControl`, `failed`.
    public init(of device: String, control wanted: String? = nil) throws(HardwareVolumeError) {
        PCMCalls.silence()
        let mixer: MixerCalls.Mixer
        do { mixer = try MixerCalls.open(Self.card(of: device)) } catch { throw .noCard(device: device, error) }
        let found = MixerCalls.controls(mixer), names = found.map(\.name)
        let name = wanted ?? Self.usual.first { names.contains($0) } ?? names.first
        guard let name, let chosen = found.first(where: { $0.name == name }) else {
            MixerCalls.close(mixer)
            if let wanted, !names.isEmpty { throw .noControl(device: device, name: wanted, known: names) }
            throw .noVolume(device: device)
        }
        do { steps = try MixerCalls.steps(chosen.element) } catch {
            MixerCalls.close(mixer)
            throw .failed(device: device, error)
        }
        decibels = MixerCalls.decibels(chosen.element).map { Double($0.lowerBound) / 100...Double($0.upperBound) / 100 }
        (self.device, control, controls) = (device, name, names)
        handle = Mutex(Handle(mixer: mixer, element: chosen.element))
        stopEvent = rt_event_make()
    }

    deinit {
        let (mixer, watch) = handle.withLock { ($0.mixer, $0.watch) }
        if watch != nil { rt_event_signal(stopEvent) }
        watch?.join()
        MixerCalls.close(mixer)
        if stopEvent >= 0 { rt_event_close(stopEvent) }
    }

    /// The control device of the card behind a PCM's name: `hw:USB` for `plughw:USB,0`.
    static func card(of device: String) -> String {
        guard let colon = device.firstIndex(of: ":") else { return device }
        let card = device[device.index(after: colon)...].split(separator: ",").first.map(String.init) ?? "0"
        return "hw:" + (card.split(separator: "=").last.map(String.init) ?? card)
    }

    /// How loud it is now, whoever set it. - Throws: `failed`.
    public var level: Level {
        get throws(HardwareVolumeError) {
            try ask { (handle) throws(DeviceFault) in
                try MixerCalls.takeChanges(handle.mixer)
                return try self.read(handle)
            }
        }
    }

    /// Makes it as loud as the card's step that is nearest. - Throws: `outOfRange`, `noDecibels`, `failed`.
    public func set(decibels wanted: Double) throws(HardwareVolumeError) {
        guard let decibels else { throw .noDecibels(device: device, control: control) }
        guard decibels.contains(wanted) else { throw .outOfRange(device: device, decibels: wanted, range: decibels) }
        try ask { (handle) throws(DeviceFault) in
            try MixerCalls.set(handle.element, decibel: Int((wanted * 100).rounded()))
        }
    }

    /// Makes it as loud as a share of the card's steps, 0...1. - Throws: `noShare`, `failed`.
    public func set(share: Double) throws(HardwareVolumeError) {
        guard share >= 0, share <= 1 else { throw .noShare(device: device, share) }
        let step = steps.lowerBound + Int((share * Double(steps.count - 1)).rounded())
        try ask { (handle) throws(DeviceFault) in try MixerCalls.set(handle.element, step: step) }
    }

    /// Switches it off or on; its level stays. - Throws: `noSwitch`, `failed`.
    public func set(isMuted: Bool) throws(HardwareVolumeError) {
        let hasSwitch = try ask { (handle) throws(DeviceFault) in
            guard try MixerCalls.isMuted(handle.element) != nil else { return false }
            try MixerCalls.set(handle.element, isMuted: isMuted)
            return true
        }
        if !hasSwitch { throw .noSwitch(device: device, control: control) }
    }

    /// Calls `body` whenever the level has changed, by this program or another, on a thread of its own; nil ends that.
    /// - Throws: `noThread`, `failed`.
    public func onChange(_ body: (@Sendable (Level) -> Void)?) throws(HardwareVolumeError) {
        let before = try level
        listener.withLock { $0 = body }
        if body == nil { return }
        let descriptors = handle.withLock { MixerCalls.descriptors($0.mixer) }
        let error = handle.withLock { handle -> DeviceError? in
            if handle.watch != nil { return nil }
            do throws(DeviceError) {
                // The thread ends before this object does: `deinit` waits for it.
                let me = Unmanaged.passUnretained(self)
                nonisolated(unsafe) let volume = me
                handle.watch = try PlainThread { volume._withUnsafeGuaranteedRef { $0.watch(descriptors, before) } }
                return nil
            } catch { return error }
        }
        if let error { throw .noThread(error) }
    }

    // MARK: -

    private func ask<Answer>(
        _ body: (Handle) throws(DeviceFault) -> Answer
    ) throws(HardwareVolumeError) -> Answer {
        let result = handle.withLock { handle -> Result<Answer, DeviceFault> in
            do throws(DeviceFault) { return .success(try body(handle)) } catch { return .failure(error) }
        }
        switch result {
        case .success(let answer): return answer
        case .failure(let fault): throw .failed(device: device, fault)
        }
    }

    private func read(_ handle: Handle) throws(DeviceFault) -> Level {
        let step = try MixerCalls.step(handle.element), width = max(steps.count - 1, 1)
        return Level(
            decibels: decibels == nil ? nil : MixerCalls.decibel(handle.element).map { Double($0) / 100 },
            share: Double(step - steps.lowerBound) / Double(width), isMuted: try MixerCalls.isMuted(handle.element))
    }

    /// The whole life of the thread that watches: it ends with this object, or when the card is gone.
    private func watch(_ descriptors: [pollfd], _ before: Level) {
        rt_thread_name("carillon-volume")
        var last = before, list = descriptors + [pollfd(fd: stopEvent, events: Int16(POLLIN), revents: 0)]
        while true {
            let count = poll(&list, UInt(list.count), -1)
            if count < 0 && errno == EINTR { continue }
            if count < 0 || list[list.count - 1].revents != 0 { return }
            let now: Level
            // A card that is gone has no volume to tell of.
            do throws(HardwareVolumeError) { now = try level } catch { return }
            if now == last { continue }
            last = now
            listener.withLock { $0 }?(now)
        }
    }
}
