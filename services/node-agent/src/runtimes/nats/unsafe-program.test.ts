import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { natsServerProgram } from '@sluice/embedded';
import { isSafeNats } from '@sluice/system/nats-server';
import { testFolder } from '@sluice/testing';
import { createNode, failed, removeNodes, running } from '#test/node.ts';

afterEach(removeNodes);

/** A program that is started like nats-server, opens its monitoring and says that it is of this version. */
async function programOf(version: string): Promise<string> {
  const path = join(await testFolder(), 'nats-server');
  const text = `#!${process.execPath}
const { readFileSync, writeFileSync } = require('node:fs');
const [, folder] = /ports_file_dir: "([^"]+)"/.exec(readFileSync(process.argv[3], 'utf8'));
const server = require('node:http').createServer((_, answer) => answer.end(
  JSON.stringify({ version: '${version}', config_load_time: '', connections: 0 })));
server.listen(0, '127.0.0.1', () => {
  const url = ['http://127.0.0.1:' + server.address().port];
  writeFileSync(folder + '/nats-server_' + process.pid + '.ports', JSON.stringify({ nats: url, websocket: url, monitoring: url }));
});
`;
  await writeFile(path, text, { mode: 0o755 });
  return path;
}

test('a broker of a program with known weaknesses is ended before clients reach it, and the report says why', async () => {
  const node = await createNode();
  const agent = node.startAgent({ NATS_SERVER_PATH: await programOf('2.11.8') });
  const { runtimes } = await node.supervisor.heard(failed);
  expect(runtimes[0]?.reason).toBe('nats-server 2.11.8 has known weaknesses: ~2.12.12 || >=2.14.3 is needed');
  expect(agent.messages).not.toContain('broker serves');
  agent.child.kill('SIGKILL');
  await agent.ended;

  node.startAgent({ NATS_SERVER_PATH: await natsServerProgram() });
  await node.supervisor.heard(running);
});

test.each([
  ['2.10.27', false],
  ['2.12.11', false],
  ['2.12.12', true],
  ['2.14.2', false],
  ['2.14.3', true],
  ['2.15.0', true],
])('nats-server %s may run: %s', (version, may) => {
  expect(isSafeNats(version)).toBe(may);
});
