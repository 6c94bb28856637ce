"""A household's arr applications, stood in for by our own program: started here, asked what they did, ended with this one."""

import json
import subprocess
import sys


class Household:
    def __init__(self, program):
        self._process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.doors = self._read()
        """Address and key by the application's name."""

    def _read(self):
        line = self._process.stdout.readline()
        if not line:
            sys.exit(f"the household ended with exit code {self._process.wait()}")
        return json.loads(line)

    def _order(self, verb, name):
        print(verb, name, file=self._process.stdin, flush=True)
        return self._read()

    def state(self, name):
        """Queue, history, commands … as the application itself has them."""
        return self._order("state", name)

    def settle(self, name):
        """The same, once all commands have ended."""
        return self._order("settle", name)

    def close(self):
        self._process.stdin.close()
        self._process.wait(timeout=20)
