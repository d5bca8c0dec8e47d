import CoreFoundation
import PlaygroundSupport
import Testing
import os
import os.log

@Suite struct PlaygroundTests {
    @Test func aPageGoesOnWhileItIsToldSo() {
        let page = PlaygroundPage.current
        #expect(!page.needsIndefiniteExecution)
        page.needsIndefiniteExecution = true
        #expect(page.needsIndefiniteExecution)
        page.needsIndefiniteExecution = false
        #expect(!page.needsIndefiniteExecution)
    }
}
