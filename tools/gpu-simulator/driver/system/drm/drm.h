// <linux/kfd_ioctl.h> includes the kernel's DRM header by this name, which distributions replace
// by libdrm's. Searched after the system's own folders.
#include <libdrm/drm.h>
