import CJACK
import CRealtime
import Glibc
import RemoteIO

/// The calls of libjack, all of them: nothing else in the package knows it. It is loaded when JACK is requested, and never
/// linked.
enum JACKCalls {
    typealias Client = OpaquePointer

    /// The library's file, of JACK 2 and of PipeWire alike, and the package that brings it.
    static let libraryName = "libjack.so.0"
    static let package = "libjack-jackd2-0"
    /// True if the library could be loaded, at the first try.
    static let isInstalled = load(libraryName) == nil
    /// The number of times that a server is asked that answers and refuses.
    private static let mostTries = 8

    /// Returns why that failed.
    static func load(_ name: String) -> String? { cjack_load(name).map { String(cString: $0) } }

    /// Not active yet. - Throws: `missingLibrary`, `noServer`, `failed`.
    static func open(
        _ device: String, name: String, server: String?, outputs: Int, inputs: Int, _ gate: UnsafeMutablePointer<PullGate>?
    ) throws(DeviceError) -> Client {
        guard isInstalled else { throw .missingLibrary(device: device, library: libraryName, package: package) }
        let calls = cjack_calls(
            context: gate.map { UnsafeMutableRawPointer($0) }, cycle: { JACKCalls.cycle($0, $1) },
            xrun: { $0.assumingMemoryBound(to: PullGate.self).pointee.noteXrun() },
            lost: { $0.assumingMemoryBound(to: PullGate.self).pointee.lose(ENODEV) })
        var status: Int32 = 0
        var tries = 0
        repeat {
            if let client = cjack_open(name, server, Int32(outputs), Int32(inputs), calls, &status) { return client }
            tries += 1
            // A server that answers and refuses: JACK 2 does so now and then if other servers take clients at the same time.
        } while status & CJACK_NO_SERVER == 0 && status & CJACK_SERVER_ERROR != 0 && tries < mostTries
        if status & CJACK_NO_SERVER != 0 {
            throw .noServer(
                device: device, server: "JACK server" + (server.map { " \($0)" } ?? ""), remedy: "start one, such as jackd")
        }
        let text =
            status & CJACK_STUCK != 0
            ? "an earlier call of libjack does not return; start Carillon again" : "JACK refuses the client, status \(status)"
        throw .failed(device: device, DeviceFault(function: "jack_client_open", code: EIO, text: text))
    }

    /// - Throws: `failed`.
    static func activate(_ client: Client, _ device: String) throws(DeviceError) {
        if cjack_activate(client) != 0 {
            throw .failed(
                device: device, DeviceFault(function: "jack_activate", code: EIO, text: "JACK does not let the client play"))
        }
    }

    static func close(_ client: Client) { cjack_close(client) }

    static func name(_ client: Client) -> String { String(cString: cjack_name(client)) }
    static func sampleRate(_ client: Client) -> Int { Int(cjack_sample_rate(client)) }
    static func period(_ client: Client) -> Int { Int(cjack_period(client)) }
    /// Returns false if the server refused.
    static func setPeriod(_ client: Client, _ frames: Int) -> Bool { cjack_set_period(client, UInt32(frames)) == 0 }
    static func setFreewheel(_ client: Client, _ freewheel: Bool) -> Bool { cjack_set_freewheel(client, freewheel) == 0 }
    /// SCHED_FIFO's, 0 for none; nil before the thread runs.
    static func priority(_ client: Client) -> Int? {
        let priority = Int(cjack_priority(client))
        return priority < 0 ? nil : priority
    }

    static func ports(_ client: Client, takeSound: Bool, arePhysical: Bool = false) -> [String] {
        let flags = (takeSound ? CJACK_INPUT : CJACK_OUTPUT) | (arePhysical ? CJACK_PHYSICAL : 0)
        guard let names = cjack_ports(client, flags) else { return [] }
        defer { cjack_free(names) }
        var list: [String] = []
        while let name = names[list.count] { list.append(String(cString: name)) }
        return list
    }

    static func port(_ client: Client, isInput: Bool, _ index: Int) -> String? {
        cjack_port_name(client, isInput, Int32(index)).map { String(cString: $0) }
    }

    /// A bit for each input that is linked to something. If none is, captured sound counts as missing until the next call.
    static func linkedInputs(_ client: Client) -> UInt64 { cjack_linked_inputs(client) }

    /// Returns whether the two are connected then.
    static func connect(_ client: Client, _ from: String, _ to: String) -> Bool {
        let code = cjack_connect(client, from, to)
        return code == 0 || code == EEXIST
    }

    // [render]

    /// Called by JACK's thread.
    @_noLocks static func cycle(_ context: UnsafeMutableRawPointer, _ cycle: UnsafePointer<rt_cycle>) {
        context.assumingMemoryBound(to: PullGate.self).pointee.pull(cycle.pointee)
    }
}
