#include "page_data.h"

// #embed is of C23; older modes have it as an extension. The paths count from this file. A test compares the list with the
// folder.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char calendar_js[] = {
#embed "page/calendar.js"
};
static const unsigned char canvas_js[] = {
#embed "page/canvas.js"
};
static const unsigned char catalogue_js[] = {
#embed "page/catalogue.js"
};
static const unsigned char dom_js[] = {
#embed "page/dom.js"
};
static const unsigned char edit_js[] = {
#embed "page/edit.js"
};
static const unsigned char format_js[] = {
#embed "page/format.js"
};
static const unsigned char house_js[] = {
#embed "page/house.js"
};
// The PNG are `rsvg-convert -w 192 icon.svg -o icon-192.png`, and so on: home screens of phones take no SVG.
static const unsigned char icon_192_png[] = {
#embed "page/icon-192.png"
};
static const unsigned char icon_512_png[] = {
#embed "page/icon-512.png"
};
static const unsigned char icon_svg[] = {
#embed "page/icon.svg"
};
static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char keyboard_js[] = {
#embed "page/keyboard.js"
};
static const unsigned char link_js[] = {
#embed "page/link.js"
};
static const unsigned char log_js[] = {
#embed "page/log.js"
};
static const unsigned char loops_js[] = {
#embed "page/loops.js"
};
static const unsigned char manifest_webmanifest[] = {
#embed "page/manifest.webmanifest"
};
static const unsigned char meter_js[] = {
#embed "page/meter.js"
};
static const unsigned char mixer_js[] = {
#embed "page/mixer.js"
};
static const unsigned char notices_js[] = {
#embed "page/notices.js"
};
static const unsigned char overview_js[] = {
#embed "page/overview.js"
};
static const unsigned char page_css[] = {
#embed "page/page.css"
};
static const unsigned char page_js[] = {
#embed "page/page.js"
};
static const unsigned char parameters_js[] = {
#embed "page/parameters.js"
};
static const unsigned char position_js[] = {
#embed "page/position.js"
};
static const unsigned char queue_js[] = {
#embed "page/queue.js"
};
static const unsigned char roll_js[] = {
#embed "page/roll.js"
};
static const unsigned char scenes_js[] = {
#embed "page/scenes.js"
};
static const unsigned char slider_js[] = {
#embed "page/slider.js"
};
static const unsigned char song_js[] = {
#embed "page/song.js"
};
static const unsigned char songs_js[] = {
#embed "page/songs.js"
};
static const unsigned char sounds_js[] = {
#embed "page/sounds.js"
};
static const unsigned char stage_js[] = {
#embed "page/stage.js"
};
static const unsigned char system_js[] = {
#embed "page/system.js"
};
static const unsigned char trails_js[] = {
#embed "page/trails.js"
};
static const unsigned char transport_js[] = {
#embed "page/transport.js"
};
static const unsigned char twice_js[] = {
#embed "page/twice.js"
};
static const unsigned char wake_js[] = {
#embed "page/wake.js"
};

#define FILE_OF(name, bytes) {name, bytes, sizeof bytes}

static const struct carillon_page_file files[] = {
    FILE_OF("calendar.js", calendar_js),
    FILE_OF("canvas.js", canvas_js),
    FILE_OF("catalogue.js", catalogue_js),
    FILE_OF("dom.js", dom_js),
    FILE_OF("edit.js", edit_js),
    FILE_OF("format.js", format_js),
    FILE_OF("house.js", house_js),
    FILE_OF("icon-192.png", icon_192_png),
    FILE_OF("icon-512.png", icon_512_png),
    FILE_OF("icon.svg", icon_svg),
    FILE_OF("index.html", index_html),
    FILE_OF("keyboard.js", keyboard_js),
    FILE_OF("link.js", link_js),
    FILE_OF("log.js", log_js),
    FILE_OF("loops.js", loops_js),
    FILE_OF("manifest.webmanifest", manifest_webmanifest),
    FILE_OF("meter.js", meter_js),
    FILE_OF("mixer.js", mixer_js),
    FILE_OF("notices.js", notices_js),
    FILE_OF("overview.js", overview_js),
    FILE_OF("page.css", page_css),
    FILE_OF("page.js", page_js),
    FILE_OF("parameters.js", parameters_js),
    FILE_OF("position.js", position_js),
    FILE_OF("queue.js", queue_js),
    FILE_OF("roll.js", roll_js),
    FILE_OF("scenes.js", scenes_js),
    FILE_OF("slider.js", slider_js),
    FILE_OF("song.js", song_js),
    FILE_OF("songs.js", songs_js),
    FILE_OF("sounds.js", sounds_js),
    FILE_OF("stage.js", stage_js),
    FILE_OF("system.js", system_js),
    FILE_OF("trails.js", trails_js),
    FILE_OF("transport.js", transport_js),
    FILE_OF("twice.js", twice_js),
    FILE_OF("wake.js", wake_js),
};

size_t carillon_page_count(void) { return sizeof files / sizeof files[0]; }

struct carillon_page_file carillon_page_file(size_t index) { return files[index]; }
