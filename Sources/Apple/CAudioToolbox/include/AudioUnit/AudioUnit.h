// Audio units, as C programs include them.
#pragma once

#include <AudioToolbox/AUComponent.h>
#include <AudioToolbox/AudioUnitParameters.h>
#include <AudioToolbox/AudioUnitProperties.h>
#include <AudioToolbox/MusicDevice.h>
