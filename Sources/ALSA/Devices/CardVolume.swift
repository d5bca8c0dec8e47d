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
    /// Sets all channels to a step, or to the step nearest to a level in hundredths of a decibel, or switches them off or on.
    func set(step: Int) throws(DeviceFault)
    func set(decibel: Int) throws(DeviceFault)
    func set(isMuted: Bool) throws(DeviceFault)
}
