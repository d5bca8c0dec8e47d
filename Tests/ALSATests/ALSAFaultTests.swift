import Glibc
import Testing

@testable import ALSA

@Suite struct ALSAFaultTests {
    @Test func aFaultNamesTheFunctionAndTheReason() {
        let fault = ALSAFault("snd_pcm_open", -ENODEV)
        #expect(fault.code == ENODEV)
        #expect(fault.description == "No such device (snd_pcm_open)")
    }
}
