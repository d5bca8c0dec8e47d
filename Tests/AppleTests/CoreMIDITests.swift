import CoreMIDI
import Synchronization
import Testing

@testable import CoreMIDI

/// Clients, ports and virtual endpoints inside this program: without a sequencer.
@Suite(.serialized) struct CoreMIDITests {
    /// What a block heard: bytes with their time stamps, on which threads, with which context.
    final class Heard: @unchecked Sendable {
        private let lock = NSLock()
        private var packets: [TimedBytes] = []
        private var moments: [UInt64] = []
        private(set) var wasOnMain = false
        private(set) var sizes: [Int] = []
        private(set) var contexts: Set<Int> = []

        func take(_ list: UnsafePointer<MIDIPacketList>, _ context: UnsafeMutableRawPointer?) {
            lock.lock()
            packets += [TimedBytes](list)
            moments.append(mach_absolute_time())
            wasOnMain = wasOnMain || Thread.isMainThread
            contexts.insert(Int(bitPattern: context))
            lock.unlock()
        }

        func note(size: Int) { lock.withLock { sizes.append(size) } }

        func note(_ bytes: [UInt8]) {
            lock.lock()
            packets.append(TimedBytes(time: 0, bytes: bytes))
            lock.unlock()
        }

        var all: [TimedBytes] { lock.withLock { packets } }
        var bytes: [[UInt8]] { all.map(\.bytes) }
        var times: [UInt64] { lock.withLock { moments } }

        func wait(_ count: Int) -> Bool {
            for _ in 0..<5_000 {
                if all.count >= count { break }
                usleep(1_000)
            }
            return all.count == count
        }
    }

    private final class Handle: @unchecked Sendable { var client = MIDIClientRef() }

    let client: MIDIClientRef

    init() throws {
        setenv("CARILLON_MIDI", "none", 1)
        var made = MIDIClientRef()
        try #require(MIDIClientCreateWithBlock("Tests" as CFString, &made, nil) == noErr)
        client = made
    }

    private func source(_ name: String = "Out") throws -> MIDIEndpointRef {
        var made = MIDIEndpointRef()
        try #require(MIDISourceCreate(client, name as CFString, &made) == noErr)
        return made
    }

    private func destination(_ heard: Heard, _ name: String = "In") throws -> MIDIEndpointRef {
        var made = MIDIEndpointRef()
        try #require(MIDIDestinationCreateWithBlock(client, name as CFString, &made) { heard.take($0, $1) } == noErr)
        return made
    }

    private func output() throws -> MIDIPortRef {
        var made = MIDIPortRef()
        try #require(MIDIOutputPortCreate(client, "Port" as CFString, &made) == noErr)
        return made
    }

    private func list(_ packets: (MIDITimeStamp, [UInt8])...) -> MIDIPacketList.Builder {
        let list = MIDIPacketList.Builder(byteSize: 8_192)
        for (time, bytes) in packets { list.append(timestamp: time, data: bytes) }
        return list
    }

    private func text(_ object: MIDIObjectRef, _ property: CFString) -> String? {
        var text: Unmanaged<CFString>?
        return MIDIObjectGetStringProperty(object, property, &text) == noErr ? text?.takeRetainedValue() as String? : nil
    }

    private func number(_ object: MIDIObjectRef, _ property: CFString) -> Int32? {
        var number: Int32 = 0
        return MIDIObjectGetIntegerProperty(object, property, &number) == noErr ? number : nil
    }

    @Test func aPortHearsASourceThatItIsConnectedTo() throws {
        let heard = Heard(), source = try source()
        defer { MIDIClientDispose(client) }
        var port = MIDIPortRef()
        let proc: MIDIReadProc = { list, port, context in
            guard let port else { return }
            Unmanaged<Heard>.fromOpaque(port).takeUnretainedValue().take(list, context)
        }
        #expect(MIDIInputPortCreate(client, "Port" as CFString, proc, Unmanaged.passUnretained(heard).toOpaque(), &port) == noErr)
        #expect(MIDIPortConnectSource(port, source, UnsafeMutableRawPointer(bitPattern: 77)) == noErr)
        let exclusive = [0xF0] + [UInt8](repeating: 1, count: 600) + [0xF7]
        #expect(list((3, [0x90, 60, 1]), (4, exclusive)).withUnsafePointer { MIDIReceived(source, $0) } == noErr)
        #expect(heard.wait(2) && heard.bytes == [[0x90, 60, 1], exclusive] && heard.all.map(\.time) == [3, 4])
        #expect(!heard.wasOnMain && heard.contexts == [77])
        #expect(MIDIPortDisconnectSource(port, source) == noErr && MIDIPortDisconnectSource(port, source) == kMIDINoConnection)
        #expect(list((0, [0x80, 60, 1])).withUnsafePointer { MIDIReceived(source, $0) } == noErr)
        usleep(20_000)
        #expect(heard.all.count == 2)
    }

