import CRealtime
import CarillonTestKit
import Glibc
import MIDI
import RealtimeCore
import Testing

@testable import ALSA

/// On a disposable kernel: a keyboard is pulled out and put back, again and again.
@Suite(.enabled(if: RealKernel.isDisposable, "takes devices away; runs in tools/alsa-vm"), .serialized)
struct UnpluggingTests {
    static let driver = "/sys/bus/platform/drivers/snd_virmidi", device = "snd_virmidi.0"

    /// What the card's raw MIDI port 0 is written to.
    static func rawPort() -> String? {
        let card = SysfsNode("/sys/devices/platform/\(device)/sound")?.path
        guard let card, let folder = opendir(card) else { return nil }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix("card") { return "/dev/snd/midiC\(name.dropFirst(4))D0" }
        }
        return nil
    }

    static func write(_ text: String, to path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return Array(text.utf8).withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } == text.utf8.count
    }

    static func bytes(_ bytes: [UInt8], to path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } == bytes.count
    }

    @Test(.timeLimit(.minutes(10))) func aKeyboardPulledOutTwoHundredTimesLeavesNoNoteAndComesBack() throws {
        let input = try LiveInput([.name("VirMIDI*-0"), .name("The other one")])
        let other = try VirtualKeyboard("The other one")
        #expect(input.wait { input.source("The other one")?.isConnected == true })
        for key in [20, 60] as [UInt8] { #expect(other.play(.noteOn, key, 90) == nil) }
        #expect(input.wait { input.messages.count == 2 })
        var releaseTimes: [Int64] = [], returnTimes: [Int64] = []
        var settled = ProcessSize(), sizes: [Int] = []
        for round in 0..<200 {
            try #require(input.wait { input.source("VirMIDI")?.isConnected == true }, "round \(round)")
            input.clear()
            // The other source holds key 60, too: it must go on sounding.
            let raw = try #require(Self.rawPort())
            #expect(Self.bytes((55..<65).flatMap { [0x90, UInt8($0), 90] }, to: raw))
            try #require(input.wait { input.messages.count == 10 }, "round \(round): \(input.messages.count)")
            let pulled = rt_monotonic_nanoseconds()
            #expect(Self.write(Self.device, to: Self.driver + "/unbind"))
            try #require(input.wait { input.messages.count == 19 }, "round \(round): \(input.messages.count)")
            let last = try #require(input.arrivals.last)
            // The kernel's own work on the way out counts as well.
            releaseTimes.append(last.moment - pulled)
            #expect(input.arrivals.dropFirst(10).allSatisfy { $0.event.time == .inTurn }, "endings are at once")
            let ended = input.messages.dropFirst(10)
            #expect(ended.allSatisfy { $0.kind == .noteOff } && ended.map(\.data1) == [55, 56, 57, 58, 59, 61, 62, 63, 64])
            #expect(input.wait { input.source("VirMIDI") == nil })
            #expect(input.source("The other one")?.heldNotes.map(\.key) == [20, 60])
            #expect(Self.write(Self.device, to: Self.driver + "/bind"))
            let returned = rt_monotonic_nanoseconds()
            #expect(input.wait(1) { input.source("VirMIDI")?.isConnected == true }, "round \(round)")
            returnTimes.append(rt_monotonic_nanoseconds() - returned)
            if round == 20 { settled = ProcessSize() }
            if round % 20 == 0 { sizes.append(ProcessSize().memory) }
        }
        releaseTimes.sort()
        returnTimes.sort()
        print("released after \(releaseTimes[100] / 1000) us (median), \(releaseTimes[199] / 1000) us (worst)")
        print("connected after \(returnTimes[100] / 1000) us (median), \(returnTimes[199] / 1000) us (worst)")
        let end = ProcessSize()
        print("memory \(sizes) \(settled.memory) -> \(end.memory) KB, descriptors \(settled.descriptors) -> \(end.descriptors)")
        #expect(releaseTimes[199] < 50_000_000)
        #expect(end.descriptors == settled.descriptors)
        // Memory comes in huge pages of 2 MB.
        #expect(end.memory - settled.memory < 6_144)
        #expect(input.client.counters.disappearances == 200)
        input.client.stop()
    }

    /// The kernel lists the card after it has announced the port, whose identity has the card's name.
    @Test func aKeyboardNamedByItsWholeIdentityIsConnectedWheneverItIsPluggedIn() throws {
        let ports = try MIDIDirectory().entries.map(\.port)
        let port = try #require(ports.first { $0.portName.hasPrefix("VirMIDI") })
        let identity = port.identity.description
        #expect(identity.contains("card:"))
        var connected = 0
        for round in 0..<8 {
            #expect(Self.write(Self.device, to: Self.driver + "/unbind"))
            let input = try LiveInput([try ConnectionRule(identity)])
            #expect(Self.write(Self.device, to: Self.driver + "/bind"))
            if input.wait(2, until: { input.source.contains { $0.isConnected } }) { connected += 1 }
            let reasons = input.source.map { "\($0.identity): \($0.reason)" }
            #expect(connected == round + 1, "round \(round): \(reasons)")
            #expect(input.source.filter(\.isConnected).map(\.identity.description) == [identity])
            input.client.stop()
        }
        #expect(connected == 8)
    }

    @Test func clientsComeAndGoWithoutALeak() throws {
        _ = try LiveInput([.any], ports: 16)
        let descriptors = ProcessSize().descriptors
        for _ in 0..<50 {
            let input = try LiveInput([.any], ports: 16)
            input.client.stop()
        }
        #expect(ProcessSize().descriptors == descriptors)
        let directory = try MIDIDirectory()
        #expect(!directory.entries.contains { $0.port.clientName == "Carillon test" })
    }
}
