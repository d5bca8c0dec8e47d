# The Debian packages that Carillon needs, their installation, and the build of the program `carillon`.
# Sourced by tools/test and tools/carillon, in the package's folder.

# To build and to run: 107 packages with all that they need.
build_packages=(
    pkg-config libsmf-dev libsndfile1-dev libebur128-dev libasound2-dev libsoxr-dev libyaml-dev liblo-dev)
# To test, besides: python3 and objdump (binutils) read the release binary's machine code; libraries that the program loads when
# they are asked for, plug-ins of others, and servers of sound. What needs librubberband2 is left out where it cannot be had.
# libfluidsynth-dev (another 135 packages): its header is compared with our declarations. It asks for some libjack-dev, and one that
# excludes jackd2 would go when that comes, hence libjack-jackd2-dev; tools/bare --order finds the like.
test_packages=(
    python3 binutils libfluidsynth-dev libjack-jackd2-dev librubberband2 libspeexdsp1 libmysofa1 liblilv-0-0 mda-lv2 swh-lv2 fomp jackd2 pipewire-bin rsync)

# Installs those of the packages given that are missing. A second run needs no network.
install_missing() {
    local missing
    missing=$(comm -23 <(printf '%s\n' "$@" | sort) \
        <(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' "$@" 2>/dev/null | sed -n 's/^ii *//p' | sort))
    [ -z "$missing" ] && return
    missing=${missing//$'\n'/ }
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        if ! sudo -n true 2>/dev/null; then
            echo "Packages are missing; as root: apt-get install $missing" >&2
            exit 69
        fi
        as_root=(sudo -n)
    fi
    echo "Installing $missing" >&2
    local log
    log=$(mktemp)
    # The lists may be older than the archive: without success, fetch them and try once more.
    if ! install_packages $missing >"$log" 2>&1; then
        if ! { "${as_root[@]}" apt-get update -q && install_packages $missing; } >>"$log" 2>&1; then
            tail -n 5 "$log" >&2
            rm -f "$log"
            echo "apt-get could not install $missing; install them, then start this again" >&2
            exit 69
        fi
    fi
    rm -f "$log"
}

# Uses as_root of install_missing.
install_packages() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
}

# Swift itself is a package of Debian sid only.
require_swift() {
    command -v swift >/dev/null && return
    echo "swift is not in PATH: install Swift 6.3 (https://swift.org/install; on Debian sid apt-get install swiftlang g++)," \
        "then start this again" >&2
    exit 69
}

# Takes the programs in a folder as they are; without a folder, those that build_program builds.
use_programs() {
    export CARILLON_BUILT=$1
    program=${CARILLON_BUILT:-.build-program/release}/carillon
}
use_programs "${CARILLON_BUILT-}"

# With Swift's library inside, and no folder of the builder's in which shared libraries are looked for.
program_flags=(
    -c release --static-swift-stdlib -debug-info-format none -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic
    -Xswiftc -no-toolchain-stdlib-rpath --disable-local-rpath)

# The program, with the Swift library inside: it starts in three quarters of the time. A folder of its own, because the
# flags would make every other release build start from nothing. What the compiler says is in a log, and shown when it fails.
build_program() {
    [ -z "${CARILLON_BUILT-}" ] || return 0
    local product=${1:-carillon} log=.build-program/${1:-carillon}.log start=$SECONDS
    rebuild_if_moved .build-program
    echo "Building $product: some three minutes the first time, seconds later; what the compiler says goes to $log" >&2
    CARILLON_BUILD=$(built_from) swift build "${program_flags[@]}" --product "$product" --scratch-path .build-program 2>&1 |
        tell_progress "$log"
    if [ "${PIPESTATUS[0]}" != 0 ]; then
        grep -E 'error:' "$log" | head -n 20 >&2 || tail -n 20 "$log" >&2
        echo "$product could not be built; the whole log: $log" >&2
        return 70
    fi
    touch -c ".build-program/release/$product"      # nothing to link is no reason to ask again next time
    echo "Built $product in $((SECONDS - start)) s" >&2
}

# Which sources a program is made of, for --version.
built_from() { echo "$(git describe --always --dirty --abbrev=7 2>/dev/null || echo "no commit"), release"; }

# Empties build folders that lay elsewhere when they were made: the compiler's caches in them hold whole paths.
rebuild_if_moved() {
    local folder
    for folder in "$@"; do
        if [ -e "$folder" ] && [ "$(cat "$folder/place" 2>/dev/null)" != "$PWD" ]; then
            # Made before this was written down, and by a build by hand: where the compiler's cache says.
            if [ -e "$folder/place" ] || ! grep -qsF "\"$PWD/" "$folder"/*.yaml; then rm -rf "$folder"; fi
        fi
        mkdir -p "$folder"
        printf '%s\n' "$PWD" >"$folder/place"
    done
}

# Writes a build's lines to a log; on a terminal its steps are counted in one line.
tell_progress() {
    local line
    while IFS= read -r line; do
        printf '%s\n' "$line"
        if [ -t 2 ] && [[ $line =~ ^\[[0-9]+/[0-9]+\] ]]; then printf '\r\033[K%s' "${line:0:72}" >&2; fi
    done >"$1"
    if [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

# What the program loads when it is asked for: that of other people's packages which a package of Carillon suggests.
loaded_packages=(
    libfluidsynth3 librubberband2 libspeexdsp1 libmysofa1 liblilv-0-0 libjack-jackd2-0 libpipewire-0.3-0 libdbus-1-3)

# The best SoundFonts, which `carillon soundfont` ranks.
soundfont_packages=(fluid-soundfont-gm musescore-general-soundfont)

# The version of the program that is built.
program_version() { "$program" --version | sed 's/ .*//'; }
