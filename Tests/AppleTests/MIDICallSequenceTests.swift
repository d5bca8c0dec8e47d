import CoreMIDI
import Synchronization
import Testing

@testable import CoreMIDI

extension CoreMIDITests {
    /// The numbers that calls have made, disposed of or not, for several threads.
    private final class Pool: @unchecked Sendable {
        enum Kind: Int, CaseIterable { case client, input, output, source, destination, thru }

        private let lock = NSLock()
        private var refs = [[MIDIObjectRef]](repeating: [], count: Kind.allCases.count)
        private(set) var good = 0, bad = 0

        func add(_ ref: MIDIObjectRef, _ kind: Kind) { lock.withLock { if ref != 0 { refs[kind.rawValue].append(ref) } } }
        func count(_ status: OSStatus) { lock.withLock { if status == noErr { good += 1 } else { bad += 1 } } }

        /// Mostly one of the kind that was made last, at times of another, or a number that never was.
        func pick(_ kind: Kind, _ dice: inout Dice) -> MIDIObjectRef {
            let chance = dice.next(24), other = dice.next(Kind.allCases.count), back = dice.next(3)
            let list = lock.withLock { refs[chance == 0 ? other : kind.rawValue] }
            if chance == 1 || list.isEmpty { return dice.pick([0, 1, 77, .max, 0x1_0000]) }
            return list[max(0, list.count - 1 - back)]
        }

        func end() {
            for client in lock.withLock({ refs[Kind.client.rawValue] }) { MIDIClientDispose(client) }
            for thru in lock.withLock({ refs[Kind.thru.rawValue] }) { MIDIThruConnectionDispose(thru) }
            lock.withLock { refs = refs.map { _ in [] } }
        }
    }

    private static let data: [[UInt8]] = [
        [], [0x90, 60, 100], [0xB0, 7, 1], [0xF8], [0xF0, 1, 0xF7], [0xF0, 1, 2], [3, 0xF7], [0xFF, 0x80, 1],
        [UInt8](repeating: 0xFE, count: 1_000), [0xF0] + [UInt8](repeating: 9, count: 65_534), [0x40, 0x90, 1, 2],
    ]

    /// A callback that calls: it answers a note, and disposes of its own port.
    private static func heard(_ list: UnsafePointer<MIDIPacketList>, _ pool: Pool, _ seed: UInt64) {
        var dice = Dice(state: seed &+ UInt64(list.pointee.numPackets))
        for packet in list.unsafeSequence() {
            let first = packet.bytes().first { _ in true } ?? 0
            _ = MIDIGetNumberOfSources() + MIDIGetNumberOfDestinations()
            if first == 0x90 {
                let answer = MIDIPacketList.Builder(byteSize: 0)
                answer.append(timestamp: 0, data: [0x80, 60, 0])
                answer.withUnsafePointer { _ = MIDISend(pool.pick(.output, &dice), pool.pick(.destination, &dice), $0) }
            } else if first == 0xB0 {
                MIDIPortDispose(pool.pick(.input, &dice))
            }
        }
    }

    /// One of each, so that calls have something to work with.
    private static func begin(_ pool: Pool) {
        var client = MIDIClientRef(), made = MIDIObjectRef()
        MIDIClientCreateWithBlock("a" as CFString, &client, nil)
        pool.add(client, .client)
        MIDIOutputPortCreate(client, "a" as CFString, &made)
        pool.add(made, .output)
        MIDISourceCreate(client, "a" as CFString, &made)
        pool.add(made, .source)
        MIDIDestinationCreateWithBlock(client, "a" as CFString, &made) { list, _ in heard(list, pool, 0) }
        pool.add(made, .destination)
        MIDIInputPortCreateWithBlock(client, "a" as CFString, &made) { list, _ in heard(list, pool, 1) }
        pool.add(made, .input)
    }

