// Audio File Services. Names, members and values are Apple's, from the public documentation.
#pragma once

#include <CoreAudioTypes/CoreAudioTypes.h>

#pragma clang assume_nonnull begin

typedef UInt32 AudioFileTypeID;
typedef UInt32 AudioFilePropertyID;
typedef struct OpaqueAudioFileID *AudioFileID;

CF_TYPED_CONSTANTS(AudioFileTypeID) {
    kAudioFileAIFFType = 'AIFF',
    kAudioFileAIFCType = 'AIFC',
    kAudioFileWAVEType = 'WAVE',
    kAudioFileRF64Type = 'RF64',
    kAudioFileBW64Type = 'BW64',
    kAudioFileWave64Type = 'W64f',
    kAudioFileSoundDesigner2Type = 'Sd2f',
    kAudioFileNextType = 'NeXT',
    kAudioFileMP3Type = 'MPG3',
    kAudioFileMP2Type = 'MPG2',
    kAudioFileMP1Type = 'MPG1',
    kAudioFileAC3Type = 'ac-3',
    kAudioFileAAC_ADTSType = 'adts',
    kAudioFileMPEG4Type = 'mp4f',
    kAudioFileM4AType = 'm4af',
    kAudioFileM4BType = 'm4bf',
    kAudioFileCAFType = 'caff',
    kAudioFile3GPType = '3gpp',
    kAudioFile3GP2Type = '3gp2',
    kAudioFileAMRType = 'amrf',
    kAudioFileFLACType = 'flac',
    kAudioFileLATMInLOASType = 'loas',
};

CF_TYPED_CONSTANTS(OSStatus) {
    kAudioFileUnspecifiedError = 'wht?',
    kAudioFileUnsupportedFileTypeError = 'typ?',
    kAudioFileUnsupportedDataFormatError = 'fmt?',
    kAudioFileUnsupportedPropertyError = 'pty?',
    kAudioFileBadPropertySizeError = '!siz',
    kAudioFilePermissionsError = 'prm?',
    kAudioFileNotOptimizedError = 'optm',
    kAudioFileInvalidChunkError = 'chk?',
    kAudioFileDoesNotAllow64BitDataSizeError = 'off?',
    kAudioFileInvalidPacketOffsetError = 'pck?',
    kAudioFileInvalidPacketDependencyError = 'dep?',
    kAudioFileInvalidFileError = 'dta?',
    kAudioFileOperationNotSupportedError = 0x6F703F3F,
    kAudioFileNotOpenError = -38,
    kAudioFileEndOfFileError = -39,
    kAudioFilePositionError = -40,
    kAudioFileFileNotFoundError = -43,
};

typedef CF_OPTIONS(UInt32, AudioFileFlags) {
    kAudioFileFlags_EraseFile = 1,
    kAudioFileFlags_DontPageAlignAudioData = 2,
};

typedef CF_ENUM(SInt8, AudioFilePermissions) {
    kAudioFileReadPermission = 1,
    kAudioFileWritePermission = 2,
    kAudioFileReadWritePermission = 3,
};

typedef struct AudioFile_SMPTE_Time {
    SInt8 mHours;
    UInt8 mMinutes;
    UInt8 mSeconds;
    UInt8 mFrames;
    UInt32 mSubFrameSampleOffset;
} AudioFile_SMPTE_Time;

typedef struct AudioFramePacketTranslation {
    SInt64 mFrame;
    SInt64 mPacket;
    UInt32 mFrameOffsetInPacket;
} AudioFramePacketTranslation;

typedef CF_OPTIONS(UInt32, AudioBytePacketTranslationFlags) {
    kBytePacketTranslationFlag_IsEstimate = 1,
};

typedef struct AudioBytePacketTranslation {
    SInt64 mByte;
    SInt64 mPacket;
    UInt32 mByteOffsetInPacket;
    AudioBytePacketTranslationFlags mFlags;
} AudioBytePacketTranslation;

typedef struct AudioFilePacketTableInfo {
    SInt64 mNumberValidFrames;
    SInt32 mPrimingFrames;
    SInt32 mRemainderFrames;
} AudioFilePacketTableInfo;

typedef struct AudioFileTypeAndFormatID {
    AudioFileTypeID mFileType;
    UInt32 mFormatID;
} AudioFileTypeAndFormatID;

typedef OSStatus (*AudioFile_ReadProc)(void *inClientData, SInt64 inPosition, UInt32 requestCount, void *buffer, UInt32 *actualCount);
typedef OSStatus (*AudioFile_WriteProc)(
    void *inClientData, SInt64 inPosition, UInt32 requestCount, const void *buffer, UInt32 *actualCount);