    @Test func whatIsSentComesAtItsMoment() throws {
        let heard = Heard(), destination = try destination(heard), port = try output()
        defer { MIDIClientDispose(client) }
        let now = mach_absolute_time(), moments = [now + 60_000_000, now + 20_000_000, now + 40_000_000]
        for (key, moment) in zip(1..., moments) {
            #expect(list((moment, [0x90, UInt8(key), 1])).withUnsafePointer { MIDISend(port, destination, $0) } == noErr)
        }
        #expect(list((0, [0x90, 9, 1])).withUnsafePointer { MIDISend(port, destination, $0) } == noErr)
        #expect(heard.wait(4) && heard.bytes.map { $0[1] } == [9, 2, 3, 1] && heard.all[0].time >= now)
        for (time, moment) in zip(heard.times.dropFirst(), moments.sorted()) { #expect(time >= moment) }
        #expect(sendMIDI([0xC0, 8], to: destination, at: 0) == noErr && heard.wait(5) && heard.bytes.last == [0xC0, 8])
        #expect(sendMIDI([0xC0, 8], to: client, at: 0) == kMIDIUnknownEndpoint)
        // What waits is withdrawn.
        #expect(list((now + 60_000_000_000, [0x80, 1, 1])).withUnsafePointer { MIDISend(port, destination, $0) } == noErr)
        #expect(MIDIFlushOutput(destination) == noErr && MIDIFlushOutput(0) == noErr)
        // A destination that schedules by itself gets it at once, with its time stamp.
        #expect(MIDIObjectSetIntegerProperty(destination, kMIDIPropertyAdvanceScheduleTimeMuSec, 1_000) == noErr)
        #expect(list((now + 60_000_000_000, [0x80, 2, 1])).withUnsafePointer { MIDISend(port, destination, $0) } == noErr)
        #expect(heard.wait(6) && heard.all.last?.time == now + 60_000_000_000 && heard.bytes.last == [0x80, 2, 1])
    }

    @Test func wordsAreHeardAndSent() throws {
        let heard = Heard(), source = try source(), bytes = Heard(), destination = try destination(bytes), output = try output()
        defer { MIDIClientDispose(client) }
        var port = MIDIPortRef()
        let block: MIDIReceiveBlock = { list, _ in
            for packet in list.unsafeSequence() {
                heard.note(size: packet.words().count)
                for word in packet.words() { heard.note([UInt8(word >> 24), UInt8(word & 127)]) }
            }
        }
        #expect(MIDIInputPortCreateWithProtocol(client, "Words" as CFString, ._1_0, &port, block) == noErr)
        #expect(MIDIInputPortCreateWithProtocol(client, "Words" as CFString, ._2_0, &port, block) == kAudio_UnimplementedError)
        #expect(MIDIPortConnectSource(port, source, nil) == noErr)
        #expect(list((0, [0x90, 60, 5])).withUnsafePointer { MIDIReceived(source, $0) } == noErr)
        #expect(heard.wait(1) && heard.bytes == [[0x20, 5]])
        // A message of two words stays whole in the next packet.
        let exclusive = [0xF0] + [UInt8](repeating: 1, count: 200) + [0xF7]
        #expect(list((0, [0xFE] + exclusive)).withUnsafePointer { MIDIReceived(source, $0) } == noErr)
        #expect(heard.wait(70) && heard.sizes == [1, 63, 6])
        let words = MIDIEventList.Builder(inProtocol: ._1_0)
        words.append(timestamp: 0, words: [MIDI1UPNoteOn(0, 1, 61, 3), MIDI1UPPitchBend(0, 1, 0, 64)])
        #expect(words.withUnsafePointer { MIDISendEventList(output, destination, $0) } == noErr)
        #expect(words.withUnsafePointer { MIDIReceivedEventList(source, $0) } == noErr)
        #expect(bytes.wait(2) && bytes.bytes == [[0x91, 61, 3], [0xE1, 0, 64]] && heard.wait(72))
        let other = MIDIEventList.Builder(inProtocol: ._2_0)
        other.append(timestamp: 0, words: [0x4090_3C00, 0])
        #expect(other.withUnsafePointer { MIDISendEventList(output, destination, $0) } == kAudio_UnimplementedError)
    }

    @Test func exclusivesAreSentInPiecesAndCompleted() throws {
        let heard = Heard(), destination = try destination(heard), done = Heard()
        defer { MIDIClientDispose(client) }
        let message = [0xF0] + [UInt8](repeating: 2, count: 598) + [0xF7]
        #expect(MIDIObjectSetIntegerProperty(destination, kMIDIPropertyMaxSysExSpeed, 1_000_000) == noErr)
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: message.count)
        bytes.initialize(from: message, count: message.count)
        let request = UnsafeMutablePointer<MIDISysexSendRequest>.allocate(capacity: 1)
        defer {
            bytes.deallocate()
            request.deallocate()
        }
        request.initialize(
            to: MIDISysexSendRequest(
                destination: destination, data: bytes, bytesToSend: UInt32(message.count), complete: false, reserved: (0, 0, 0),
                completionProc: { request in
                    let done = request.pointee.completionRefCon.map { Unmanaged<Heard>.fromOpaque($0).takeUnretainedValue() }
                    done?.note([request.pointee.complete ? 1 : 0])
                }, completionRefCon: Unmanaged.passUnretained(done).toOpaque()))
        #expect(MIDISendSysex(request) == noErr && done.wait(1))
        #expect(done.bytes == [[1]] && request.pointee.bytesToSend == 0)
        #expect(heard.bytes.flatMap { $0 } == message && heard.all.count == 3)
        request.pointee.destination = client
        #expect(MIDISendSysex(request) == kMIDIUnknownEndpoint)
    }

