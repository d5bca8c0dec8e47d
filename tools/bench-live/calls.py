"""Counts what a thread of another process asks the C library for, with probes in the kernel: the program stays as it is."""
import os
import subprocess

from rig import TRACING, read_file, write_file

MEMORY = ("malloc", "calloc", "realloc", "free", "posix_memalign", "memalign", "mmap", "munmap", "brk")


class Allocations:
    """Calls for memory by the thread of that name, from now on; `everybody` counts those of all threads and processes, to
    show that the probes work."""

    def __init__(self, process, thread):
        self.tid = next(int(task) for task in os.listdir(f"/proc/{process}/task")
                        if read_file(f"/proc/{process}/task/{task}/comm").strip() == thread)
        library = next(line.split()[-1] for line in read_file(f"/proc/{process}/maps").splitlines()
                       if line.endswith("/libc.so.6"))
        offsets = file_offsets(library)
        write_file(f"{TRACING}/uprobe_events", "".join(f"p:memory/{name} {library}:{offsets[name]:#x}\n" for name in MEMORY))
        for name in MEMORY:
            write_file(f"{TRACING}/events/memory/{name}/filter", f"common_pid == {self.tid}\n")
        write_file(f"{TRACING}/events/memory/enable", "1\n")

    def counts(self):
        """{function: calls by the thread}, those that were not called left out."""
        lines = read_file(f"{TRACING}/trace").splitlines()
        found = {name: sum(1 for line in lines if f": {name}: (" in line) for name in MEMORY}
        return {name: count for name, count in found.items() if count}

    def everybody(self):
        return sum(int(line.split()[-1]) for line in read_file(f"{TRACING}/uprobe_profile").splitlines())

    def end(self):
        write_file(f"{TRACING}/events/memory/enable", "0\n")
        write_file(f"{TRACING}/uprobe_events", "\n")


def file_offsets(library):
    """{exported function: its place in the file}."""
    def words(*command):
        return [line.split() for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()]
    segments = [[int(word, 16) for word in line[1:6]] for line in words("readelf", "-lW", library) if line[:1] == ["LOAD"]]
    addresses = {line[2].split("@")[0]: int(line[0], 16) for line in words("nm", "-D", library) if len(line) == 3}
    return {name: address - start + offset for name, address in addresses.items()
            for offset, start, _, _, size in segments if start <= address < start + size}