typedef SInt64 (*AudioFile_GetSizeProc)(void *inClientData);
typedef OSStatus (*AudioFile_SetSizeProc)(void *inClientData, SInt64 inSize);

CF_TYPED_CONSTANTS(AudioFilePropertyID) {
    kAudioFilePropertyFileFormat = 'ffmt',
    kAudioFilePropertyDataFormat = 'dfmt',
    kAudioFilePropertyIsOptimized = 'optm',
    kAudioFilePropertyMagicCookieData = 'mgic',
    kAudioFilePropertyAudioDataByteCount = 'bcnt',
    kAudioFilePropertyAudioDataPacketCount = 'pcnt',
    kAudioFilePropertyMaximumPacketSize = 'psze',
    kAudioFilePropertyDataOffset = 'doff',
    kAudioFilePropertyChannelLayout = 'cmap',
    kAudioFilePropertyDeferSizeUpdates = 'dszu',
    kAudioFilePropertyDataFormatName = 'fnme',
    kAudioFilePropertyMarkerList = 'mkls',
    kAudioFilePropertyRegionList = 'rgls',
    kAudioFilePropertyPacketToFrame = 'pkfr',
    kAudioFilePropertyFrameToPacket = 'frpk',
    kAudioFilePropertyPacketToByte = 'pkby',
    kAudioFilePropertyByteToPacket = 'bypk',
    kAudioFilePropertyChunkIDs = 'chid',
    kAudioFilePropertyInfoDictionary = 'info',
    kAudioFilePropertyPacketTableInfo = 'pnfo',
    kAudioFilePropertyFormatList = 'flst',
    kAudioFilePropertyPacketSizeUpperBound = 'pkub',
    kAudioFilePropertyReserveDuration = 'rsrv',
    kAudioFilePropertyEstimatedDuration = 'edur',
    kAudioFilePropertyBitRate = 'brat',
    kAudioFilePropertyID3Tag = 'id3t',
    kAudioFilePropertySourceBitDepth = 'sbtd',
    kAudioFilePropertyAlbumArtwork = 'aart',

    kAudioFileGlobalInfo_ReadableTypes = 'afrf',
    kAudioFileGlobalInfo_WritableTypes = 'afwf',
    kAudioFileGlobalInfo_FileTypeName = 'ftnm',
    kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat = 'sdid',
    kAudioFileGlobalInfo_AvailableFormatIDs = 'fmid',
    kAudioFileGlobalInfo_AllExtensions = 'alxt',
    kAudioFileGlobalInfo_AllHFSTypeCodes = 'ahfs',
    kAudioFileGlobalInfo_AllUTIs = 'auti',
    kAudioFileGlobalInfo_AllMIMETypes = 'amim',
    kAudioFileGlobalInfo_ExtensionsForType = 'fext',
    kAudioFileGlobalInfo_HFSTypeCodesForType = 'fhfs',
    kAudioFileGlobalInfo_UTIsForType = 'futi',
    kAudioFileGlobalInfo_MIMETypesForType = 'fmim',
    kAudioFileGlobalInfo_TypesForMIMEType = 'tmim',
    kAudioFileGlobalInfo_TypesForUTI = 'tuti',
    kAudioFileGlobalInfo_TypesForHFSTypeCode = 'thfs',
    kAudioFileGlobalInfo_TypesForExtension = 'text',
};

#define kAFInfoDictionary_Album "album"
#define kAFInfoDictionary_ApproximateDurationInSeconds "approximate duration in seconds"
#define kAFInfoDictionary_Artist "artist"
#define kAFInfoDictionary_ChannelLayout "channel layout"
#define kAFInfoDictionary_Comments "comments"
#define kAFInfoDictionary_Composer "composer"
#define kAFInfoDictionary_Copyright "copyright"
#define kAFInfoDictionary_EncodingApplication "encoding application"
#define kAFInfoDictionary_Genre "genre"
#define kAFInfoDictionary_ISRC "ISRC"
#define kAFInfoDictionary_KeySignature "key signature"
#define kAFInfoDictionary_Lyricist "lyricist"
#define kAFInfoDictionary_NominalBitRate "nominal bit rate"
#define kAFInfoDictionary_RecordedDate "recorded date"
#define kAFInfoDictionary_SourceBitDepth "source bit depth"
#define kAFInfoDictionary_SourceEncoder "source encoder"
#define kAFInfoDictionary_SubTitle "subtitle"
#define kAFInfoDictionary_Tempo "tempo"
#define kAFInfoDictionary_TimeSignature "time signature"
#define kAFInfoDictionary_Title "title"
#define kAFInfoDictionary_TrackNumber "track number"
#define kAFInfoDictionary_Year "year"

#pragma clang assume_nonnull end
