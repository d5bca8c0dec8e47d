import CPipeWire
import CRealtime
import Glibc
import RemoteIO

/// The calls of libpipewire, all of them: nothing else in the package knows it. It is loaded when PipeWire is requested, and
/// never linked.
enum PipeWireCalls {
    typealias Device = OpaquePointer

    /// The library's file, and the package that brings it.
    static let libraryName = "libpipewire-0.3.so.0"
    static let package = "libpipewire-0.3-0"
    /// True if the library could be loaded, at the first try.
    static let isInstalled = load(libraryName) == nil

    /// Returns why that failed.
    static func load(_ name: String) -> String? { cpw_load(name).map { String(cString: $0) } }

    struct Wish {
        var name: String
        /// Nodes: nil for the session's choice, empty for none.
        var target: String?, captureTarget: String?
        var remote: String?
        var rate: Int, period: Int, outputs: Int, inputs: Int
        /// The loudspeaker of each output, by the library's numbers; empty if they are none.
        var places: [UInt32] = []
    }

    /// Paused until the graph asks for sound. - Throws: `missingLibrary`, `noServer`, `failed`.
    static func open(
        _ device: String, _ wish: Wish, _ gate: UnsafeMutablePointer<PullGate>
    ) throws(DeviceError) -> Device {
        guard isInstalled else { throw .missingLibrary(device: device, library: libraryName, package: package) }
        let calls = cpw_calls(
            context: UnsafeMutableRawPointer(gate), cycle: { PipeWireCalls.cycle($0, $1) },
            xrun: { PipeWireCalls.noteXrun($0) },
            paused: { $0.assumingMemoryBound(to: PullGate.self).pointee.pause($1) },
            lost: { $0.assumingMemoryBound(to: PullGate.self).pointee.lose(ENODEV) })
        let strings = [wish.name, wish.target, wish.captureTarget, wish.remote].map { $0.map { strdup($0) } ?? nil }
        defer { for string in strings { free(string) } }
        guard let name = strings[0] else { throw .noThread(code: ENOMEM) }
        var code: Int32 = 0
        let opened = wish.places.withUnsafeBufferPointer { places in
            var plain = cpw_wish(
                name: name, target: strings[1], capture_target: strings[2], remote: strings[3], rate: Int32(wish.rate),
                period: Int32(wish.period), outputs: Int32(wish.outputs), inputs: Int32(wish.inputs),
                places: places.count == wish.outputs && !places.isEmpty ? places.baseAddress : nil)
            return cpw_open(&plain, calls, &code)
        }
        if let opened { return opened }
        throw refusal(device, code)
    }

    static func wait(_ device: Device, milliseconds: Int) -> Bool { cpw_wait(device, Int32(milliseconds)) }

    static func close(_ device: Device) { cpw_close(device) }

    /// SCHED_FIFO's, 0 for none; nil before the thread's first cycle.
    static func priority(_ device: Device) -> Int? {
        let priority = Int(cpw_priority(device))
        return priority < 0 ? nil : priority
    }

    /// Returns why the capture side is over though the device plays.
    static func captureFault(_ device: Device) -> DeviceFault? {
        var text: UnsafePointer<CChar>?
        let code = cpw_capture_fault(device, &text)
        return code == 0
            ? nil : DeviceFault(function: "pw_stream", code: code, text: text.map { String(cString: $0) } ?? "no reason")
    }

    /// - Throws: `missingLibrary`, `noServer`, `failed`, all of `device`.
    static func nodes(for device: String, remote: String?) throws(DeviceError) -> [PipeWireNode] {
        guard isInstalled else { throw .missingLibrary(device: device, library: libraryName, package: package) }
        final class List { var nodes: [PipeWireNode] = [] }
        let list = List()
        let code = cpw_list(remote, Unmanaged.passUnretained(list).toOpaque()) { context, node in
            func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
            let node = node.pointee, name = String(cString: node.name)
            Unmanaged<List>.fromOpaque(context).takeUnretainedValue().nodes.append(
                PipeWireNode(
                    name: name, description: text(node.description) ?? name, mediaClass: text(node.media_class) ?? "",
                    serial: text(node.serial) ?? ""))
        }
        if code != 0 { throw refusal(device, code) }
        return list.nodes
    }

    private static func refusal(_ device: String, _ code: Int32) -> DeviceError {
        switch code {
        case ECONNREFUSED, ENOENT, EHOSTDOWN, ENOTCONN, EPIPE:
            .noServer(
                device: device, server: "PipeWire daemon",
                remedy: "log in to a session that has one, or start it")
        default:
            .failed(
                device: device,
                DeviceFault(
                    function: "pw_stream_connect", code: code, text: String(cString: strerror(code))))
        }
    }

    // [render]

    /// Called by the data thread.
    @_noLocks static func cycle(_ context: UnsafeMutableRawPointer, _ cycle: UnsafePointer<rt_cycle>) {
        context.assumingMemoryBound(to: PullGate.self).pointee.pull(cycle.pointee)
    }

    @_noLocks static func noteXrun(_ context: UnsafeMutableRawPointer) {
        context.assumingMemoryBound(to: PullGate.self).pointee.noteXrun()
    }
}
