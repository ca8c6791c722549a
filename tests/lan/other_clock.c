/* A library that is loaded before libc, and shifts the calendar of a program by some seconds. Their
 * number is in the file that OTHER_CLOCK names, in eight bytes, and may change at any moment. The
 * kernel has one calendar for all namespaces, so the times of files do not shift. Monotonic clocks
 * do not shift either. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int64_t set_by(void)
{
    static volatile int64_t *place;
    const char *name = getenv("OTHER_CLOCK");
    if (!place && name) {
        int file = open(name, O_RDONLY | O_CLOEXEC);
        if (file >= 0) {
            void *map = mmap(0, sizeof *place, PROT_READ, MAP_SHARED, file, 0);
            close(file);
            if (map != MAP_FAILED)
                place = map;
        }
    }
    return place ? *place : 0;
}

int clock_gettime(clockid_t clock, struct timespec *at)
{
    int failed = syscall(SYS_clock_gettime, clock, at);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        at->tv_sec += set_by();
    return failed;
}

int gettimeofday(struct timeval *at, void *zone)
{
    int failed = syscall(SYS_gettimeofday, at, zone);
    if (!failed && at)
        at->tv_sec += set_by();
    return failed;
}

time_t time(time_t *at)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at)
        *at = now.tv_sec;
    return now.tv_sec;
}