    @Test func propertiesAreKeptByTheirTypes() throws {
        let source = try source("Organ"), other = try destination(Heard(), "Organ")
        defer { MIDIClientDispose(client) }
        #expect(text(source, kMIDIPropertyName) == "Organ" && text(source, kMIDIPropertyDisplayName) == "Organ")
        #expect(number(source, kMIDIPropertyOffline) == 0 && number(source, kMIDIPropertyTransmitChannels) == 0xFFFF)
        #expect(text(source, kMIDIPropertyModel) == nil && number(source, kMIDIPropertyName) == nil)
        var value: Int32 = 0
        #expect(MIDIObjectGetIntegerProperty(source, kMIDIPropertyName, &value) == kMIDIWrongPropertyType)
        #expect(MIDIObjectGetIntegerProperty(source, kMIDIPropertyImage, &value) == kMIDIUnknownProperty)
        #expect(MIDIObjectGetIntegerProperty(4, kMIDIPropertyName, &value) == kMIDIObjectNotFound)
        #expect(MIDIObjectSetStringProperty(source, kMIDIPropertyModel, "B3" as CFString) == noErr)
        #expect(text(source, kMIDIPropertyModel) == "B3")
        #expect(MIDIObjectSetIntegerProperty(source, kMIDIPropertyModel, 3) == kMIDIWrongPropertyType)
        #expect(MIDIObjectRemoveProperty(source, kMIDIPropertyModel) == noErr && text(source, kMIDIPropertyModel) == nil)
        #expect(MIDIObjectRemoveProperty(source, kMIDIPropertyModel) == kMIDIUnknownProperty)
        #expect(MIDIObjectSetDataProperty(source, "blob" as CFString, Data([1, 2]) as CFData) == noErr)
        #expect(MIDIObjectSetDictionaryProperty(source, "map" as CFString, ["a": 1] as NSDictionary) == noErr)
        var data: Unmanaged<CFData>?, map: Unmanaged<CFDictionary>?, all: Unmanaged<CFPropertyList>?
        #expect(MIDIObjectGetDataProperty(source, "blob" as CFString, &data) == noErr)
        #expect(MIDIObjectGetDictionaryProperty(source, "map" as CFString, &map) == noErr)
        #expect(try #require(data).takeRetainedValue() as Data == Data([1, 2]) && map?.takeRetainedValue()["a"] as? Int == 1)
        #expect(MIDIObjectGetProperties(source, &all, true) == noErr)
        #expect((all?.takeRetainedValue() as? NSDictionary)?["name"] as? String == "Organ")

        let id = try #require(number(source, kMIDIPropertyUniqueID)), otherID = try #require(number(other, kMIDIPropertyUniqueID))
        #expect(id != 0 && id != otherID)
        #expect(MIDIObjectSetIntegerProperty(source, kMIDIPropertyUniqueID, otherID) == kMIDIIDNotUnique)
        var found = MIDIObjectRef(), type = MIDIObjectType.other
        #expect(MIDIObjectFindByUniqueID(otherID, &found, &type) == noErr && found == other && type == .destination)
        #expect(MIDIObjectSetIntegerProperty(source, kMIDIPropertyUniqueID, 4_711) == noErr)
        #expect(MIDIObjectFindByUniqueID(4_711, &found, nil) == noErr && found == source)
        #expect(MIDIObjectFindByUniqueID(0, &found, &type) == kMIDIObjectNotFound && found == 0)
        // The same names are the same identity again.
        #expect(MIDIEndpointDispose(source) == noErr)
        #expect(number(try self.source("Organ"), kMIDIPropertyUniqueID) == id)
    }

