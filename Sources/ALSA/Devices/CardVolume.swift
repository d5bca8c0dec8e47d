import Glibc
import RemoteIO

/// One volume control of a card's mixer, open: ALSA's, or a test's. It is dead when the card is unplugged, also once the card
/// is back: then everything throws, and another is to be opened. One thread at a time.
protocol CardVolume: AnyObject {
    /// All controls of the card that have a volume, in its order.
    var name: String { get }
    var names: [String] { get }
    /// The card's own steps; in hundredths of a decibel, nil if the card does not know them.
    var steps: ClosedRange<Int> { get }
    var decibels: ClosedRange<Int>? { get }
    /// The descriptors that signal changes, for `poll`.
    var descriptors: [pollfd] { get }

    func takeChanges() throws(DeviceFault)
    /// The volume in steps; the same in hundredths of a decibel; whether it is muted, nil without a switch.
    func step() throws(DeviceFault) -> Int
    func decibel() -> Int?
    func isMuted() throws(DeviceFault) -> Bool?
    /// Sets all channels to a step, to the step nearest to so many hundredths of a decibel, switches them off or on.
    func set(step: Int) throws(DeviceFault)
    func set(decibel: Int) throws(DeviceFault)
    func set(isMuted: Bool) throws(DeviceFault)
}

/// A control of ALSA's mixer; closed with the object.
final class MixerVolume: CardVolume {
    /// Controls that mean all of what a card plays, best first; without one of them the first with a volume is taken.
    private static let usual = ["Master", "PCM", "Speaker", "Headphone", "Digital", "Line Out", "Front"]

    let name: String
    let names: [String]
    let steps: ClosedRange<Int>
    let decibels: ClosedRange<Int>?
    private let mixer: MixerCalls.Mixer
    private let element: MixerCalls.Element

    init(of device: String, control wanted: String?) throws(HardwareVolumeError) {
        let mixer: MixerCalls.Mixer
        do { mixer = try MixerCalls.open(HardwareVolume.card(of: device)) } catch { throw .noCard(device: device, error) }
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
        decibels = MixerCalls.decibels(chosen.element)
        (self.name, self.names, self.mixer, element) = (name, names, mixer, chosen.element)
    }

    deinit { MixerCalls.close(mixer) }

    var descriptors: [pollfd] { MixerCalls.descriptors(mixer) }
    func takeChanges() throws(DeviceFault) { try MixerCalls.takeChanges(mixer) }
    func step() throws(DeviceFault) -> Int { try MixerCalls.step(element) }
    func decibel() -> Int? { MixerCalls.decibel(element) }
    func isMuted() throws(DeviceFault) -> Bool? { try MixerCalls.isMuted(element) }
    func set(step: Int) throws(DeviceFault) { try MixerCalls.set(element, step: step) }
    func set(decibel: Int) throws(DeviceFault) { try MixerCalls.set(element, decibel: decibel) }
    func set(isMuted: Bool) throws(DeviceFault) { try MixerCalls.set(element, isMuted: isMuted) }
}
