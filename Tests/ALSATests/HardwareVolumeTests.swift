import Glibc
import Reports
import Synchronization
import Testing

@testable import ALSA

/// The mixers of real cards: one that has a volume, one that has none.
@Suite(.serialized, .enabled(if: RealKernel.isDisposable, "no ALSA kernel whose cards may be turned up and down"))
struct HardwareVolumeTests {
    @Test func aCardsVolumeIsSetAndReadBack() throws {
        let volume = try HardwareVolume(of: RealKernel.dummy)
        #expect(volume.control == "Master" && volume.controls.contains("Master") && volume.controls.count > 1)
        let range = try #require(volume.decibels)
        print("Dummy: \(volume.control), \(range) dB, \(volume.controls)")
        try volume.set(share: 1)
        #expect(try volume.level.share == 1)
        #expect(try volume.level.decibels == range.upperBound)
        try volume.set(share: 0)
        #expect(try volume.level.share == 0)
        let middle = ((range.lowerBound + range.upperBound) / 2).rounded()
        try volume.set(decibels: middle)
        let decibels = try #require(try volume.level.decibels)
        #expect(abs(decibels - middle) < 1)
        // Whoever looks next finds it so.
        #expect(try HardwareVolume(of: "plughw:Dummy,0").level == volume.level)
    }

    @Test func whatIsBeyondTheCardIsRefusedWithItsRange() throws {
        let volume = try HardwareVolume(of: RealKernel.dummy), range = try #require(volume.decibels)
        let before = try volume.level
        let error = #expect(throws: Fault.self) { try volume.set(decibels: range.upperBound + 10) }
        #expect(error == .outOfRange(device: RealKernel.dummy, decibels: range.upperBound + 10, range: range))
        #expect(throws: Fault.noShare(device: RealKernel.dummy, 1.5)) { try volume.set(share: 1.5) }
        #expect(try volume.level == before)
    }

    @Test func aCardWithoutVolumeAndOneThatIsNotThereSaySo() throws {
        #expect(throws: Fault.noVolume(device: RealKernel.loopbackPlayback)) {
            _ = try HardwareVolume(of: RealKernel.loopbackPlayback)
        }
        let error = #expect(throws: Fault.self) { _ = try HardwareVolume(of: "hw:Nowhere") }
        #expect("\(error!)".contains("hw:Nowhere: has no mixer"))
        let unknown = #expect(throws: Fault.self) { _ = try HardwareVolume(of: RealKernel.dummy, control: "Bass") }
        #expect("\(unknown!)".contains("choose one of Master"))
    }

    @Test func changesFromOutsideAreTold() throws {
        let volume = try HardwareVolume(of: RealKernel.dummy), other = try HardwareVolume(of: RealKernel.dummy)
        try other.set(share: 0.25)
        let told = Mutex<[HardwareVolume.Level]>([])
        try volume.onChange { level in told.withLock { $0.append(level) } }
        try other.set(share: 0.75)
        let wanted = try other.level
        #expect(RemoteIOUnitTests.eventually(10) { told.withLock { $0.last } == wanted })
        try volume.onChange(nil)
    }

    @Test func theCardOfADeviceIsFoundByItsName() {
        #expect(HardwareVolume.card(of: "default") == "default")
        #expect(HardwareVolume.card(of: "plughw:USB,0") == "hw:USB")
        #expect(HardwareVolume.card(of: "sysdefault:CARD=PCH") == "hw:PCH")
        #expect(HardwareVolume.card(of: "hw:1") == "hw:1")
    }
}