    private static func call(_ pool: Pool, _ dice: inout Dice) {
        let seed = UInt64(dice.next(1_000)), now = mach_absolute_time()
        let names = ["", "a", "Gläser", String(repeating: "long ", count: 100)].map { $0 as CFString }
        let properties = [
            kMIDIPropertyName, kMIDIPropertyUniqueID, kMIDIPropertyOffline, kMIDIPropertyAdvanceScheduleTimeMuSec,
            "own" as CFString,
        ]
        let name = dice.pick(names), property = dice.pick(properties), anything = dice.pick(Pool.Kind.allCases)
        var made = MIDIObjectRef(), number: Int32 = 0, text: Unmanaged<CFString>?, all: Unmanaged<CFPropertyList>?
        let list = MIDIPacketList.Builder(byteSize: dice.pick([-1, 0, 300, 70_000])), some = dice.next(4)
        for _ in 0..<some { list.append(timestamp: dice.pick([0, 1, now + 1_000_000, .max]), data: dice.pick(data)) }
        let words = MIDIEventList.Builder(
            inProtocol: dice.pick([._1_0, ._1_0, ._1_0, ._2_0]), wordSize: dice.pick([-1, 0, 100]))
        words.append(
            timestamp: 0, words: dice.pick([[], [0x2090_3C40], [0x3002_0102, 0], [0x3002_0102], [0x4090_0000, 0], [.max]]))
        let status: OSStatus
        switch dice.next(24) {
        case 0:
            status = MIDIClientCreateWithBlock(name, &made) { _ = $0.pointee.messageSize }
            pool.add(made, .client)
        case 1:
            status = MIDIInputPortCreateWithBlock(pool.pick(.client, &dice), name, &made) { list, _ in heard(list, pool, seed) }
            pool.add(made, .input)
        case 2:
            status = MIDIInputPortCreateWithProtocol(
                pool.pick(.client, &dice), name, dice.pick([._1_0, ._1_0, ._1_0, ._2_0]), &made
            ) { _, _ in
            }
            pool.add(made, .input)
        case 3:
            status = MIDIOutputPortCreate(pool.pick(.client, &dice), name, &made)
            pool.add(made, .output)
        case 4:
            status = MIDISourceCreate(pool.pick(.client, &dice), name, &made)
            pool.add(made, .source)
        case 5:
            status = MIDIDestinationCreateWithBlock(pool.pick(.client, &dice), name, &made) { list, _ in heard(list, pool, seed) }
            pool.add(made, .destination)
        case 6, 7: status = MIDIPortConnectSource(pool.pick(.input, &dice), pool.pick(.source, &dice), nil)
        case 8: status = MIDIPortDisconnectSource(pool.pick(.input, &dice), pool.pick(.source, &dice))
        case 9, 10:
            let port = pool.pick(.output, &dice), destination = pool.pick(.destination, &dice)
            status = list.withUnsafePointer { MIDISend(port, destination, $0) }
        case 11, 12:
            let source = pool.pick(.source, &dice)
            status = list.withUnsafePointer { MIDIReceived(source, $0) }
        case 13:
            let port = pool.pick(.output, &dice), destination = pool.pick(.destination, &dice)
            status = words.withUnsafePointer { MIDISendEventList(port, destination, $0) }
        case 14:
            let source = pool.pick(.source, &dice)
            status = words.withUnsafePointer { MIDIReceivedEventList(source, $0) }
        case 15: status = MIDIFlushOutput(dice.next(4) == 0 ? 0 : pool.pick(.destination, &dice))
        case 16:
            status = MIDIObjectGetStringProperty(pool.pick(anything, &dice), dice.pick([property, kMIDIPropertyName]), &text)
            text?.release()
        case 17:
            status = MIDIObjectGetIntegerProperty(
                pool.pick(dice.pick([.source, .destination, anything]), &dice),
                dice.pick([property, kMIDIPropertyUniqueID, kMIDIPropertyOffline]), &number)
        case 18: status = MIDIObjectSetIntegerProperty(pool.pick(anything, &dice), property, dice.pick([0, 1, .max, .min]))
        case 19:
            status = MIDIObjectGetProperties(pool.pick(anything, &dice), &all, dice.next(2) == 0)
            all?.release()
        case 20: status = MIDIObjectFindByUniqueID(dice.pick([0, 1, .max]), &made, nil)
        case 21:
            var params = MIDIThruConnectionParams()
            MIDIThruConnectionParamsInitialize(&params)
            (params.numSources, params.numDestinations) = (1, dice.pick([0, 1, 1, 9]))
            params.sources.0.endpointRef = pool.pick(.source, &dice)
            params.destinations.0.endpointRef = pool.pick(.destination, &dice)
            params.numMaps = dice.pick([0, 0, .max])
            params.noteNumber = MIDITransform(
                transform: dice.pick([.none, .add, .mapValue, .scale]), param: dice.pick([0, .max, .min]))
            let bytes = withUnsafeBytes(of: params) { Data($0) }
            status = MIDIThruConnectionCreate(nil, bytes.prefix(dice.pick([204, 204, 100, 0])) as CFData, &made)
            pool.add(made, .thru)
        default:
            let
                kind = dice.pick(
                    [.client, .input, .output, .source, .destination, .thru, .input, .source, .destination] as [Pool.Kind]),
                ref = pool.pick(kind, &dice)
            let dispose =
                [
                    .client: MIDIClientDispose, .input: MIDIPortDispose, .output: MIDIPortDispose, .source: MIDIEndpointDispose,
                    .destination: MIDIEndpointDispose, .thru: MIDIThruConnectionDispose,
                ] as [Pool.Kind: (MIDIObjectRef) -> OSStatus]
            status = dispose[kind]?(ref) ?? noErr
        }
        pool.count(status)
    }

    /// Calls in any order, many with what cannot be: a code each, nothing left.
    @Test(arguments: [1, 2]) func everyCallAnswers(_ threads: Int) async throws {
        MIDIClientDispose(client)
        let objects = Studio.shared.sync { Studio.shared.objects.count }, pool = Pool(), sequences = Dice.sequences(400) / threads
        for sequence in 0..<sequences {
            await withTaskGroup { group in
                for thread in 0..<threads {
                    group.addTask {
                        var dice = Dice(state: UInt64(sequence * 2 + thread))
                        Self.begin(pool)
                        for _ in 0..<20 { Self.call(pool, &dice) }
                    }
                }
            }
            pool.end()
        }
        let calls = sequences * threads * 20
        print("\(pool.good) of \(calls) calls worked")
        #expect(pool.good + pool.bad == calls && pool.good > calls / 2 && pool.bad > calls / 5)
        #expect(
            Studio.shared.sync { Studio.shared.objects.count } == objects && Studio.shared.sync { Studio.shared.thrus.isEmpty })
        for _ in 0..<2_000 where Delivery.shared.waiting > 0 { usleep(1_000) }
        #expect(Delivery.shared.waiting == 0)
    }
}
