import Glibc
import MIDI
import RemoteIO
import Testing

@testable import ALSA
@testable import CoreMIDI

/// MIDI Services with other programs and cards, on a real kernel.
@Suite(.serialized, .enabled(if: RealKernel.isPresent)) struct CoreMIDIOnKernelTests {
    private final class Heard: @unchecked Sendable {
        private let lock = NSLock()
        private var packets: [(time: UInt64, bytes: [UInt8])] = []
        private var messages: [MIDINotificationMessageID] = []

        func take(_ list: UnsafePointer<MIDIPacketList>) {
            lock.withLock { packets += list.unsafeSequence().map { ($0.pointee.timeStamp, Array($0.bytes())) } }
        }
        func take(_ notice: UnsafePointer<MIDINotification>) { lock.withLock { messages.append(notice.pointee.messageID) } }

        var all: [(time: UInt64, bytes: [UInt8])] { lock.withLock { packets } }
        var notices: [MIDINotificationMessageID] { lock.withLock { messages } }

        func wait(until condition: (Heard) -> Bool) -> Bool {
            for _ in 0..<3_000 {
                if condition(self) { return true }
                usleep(1_000)
            }
            return condition(self)
        }
    }

    private let heard = Heard()
    private let client: MIDIClientRef

    init() throws {
        var made = MIDIClientRef()
        let heard = heard
        try #require(MIDIClientCreateWithBlock("Kernel" as CFString, &made) { heard.take($0) } == noErr)
        client = made
    }

    private func text(_ object: MIDIObjectRef, _ property: CFString) -> String? {
        var text: Unmanaged<CFString>?
        return MIDIObjectGetStringProperty(object, property, &text) == noErr ? text?.takeRetainedValue() as String? : nil
    }

    private func number(_ object: MIDIObjectRef, _ property: CFString) -> Int32? {
        var number: Int32 = 0
        return MIDIObjectGetIntegerProperty(object, property, &number) == noErr ? number : nil
    }

    private func source(_ name: String) -> MIDIEndpointRef? {
        (0..<MIDIGetNumberOfSources()).map(MIDIGetSource).first { text($0, kMIDIPropertyName) == name }
    }

    private func destination(_ name: String) -> MIDIEndpointRef? {
        (0..<MIDIGetNumberOfDestinations()).map(MIDIGetDestination).first { text($0, kMIDIPropertyName) == name }
    }

    private func awaited(_ find: () -> MIDIEndpointRef?) throws -> MIDIEndpointRef {
        for _ in 0..<3_000 {
            if let found = find() { return found }
            usleep(1_000)
        }
        return try #require(find())
    }

    @Test func aProgramIsHeardAndAgainWhenItComesBack() throws {
        defer { MIDIClientDispose(client) }
        let name = "Kernel keyboard"
        var keyboard: VirtualKeyboard? = try VirtualKeyboard(name)
        let source = try awaited { self.source(name) }, id = number(source, kMIDIPropertyUniqueID)
        #expect(number(source, kMIDIPropertyOffline) == 0 && id != 0 && text(source, kMIDIPropertyModel) == name)
        var port = MIDIPortRef(), entity = MIDIEntityRef()
        #expect(MIDIEndpointGetEntity(source, &entity) == kMIDIObjectNotFound)
        let heard = heard
        #expect(MIDIInputPortCreateWithBlock(client, "In" as CFString, &port) { list, _ in heard.take(list) } == noErr)
        #expect(MIDIPortConnectSource(port, source, nil) == noErr)
        let before = mach_absolute_time(), exclusive = [0xF0] + [UInt8](repeating: 3, count: 300) + [0xF7]
        _ = keyboard?.play(.noteOn, 60, 100)
        _ = keyboard?.send(exclusive)
        #expect(heard.wait { $0.all.last?.bytes.last == 0xF7 })
        #expect(heard.all.first?.bytes == [0x90, 60, 100] && heard.all.dropFirst().flatMap(\.bytes) == exclusive)
        #expect(heard.all.allSatisfy { $0.time + 2_000_000 >= before && $0.time <= mach_absolute_time() })

        keyboard = nil
        #expect(heard.wait { $0.notices.contains(.msgObjectRemoved) } && self.source(name) == nil)
        #expect(number(source, kMIDIPropertyOffline) == 1)
        keyboard = try VirtualKeyboard(name)
        #expect(try awaited { self.source(name) } == source && number(source, kMIDIPropertyUniqueID) == id)
        let count = heard.all.count
        _ = keyboard?.play(.noteOff, 60)
        #expect(heard.wait { $0.all.count > count } && heard.all.last?.bytes == [0x80, 60, 0])
        #expect(MIDIPortDisconnectSource(port, source) == noErr)
        _ = keyboard?.play(.noteOn, 61, 1)
        usleep(20_000)
        #expect(heard.all.count == count + 1)
    }

    @Test func packetsAreSentAtTheirMoments() throws {
        defer { MIDIClientDispose(client) }
        let synthesizer = try VirtualSynthesizer("Kernel synthesizer"),
            destination = try awaited { self.destination("Kernel synthesizer") }
        var port = MIDIPortRef()
        #expect(MIDIOutputPortCreate(client, "Out" as CFString, &port) == noErr)
        let now = mach_absolute_time(), list = MIDIPacketList.Builder(byteSize: 1_024)
        // Within and beyond what the kernel is given ahead.
        let distances: [UInt64] = [0, 30, 70, 150, 250]
        for distance in distances {
            list.append(timestamp: distance == 0 ? 0 : now + distance * 1_000_000, data: [0x90, UInt8(distance / 2), 1])
        }
        list.append(timestamp: now + 400_000_000, data: [0x90, 127, 1])
        #expect(list.withUnsafePointer { MIDISend(port, destination, $0) } == noErr)
        #expect(synthesizer.wait { $0.notes.count == distances.count } && MIDIFlushOutput(destination) == noErr)
        #expect(synthesizer.notes.map(\.message.data1) == distances.map { UInt8($0 / 2) })
        for (note, distance) in zip(synthesizer.notes, distances).dropFirst() {
            let late = note.nanoseconds - Int64(now + distance * 1_000_000)
            print("\(distance) ms: \(late / 1_000) µs late")
            #expect(abs(late) < 1_000_000)
        }
        #expect(!synthesizer.wait(0.2) { $0.notes.count > distances.count })
    }

    @Test func otherProgramsSeeVirtualEndpoints() throws {
        defer { MIDIClientDispose(client) }
        var source = MIDIEndpointRef(), sink = MIDIEndpointRef()
        let heard = heard, keyboard = try VirtualKeyboard("Kernel other"), synthesizer = try VirtualSynthesizer("Kernel ear")
        #expect(MIDISourceCreate(client, "Kernel source" as CFString, &source) == noErr)
        #expect(MIDIDestinationCreateWithBlock(client, "Kernel sink" as CFString, &sink) { list, _ in heard.take(list) } == noErr)
        let from = try #require(keyboard.find("Kernel source")), to = try #require(keyboard.find("Kernel sink"))
        #expect(keyboard.connect(keyboard.address, to) == nil && synthesizer.connect(to: from) == nil)
        _ = keyboard.play(.controlChange, 7, 99)
        #expect(heard.wait { $0.all.count == 1 } && heard.all.first?.bytes == [0xB0, 7, 99])
        let list = MIDIPacketList.Builder(byteSize: 512)
        list.append(timestamp: 0, data: [0x90, 60, 100, 0xF8, 0x80, 60, 0])
        #expect(list.withUnsafePointer { MIDIReceived(source, $0) } == noErr)
        #expect(synthesizer.wait { $0.messages.count == 2 && $0.beats.count == 1 })
        #expect(MIDIEndpointDispose(source) == noErr && keyboard.find("Kernel source") == nil)
    }

    @Test(.enabled(if: RealKernel.isDisposable)) func aCardThatComesBackIsTheSameDevice() throws {
        defer { MIDIClientDispose(client) }
        let source = try #require(
            (0..<MIDIGetNumberOfSources()).map(MIDIGetSource).first { text($0, kMIDIPropertyName)?.hasPrefix("VirMIDI") == true })
        let id = number(source, kMIDIPropertyUniqueID), devices = MIDIGetNumberOfDevices(), heard = heard
        var port = MIDIPortRef()
        #expect(MIDIInputPortCreateWithBlock(client, "In" as CFString, &port) { list, _ in heard.take(list) } == noErr)
        #expect(MIDIPortConnectSource(port, source, nil) == noErr)
        #expect(UnpluggingTests.write(UnpluggingTests.device, to: UnpluggingTests.driver + "/unbind"))
        #expect(heard.wait { $0.notices.contains(.msgObjectRemoved) } && number(source, kMIDIPropertyOffline) == 1)
        #expect(UnpluggingTests.write(UnpluggingTests.device, to: UnpluggingTests.driver + "/bind"))
        #expect(heard.wait { $0.notices.contains(.msgObjectAdded) })
        #expect(number(source, kMIDIPropertyOffline) == 0 && number(source, kMIDIPropertyUniqueID) == id)
        #expect(MIDIGetNumberOfDevices() == devices)
        #expect(UnpluggingTests.bytes([0x90, 60, 1], to: try #require(UnpluggingTests.rawPort())))
        #expect(heard.wait { $0.all.count == 1 } && heard.all.first?.bytes == [0x90, 60, 1])
    }

    @Test func rulesChooseThePorts() throws {
        MIDIClientDispose(client)
        let keyboard = try VirtualKeyboard("Kernel rule")
        for (rules, wanted) in [("Kernel rule", 1), ("Kernel*;Midi Through*", 2), ("client:Kernel rule", 1), ("none", 0)] {
            let studio = Studio()
            #expect(studio.open(rules) == noErr && studio.endpoints(isSource: true).count == wanted, "\(rules)")
        }
        withExtendedLifetime(keyboard) {}
    }

    @Test func aCardIsADeviceWithEntities() throws {
        defer { MIDIClientDispose(client) }
        let devices = (0..<MIDIGetNumberOfDevices()).map(MIDIGetDevice)
        let device = try #require(devices.first { text($0, kMIDIPropertyName)?.contains("Virtual Raw MIDI") == true })
        #expect(number(device, kMIDIPropertyOffline) == 0 && text(device, kMIDIPropertyManufacturer) != nil)
        let entity = MIDIDeviceGetEntity(device, 0), source = MIDIEntityGetSource(entity, 0)
        #expect(MIDIDeviceGetNumberOfEntities(device) > 0 && MIDIEntityGetNumberOfSources(entity) == 1)
        #expect(MIDIEntityGetNumberOfDestinations(entity) == 1 && MIDIEntityGetDestination(entity, 0) != 0)
        var parent = MIDIEntityRef(), owner = MIDIDeviceRef(), found = MIDIObjectRef(), type = MIDIObjectType.other
        #expect(MIDIEndpointGetEntity(source, &parent) == noErr && parent == entity)
        #expect(MIDIEntityGetDevice(entity, &owner) == noErr && owner == device)
        #expect(text(source, kMIDIPropertyModel) == text(device, kMIDIPropertyName))
        #expect(MIDIObjectFindByUniqueID(try #require(number(source, kMIDIPropertyUniqueID)), &found, &type) == noErr)
        #expect(found == source && type == .source)
        let names = (0..<MIDIGetNumberOfSources()).compactMap { text(MIDIGetSource($0), kMIDIPropertyName) }
        #expect(!names.contains { $0.hasPrefix("Midi Through") }, "\(names)")
    }
}
