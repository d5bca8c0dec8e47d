#pragma once

#include <CoreAudioTypes/ChannelLayouts.h>
#include <CoreAudioTypes/CoreAudioBaseTypes.h>
