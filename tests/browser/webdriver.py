"""A browser that tests drive: headless Chromium, spoken to over WebDriver's HTTP with nothing but the standard library."""

import base64
import json
import shutil
import subprocess
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the name that WebDriver gives references to elements
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
MISSING = "chromium or chromedriver was not found (scripts/setup browser installs them): the page is not tested"


class Browser:
    def __init__(self, folder):
        self._driver = subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            self._address = f"http://127.0.0.1:{self._announced_port()}"
            options = {
                "binary": CHROMIUM,
                "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                         "--window-size=1320,1000", "--lang=en", f"--user-data-dir={folder}"],
            }
            logs = {"browser": "ALL", "performance": "ALL"}
            wanted = {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": logs}}
            session = self._ask("POST", "/session", {"capabilities": wanted})
            self._session = f"/session/{session['sessionId']}"
        except BaseException:
            self._driver.kill()
            raise

    def _announced_port(self):
        for line in self._driver.stdout:
            if "started successfully on port" in line:
                return int(line.split("port")[1].strip(" .\n"))
        raise RuntimeError("chromedriver did not start")

    def _ask(self, method, path, body=None):
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._address + path, content, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=1800) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def _command(self, path, body):
        return self._ask("POST", self._session + path, body)

    def open(self, address):
        self._command("/url", {"url": address})

    def run(self, script, *arguments):
        """A function body in the page; its return value."""
        return self._command("/execute/sync", {"script": script, "args": list(arguments)})

    def run_until(self, script, *arguments):
        """The same for one that takes time: it calls `done`, or `failed` with a message."""
        outcome = self._command("/execute/async", {
            "script": "const send = arguments[arguments.length - 1];"
                      "const done = (value) => send({value}), failed = (error) => send({error: String(error)});" + script,
            "args": list(arguments)})
        if "error" in outcome:
            raise AssertionError(outcome["error"])
        return outcome.get("value")

    def devtools(self, command, **parameters):
        return self._command("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def find(self, selector):
        return self._command("/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        # In the middle of the window, where nothing that stays in place covers it.
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        self._command(f"/element/{self.find(selector)}/click", {})

    def type(self, selector, text):
        self._command(f"/element/{self.find(selector)}/value", {"text": text})

    def press(self, key):
        """A key, to whatever has the focus."""
        actions = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self._command("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def logs(self, kind):
        """What was logged since the last call."""
        return self._command("/se/log", {"type": kind})

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self._ask("GET", self._session + "/screenshot")))

    def close(self):
        try:
            self._ask("DELETE", self._session)
        finally:
            self._driver.terminate()
            self._driver.wait()
            self._driver.stdout.close()