    @Test func endpointsAreListedWhileTheyAreThere() throws {
        let before = MIDIGetNumberOfSources(), source = try source()
        #expect(MIDIGetNumberOfSources() == before + 1 && MIDIGetSource(before) == source)
        #expect(MIDIGetSource(-1) == 0 && MIDIGetSource(before + 1) == 0 && MIDIGetDestination(.max) == 0)
        #expect(MIDIGetNumberOfDevices() == 0 && MIDIGetDevice(0) == 0 && MIDIGetNumberOfExternalDevices() == 0)
        var entity = MIDIEntityRef()
        #expect(MIDIEndpointGetEntity(source, &entity) == kMIDIObjectNotFound && entity == 0)
        #expect(MIDIClientDispose(client) == noErr && MIDIGetNumberOfSources() == before)
        #expect(MIDIClientDispose(client) == kMIDIInvalidClient && MIDIEndpointDispose(source) == kMIDIUnknownEndpoint)
    }

    @Test func mistakesHaveApplesCodes() throws {
        let source = try source(), destination = try destination(Heard()), output = try output(), some = list((0, [0xF8]))
        defer { MIDIClientDispose(client) }
        var made = MIDIObjectRef()
        #expect(MIDIOutputPortCreate(source, "a" as CFString, &made) == kMIDIInvalidClient)
        #expect(MIDISourceCreate(0, "a" as CFString, &made) == kMIDIInvalidClient && made == 0)
        #expect(MIDIPortConnectSource(output, source, nil) == kMIDIInvalidPort)
        #expect(MIDIInputPortCreateWithBlock(client, "a" as CFString, &made) { _, _ in } == noErr)
        #expect(MIDIPortConnectSource(made, destination, nil) == kMIDIWrongEndpointType)
        #expect(MIDIPortConnectSource(made, 7, nil) == kMIDIUnknownEndpoint)
        #expect(some.withUnsafePointer { MIDISend(made, destination, $0) } == kMIDIInvalidPort)
        #expect(some.withUnsafePointer { MIDISend(output, source, $0) } == kMIDIWrongEndpointType)
        #expect(some.withUnsafePointer { MIDISend(output, client, $0) } == kMIDIUnknownEndpoint)
        #expect(some.withUnsafePointer { MIDIReceived(destination, $0) } == kMIDIWrongEndpointType)
        #expect(MIDIFlushOutput(source) == kMIDIWrongEndpointType && MIDIFlushOutput(3) == kMIDIUnknownEndpoint)
        #expect(MIDIPortDispose(made) == noErr && MIDIPortDispose(made) == kMIDIInvalidPort)
        #expect(MIDIRestart() == noErr)
        #expect(Studio().open("usb:zz") == kMIDIServerStartErr)
    }

    @Test(.enabled(if: access("/dev/snd/seq", F_OK) != 0)) func withoutASequencerTheServerDoesNotStart() {
        let studio = Studio()
        #expect(studio.open("any") == kMIDIServerStartErr && studio.open("any") == kMIDIServerStartErr)
    }

