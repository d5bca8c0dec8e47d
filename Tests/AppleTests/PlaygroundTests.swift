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

    /// Its files are finished last, whichever was asked for first. With Swift 6.2 the bodies capture nothing.
    @Test func filesAreFinishedAfterThePage() async throws {
        let results = [
            try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) { end(isPageFirst: false) },
            try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) { end(isPageFirst: true) },
        ]
        for result in results {
            let lines = String(decoding: result.standardOutputContent, as: UTF8.self).split(separator: "\n")
            #expect(lines.filter { ["page", "files"].contains($0) } == ["page", "files"])
        }
    }
}

private func end(isPageFirst: Bool) {
    func goOn() {
        ProgramEnd.goOn {
            print("page")
            if isPageFirst { PlaygroundPage.current.finishExecution() }
        }
    }
    if isPageFirst { goOn() }
    ProgramEnd.finish { print("files") }
    if !isPageFirst { goOn() }
    exit(0)
}
