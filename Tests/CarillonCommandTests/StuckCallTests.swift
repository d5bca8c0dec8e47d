import Glibc
import Synchronization
import TestFolders
import Testing

@testable import CarillonCommand

/// What never returns is given up; what only waits is not.
@Suite struct StuckCallTests {
    @Test func aThreadThatComputesWithoutABeatIsStuck() throws {
        let flag = Flag()
        let watchdog = Watchdog(patience: .milliseconds(50)) { _ in flag.raise() }
        try watchdog.start()
        while !flag.isUp && processorTime() < 60 {}
        #expect(flag.isUp)
    }

    @Test func aThreadThatBeatsOrWaitsIsNot() throws {
        let flag = Flag()
        let watchdog = Watchdog(patience: .milliseconds(200)) { _ in flag.raise() }
        try watchdog.start()
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

    @Test func progressElsewhereIsABeatToo() throws {
        let flag = Flag(), steps = Counter()
        let watchdog = Watchdog(patience: .milliseconds(200), progress: { steps.value }) { _ in flag.raise() }
        try watchdog.start()
        while processorTime() < 0.5 { steps.add() }
        let whileItGoesOn = flag.isUp
        while !flag.isUp && processorTime() < 60 {}
        #expect(!whileItGoesOn && flag.isUp)
    }

    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
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

    /// A driver that never lets go of its device: who waits for the audio thread waits for ever.
    @Test func aDeviceThatNeverClosesEndsTheSessionByTheWatchdogAndTheRecordingIsWhole() {
        let folder = TemporaryFolder()
        folder.add(
            "standing.c",
            Array(
                """
                #define _GNU_SOURCE
                #include <dlfcn.h>
                #include <pthread.h>
                #include <string.h>
                #include <unistd.h>
                static pthread_t audio;
                int pthread_setname_np(pthread_t thread, const char *name) {
                    if (!strcmp(name, "carillon-audio")) audio = thread;
                    return 0;
                }
                int pthread_join(pthread_t thread, void **result) {
                    while (audio && pthread_equal(thread, audio)) pause();
                    int (*real)(pthread_t, void **) = dlsym(RTLD_NEXT, "pthread_join");
                    return real(thread, result);
                }
                """.utf8))
        let run = Program.shell(
            """
            clang=$(command -v clang || echo /opt/swift/usr/bin/clang)
            "$clang" -shared -fPIC -O0 standing.c -o ../standing.so && rm standing.c || exit 1
            LD_PRELOAD=$PWD/../standing.so "$CARILLON" live --device null --instrument square-wave \\
                --capture take.wav 2>../log & session=$!
            until grep -q 'event=device' ../log; do kill -0 $session || exit 1; done
            kill -TERM $session; wait $session; code=$?
            tail -n 1 ../log >&2
            exit $code
            """, in: folder)
        #expect(run.exitCode == 70, "\(run.errors)")
        #expect(run.errors.contains("the session did not end in time"), "\(run.errors)")
        // The header says how long the sound is, and all of it is there.
        let wav = folder.bytes(of: "take.wav")
        let size = wav.count > 8 ? wav[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } : 0
        #expect(wav.starts(with: Array("RIFF".utf8)) && size + 8 == wav.count && wav.count > 4096, "\(size), \(wav.count)")
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
            "$clang" -shared -fPIC -O0 stuck.c -o ../stuck.so && rm stuck.c || exit 1
            LD_PRELOAD=$PWD/../stuck.so "$CARILLON" render --instrument fluidsynth one.mid
            """, in: folder)
        #expect(run.exitCode == 70, "\(run.errors)")
        #expect(run.errorLines.count == 1)
        #expect(run.errors.contains("one.mid: a library call has not returned"))
        #expect(folder.names == ["one.mid"])
    }
}
