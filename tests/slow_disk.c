/* A disk that takes its time: every synced write waits for a random part of SLOW_DISK_MS before it
   is done. Loaded with LD_PRELOAD by `python -m tests.repeat`, so SQLite and child processes are
   slowed like Python itself. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static void wait_a_moment(void)
{
    const char *most = getenv("SLOW_DISK_MS");
    long milliseconds = most ? atol(most) : 0;
    if (milliseconds > 0) {
        long nanoseconds = random() % (milliseconds * 1000000L);
        struct timespec pause = {nanoseconds / 1000000000L, nanoseconds % 1000000000L};
        nanosleep(&pause, NULL);
    }
}

int fsync(int descriptor)
{
    int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
    wait_a_moment();
    return real(descriptor);
}

int fdatasync(int descriptor)
{
    int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync");
    wait_a_moment();
    return real(descriptor);
}
