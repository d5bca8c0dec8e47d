import Glibc

/// Whether there is a real ALSA kernel here with devices that nobody hears: `.enabled(if: RealKernel.isPresent)`.
///
/// `tools/alsa-vm` boots one, and `tools/test` runs the tests of this module inside. Cards are named by their identity, not
/// by their number, so that the same tests run on a machine with sound cards of its own once `modprobe snd-aloop` and
/// `modprobe snd-virmidi` have been done there; such cards are never played on.
enum RealKernel {
    /// The sequencer, a loopback card and virtual MIDI ports.
    static let isPresent = exists("/dev/snd/seq") && exists("/proc/asound/Loopback") && exists("/proc/asound/VirMIDI")

    /// Inside tools/alsa-vm, where a test runs as root, may take modules and devices away, and harms nobody.
    static let isDisposable = isPresent && getenv("ALSA_VM") != nil

    /// What is played here is captured on `loopbackCapture`. Advances in steps of 4 ms.
    static let loopbackPlayback = "hw:Loopback,0,0"
    /// Captures what is played on `loopbackPlayback`.
    static let loopbackCapture = "hw:Loopback,1,0"
    /// A raw MIDI port: what is written here comes out of the sequencer port `Virtual Raw MIDI N-0`.
    static let virtualMIDI = "hw:VirMIDI,0"
    /// A card that swallows what is played, with a clock of its own.
    static let dummy = "hw:Dummy,0"

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
