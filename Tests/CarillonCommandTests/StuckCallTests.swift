import Carillon
import Glibc
import Synchronization
import Testing

/// What never returns is given up; what only waits is not.
@Suite struct StuckCallTests {
    @Test func aThreadThatComputesWithoutABeatIsStuck() {
        let flag = Flag()
        let watchdog = Watchdog(patience: .milliseconds(50)) { flag.raise() }
        #expect(watchdog.start() == 0)
        while !flag.isUp && processorTime() < 60 {}
        #expect(flag.isUp)
    }

    @Test func aThreadThatBeatsOrWaitsIsNot() {
        let flag = Flag()
        let watchdog = Watchdog(patience: .milliseconds(200)) { flag.raise() }
        #expect(watchdog.start() == 0)
        // Half a second of computing, with beats.
        while processorTime() < 0.5 { watchdog.beat() }
        // Half a second of waiting, without: nobody writes to this pipe.
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        var waiting = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, 500)
        close(ends[0])
        close(ends[1])
        watchdog.stop()
        #expect(!flag.isUp)
    }

    private let start = clock(CLOCK_THREAD_CPUTIME_ID)

    private func processorTime() -> Double { Self.clock(CLOCK_THREAD_CPUTIME_ID) - start }

    private static func clock(_ id: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(id, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private final class Flag: Sendable {
        private let value = Atomic<Bool>(false)
        var isUp: Bool { value.load(ordering: .acquiring) }
        func raise() { value.store(true, ordering: .releasing) }
    }

    /// A library whose render call never returns: who looks it up is given another one.
    @Test func aLibraryCallThatNeverReturnsEndsTheRender() {
        let folder = TemporaryFolder()
        folder.add("one.mid", SongBytes.oneNote)
        folder.add(
            "stuck.c",
            Array(
                """
                #define _GNU_SOURCE
                #include <dlfcn.h>
                #include <string.h>
                static int stuck(void *s, int n, int e, float **f, int o, float **out) { for (;;) ; }
                void *dlsym(void *library, const char *name) {
                    if (!strcmp(name, "fluid_synth_process")) return (void *)stuck;
                    void *(*real)(void *, const char *) = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
                    return real(library, name);
                }
                """.utf8))
        let run = Program.shell(
            """
            clang=$(command -v clang || echo /opt/swift/usr/bin/clang)
            "$clang" -shared -fPIC -O0 stuck.c -o ../hidden/stuck.so && rm stuck.c || exit 1
            LD_PRELOAD=$PWD/../hidden/stuck.so "$CARILLON" render --instrument fluidsynth one.mid
            """, in: folder)
        #expect(run.exitCode == 70, "\(run.errors)")
        #expect(run.errorLines.count == 1)
        #expect(run.errors.contains("one.mid: a library call has not returned"))
        #expect(folder.names == ["one.mid"])
    }
}