    @Test func aThruConnectionChangesWhatPasses() throws {
        let heard = Heard(), source = try source(), destination = try destination(heard)
        defer { MIDIClientDispose(client) }
        var params = MIDIThruConnectionParams()
        MIDIThruConnectionParamsInitialize(&params)
        params.numSources = 1
        params.sources.0.endpointRef = source
        params.numDestinations = 1
        params.destinations.0.uniqueID = try #require(number(destination, kMIDIPropertyUniqueID))
        params.channelMap.1 = 9
        params.channelMap.2 = 0xFF
        params.noteNumber = MIDITransform(transform: .add, param: 12)
        params.velocity = MIDITransform(transform: .maxValue, param: 100)
        params.lowNote = 21
        params.filterOutBeatClock = 1
        params.numControlTransforms = 1
        params.numMaps = 1
        var data = withUnsafeBytes(of: params) { Data($0) }
        let control = MIDIControlTransform(
            controlType: .controlType_7Bit, remappedControlType: .controlType_7Bit, controlNumber: 7, transform: .mapValue,
            param: 0)
        data.append(withUnsafeBytes(of: control) { Data($0) })
        data.append(Data((0..<128).map { UInt8(127 - $0) }))
        #expect(MIDIThruConnectionParamsSize(&params) == data.count)
        var thru = MIDIThruConnectionRef()
        #expect(MIDIThruConnectionCreate("tests" as CFString, data as CFData, &thru) == noErr)
        #expect(MIDIThruConnectionCreate(nil, data.prefix(300) as CFData, &thru) == kAudio_ParamError)
        let sent: [[UInt8]] = [
            [0x90, 60, 120], [0x91, 60, 1], [0x92, 60, 1], [0x80, 60, 3], [0xF8], [0xB0, 7, 100], [0xB0, 8, 100], [0x90, 20, 9],
            [0xF0, 1, 0xF7], [0x90, 125, 9],
        ]
        for bytes in sent { list((0, bytes)).withUnsafePointer { _ = MIDIReceived(source, $0) } }
        let wanted: [[UInt8]] = [
            [0x90, 72, 100], [0x99, 72, 1], [0x80, 72, 3], [0xB0, 7, 27], [0xB0, 8, 100], [0xF0, 1, 0xF7], [0x90, 127, 9],
        ]
        #expect(heard.wait(wanted.count) && heard.bytes == wanted)
        var found = Unmanaged.passRetained(NSData())
        found.release()
        #expect(MIDIThruConnectionFind("tests" as CFString, &found) == noErr)
        #expect(found.takeRetainedValue() as Data == withUnsafeBytes(of: thru) { Data($0) })
        #expect(MIDIThruConnectionGetParams(thru, &found) == noErr && found.takeRetainedValue() as Data == data)
        #expect(MIDIThruConnectionDispose(thru) == noErr && MIDIThruConnectionDispose(thru) == kMIDIObjectNotFound)
    }

    @Test func changesAreToldOnTheLoopOfTheThreadOrElsewhere() throws {
        MIDIClientDispose(client)
        let onLoop = Heard(), elsewhere = Heard(), threads = Heard(), isOver = Atomic(false)
        @Sendable func note(_ heard: Heard, _ message: UnsafePointer<MIDINotification>) {
            let size = UnsafeRawPointer(message).load(fromByteOffset: 4, as: UInt32.self)
            heard.note([UInt8(message.pointee.messageID.rawValue), UInt8(size)])
        }
        let thread = Thread {
            let own = Thread.current
            let quiet = Handle()
            var made = MIDIClientRef(), source = MIDIEndpointRef()
            MIDIClientCreateWithBlock("Loop" as CFString, &made) { message in
                note(onLoop, message)
                threads.note([Thread.current === own ? 1 : 0])
            }
            // This thread ends at once, and with it its loop.
            let other = Thread { MIDIClientCreateWithBlock("None" as CFString, &quiet.client) { note(elsewhere, $0) } }
            other.start()
            while !other.isFinished { usleep(1_000) }
            MIDISourceCreate(made, "Seen" as CFString, &source)
            MIDIObjectSetStringProperty(source, kMIDIPropertyModel, "M" as CFString)
            MIDIEndpointDispose(source)
            while onLoop.all.count < 5 || elsewhere.all.count < 5 { CFRunLoopRunInMode(.defaultMode, 0.02, false) }
            MIDIClientDispose(made)
            MIDIClientDispose(quiet.client)
            isOver.store(true, ordering: .releasing)
        }
        thread.start()
        for _ in 0..<5_000 where !isOver.load(ordering: .acquiring) { usleep(1_000) }
        let wanted: [[UInt8]] = [[2, 24], [1, 8], [4, 24], [3, 24], [1, 8]]
        #expect(onLoop.bytes == wanted && elsewhere.bytes == wanted && !threads.bytes.contains([0]))
    }

    @Test func theNetworkSessionIsNeverEnabled() {
        let session = MIDINetworkSession.default()
        #expect(!session.isEnabled && session.connectionPolicy == .noOne && session.sourceEndpoint() == 0)
        #expect(!session.addContact(MIDINetworkHost(name: "a", address: "b", port: 1)) && session.contacts().isEmpty)
    }
}
