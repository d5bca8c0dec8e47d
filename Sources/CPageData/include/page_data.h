#ifndef CARILLON_PAGE_DATA_H
#define CARILLON_PAGE_DATA_H

#include <stddef.h>

/// A file of the page that carillon-gateway serves.
struct carillon_page_file {
    const char *name;
    const void *bytes;
    size_t size;
};

/// How many files the page has.
size_t carillon_page_count(void);

/// The file with this number, which is below the count.
struct carillon_page_file carillon_page_file(size_t index);

#endif
