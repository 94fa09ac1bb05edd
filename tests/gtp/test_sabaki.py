"""Sabaki's own GTP library uses yomi: needs Node, and @sabaki/gtp where Node finds it."""

import shutil
import subprocess
import sys

import pytest

from tests.gtp.conftest import needs_jit

NODE = shutil.which("node")

SCRIPT = """
const {Controller} = require('@sabaki/gtp')
const engine = new Controller(process.argv[1], ['-m', 'gtp', 'gtp', '--threads', '1'])
const send = (name, ...args) => engine.sendCommand({name, args})

async function analyze(command) {
  let lines = 0, answer
  const {error} = await engine.sendCommand(
    {name: command, args: ['W', '5']},
    ({line}) => {
      if (line.startsWith('info ') && ++lines === 3) answer = send('protocol_version')
    }
  )
  const {content} = await answer
  console.log(command, error, content)
}

(async () => {
  engine.start()
  const hello = ['name', 'version', 'protocol_version', 'list_commands'].map((name) => send(name))
  console.log((await Promise.all(hello)).map(({error}) => error).join(' '))
  await send('boardsize', '5')
  await send('play', 'B', 'C3')
  await send('time_settings', '0', '1', '1')
  for (const command of ['kata-analyze', 'lz-analyze']) await analyze(command)
  const {content} = await send('kata-genmove_analyze', 'W', '10')
  console.log(/^play ([A-E][1-5]|pass|resign)$/.test(content.trim().split('\\n').pop()))
  console.log((await send('undo')).error)
  await engine.stop(60000)
})()
"""


def has_library():
    if NODE is None:
        return False
    return (
        subprocess.run([NODE, "-e", "require('@sabaki/gtp')"], capture_output=True).returncode == 0
    )


@needs_jit
@pytest.mark.peers
@pytest.mark.skipif(not has_library(), reason="Node does not find @sabaki/gtp")
def test_sabakis_library():
    done = subprocess.run(
        [NODE, "-e", SCRIPT, sys.executable],
        capture_output=True,
        text=True,
        timeout=200,
        check=True,
    )
    assert done.stdout.split("\n") == [
        "false false false false",
        "kata-analyze false 2",
        "lz-analyze false 2",
        "true",
        "false",
        "",
    ]
