import Carillon
import Testing

@testable import Sessions

/// Units that name no parts hear all sixteen ports: panic and the end of a session tell only those that were played.
@Suite struct ReleaseTests {
    @Test(arguments: ["one-finger-band", "layer-pad", "arpeggiated-lead"]) func nothingIsLostByPanicAndEnd(_ name: String) throws
    {
        var options = SessionInTime.options
        let example = try #require(PatchExample.all.first { $0.name == name }, "\(PatchExample.all.map(\.name))")
        options.patch = try example.patch
        options.ports = 1
        let time = try SessionInTime(options)
        try time.session.receive(.message(MIDIMessage(status: 0x90, data1: 60, data2: 100)))
        try time.pass(0.3)
        for _ in 0..<3 { try time.session.perform(.panic(.all)) }
        try time.session.perform(.volume(-3))
        try time.pass(3)
        #expect(time.session.core.meters.voices == 0)
        try time.session.receive(.message(MIDIMessage(status: 0x90, data1: 64, data2: 100)))
        try time.pass(0.3)
        try time.session.finish()
        #expect(time.session.snapshot.lostEvents == 0)
    }
}
