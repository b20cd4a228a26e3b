"""System calls by name: their numbers on the machines we run on, and which of them each rule lets through."""

from __future__ import annotations

from types import MappingProxyType

# name -> (x86_64, aarch64); None where the machine has no such call
_NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "read": (0, 63), "write": (1, 64), "open": (2, None), "close": (3, 57), "stat": (4, None), "fstat": (5, 80),
    "lstat": (6, None), "poll": (7, None), "lseek": (8, 62), "mmap": (9, 222), "mprotect": (10, 226),
    "munmap": (11, 215), "brk": (12, 214), "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139), "pread64": (17, 67), "pwrite64": (18, 68), "readv": (19, 65), "writev": (20, 66),
    "access": (21, None), "select": (23, None), "sched_yield": (24, 124), "mremap": (25, 216), "madvise": (28, 233),
    "dup": (32, 23), "nanosleep": (35, 101), "getpid": (39, 172), "exit": (60, 93), "uname": (63, 160),
    "fcntl": (72, 25), "getcwd": (79, 17), "readlink": (89, None), "getrusage": (98, 165), "sysinfo": (99, 179),
    "times": (100, 153), "getuid": (102, 174), "getgid": (104, 176), "geteuid": (107, 175), "getegid": (108, 177),
    "getppid": (110, 173), "sigaltstack": (131, 132), "gettid": (186, 178), "futex": (202, 98),
    "sched_getaffinity": (204, 123), "getdents64": (217, 61), "set_tid_address": (218, 96),
    "restart_syscall": (219, 128), "fadvise64": (221, 223), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115), "exit_group": (231, 94), "openat": (257, 56), "newfstatat": (262, 79),
    "readlinkat": (267, 78), "faccessat": (269, 48), "pselect6": (270, 72), "ppoll": (271, 73),
    "set_robust_list": (273, 99), "getrandom": (318, 278), "membarrier": (324, 283), "statx": (332, 291),
    "rseq": (334, 293), "faccessat2": (439, 439),
    # with a condition on their arguments, see seccomp.py
    "clone": (56, 220), "tgkill": (234, 131), "prlimit64": (302, 261), "socket": (41, 198), "clone3": (435, 435),
    # never
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281), "kill": (62, 129),
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "process_madvise": (440, 440), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "setns": (308, 268), "unshare": (272, 97), "bpf": (321, 280), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225),
    "acct": (163, 89), "quotactl": (179, 60), "syslog": (103, 116), "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264), "personality": (135, 92), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "adjtimex": (159, 171), "fanotify_init": (300, 262), "seccomp": (317, 277),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442), "memfd_secret": (447, 447),
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "vhangup": (153, 58),
    "mbind": (237, 235), "set_mempolicy": (238, 237), "migrate_pages": (256, 238), "move_pages": (279, 239),
}  # fmt: skip

NUMBERS = MappingProxyType(_NUMBERS)

_names = tuple(_NUMBERS)
COMPUTE = frozenset(_names[: _names.index("clone")])
"""Calculating, reading files that Landlock allows, sleeping, ending: nothing else."""

CONDITIONAL = frozenset({"clone", "tgkill", "prlimit64", "socket", "clone3"})

PROCESSES = frozenset({"fork", "vfork", "execve", "execveat", "kill", "tkill"})
"""What a program may use on top, inside a PID namespace of its own."""

NEVER = frozenset(_names[_names.index("fork") :])
"""Reaching other processes, mounts, kernel interfaces and namespaces."""
