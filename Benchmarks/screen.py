"""A program on a terminal, and how long its frames take."""
import os
import pty
import select
import signal
import statistics
import sys
import termios
import time


class Screen:
    """A program on a terminal of 100 × 30 cells. A frame is complete when nothing came for 0.2 s.

    A program that writes nothing for a key within 5 s counts as 5 s.
    """

    def __init__(self, environment, *arguments):
        self.start = time.monotonic()
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            termios.tcsetwinsize(0, (30, 100))
            os.execvpe(arguments[0], arguments, environment)

    def frame(self, since, most=60):
        """Seconds until the last byte of what comes next."""
        last = None
        while select.select([self.file], [], [], most if last is None else 0.2)[0]:
            try:
                os.read(self.file, 65_536)
            except OSError:
                sys.exit("a program ended in its terminal")
            last = time.monotonic()
        return most if last is None else last - since

    def key(self, key):
        start = time.monotonic()
        os.write(self.file, key.encode())
        return self.frame(start, 5)

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.file)


def cell(taken):
    """The median and the 95th percentile of some seconds, in milliseconds."""
    taken = sorted(seconds * 1000 for seconds in taken)
    return f"{statistics.median(taken):.3g} / {taken[min(len(taken) - 1, round(0.95 * len(taken)))]:.3g}"
