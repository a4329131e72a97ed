import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identify, readConfig } from '@sluice/system';
import { freePort } from '@sluice/testing';
import { createNode, client, removeNodes, running, streams } from '#test/node.ts';
import { everybody } from '#test/supervisor.ts';
import { agentEnvironment } from './config.ts';

afterEach(removeNodes);

/** A node as its pod has it: its token comes from elsewhere, clients are led to a port that is known before, nothing outlives its agent. */
async function createPod() {
  const node = await createNode();
  const [tokenFile, port] = [join(node.home, 'token-of-the-cluster'), await freePort()];
  await writeFile(tokenFile, `${node.supervisor.token}\n`, { mode: 0o400 });
  const environment = {
    AGENT_TOKEN_FILE: tokenFile,
    AGENT_PROTOCOL_PORTS: `broker_tcp=${port}`,
    AGENT_ENDS_NODE: 'true',
  };
  return { ...node, port, tokenFile, start: () => node.startAgent(environment) };
}

test('an agent in a pod listens where it is told, ends its broker before itself, and the next one goes on with its data', async () => {
  const { supervisor, start, port, tokenFile, brokerPid } = await createPod();
  const first = start();
  expect((await supervisor.heard(running)).ports.broker_tcp).toBe(port);
  await supervisor.desire({ access_rules: everybody });
  const connection = await client(`127.0.0.1:${port}`);
  await (await streams(connection)).streams.add({ name: 'KEPT', subjects: ['kept'] });
  await connection.close();
  const broker = await brokerPid();

  first.child.kill('SIGTERM');
  expect((await first.ended).code).toBe(0);
  expect(await identify(broker)).toBeNull();
  // which an agent in a pod could not remove
  expect(await readFile(tokenFile, 'utf8')).toContain(supervisor.token);

  start();
  await supervisor.heard((heartbeat) => running(heartbeat) && heartbeat.applied?.revision === 2);
  const again = await client(`127.0.0.1:${port}`);
  expect((await (await streams(again)).streams.info('KEPT')).config.name).toBe('KEPT');
  await again.close();
});

test('an agent that finds another token than the one it has enrolled with enrols anew, with a key of its own', async () => {
  const { supervisor, start, tokenFile, home } = await createPod();
  const first = start();
  await supervisor.heard(running);
  const former = await readFile(join(home, 'identity.json'), 'utf8');
  first.child.kill('SIGTERM');
  await first.ended;

  const same = start();
  await supervisor.heard(running);
  same.child.kill('SIGTERM');
  await same.ended;
  expect(await readFile(join(home, 'identity.json'), 'utf8')).toBe(former);

  supervisor.forget('another-token');
  await writeFile(`${tokenFile}.next`, 'another-token', { mode: 0o400 });
  await rename(`${tokenFile}.next`, tokenFile);
  start();
  await supervisor.hears(running);
  expect(await readFile(join(home, 'identity.json'), 'utf8')).not.toBe(former);
});

describe('the settings of an agent', () => {
  const settings = {
    AGENT_HOME: '/node',
    AGENT_SEALING_KEY_FILE: '/key',
    AGENT_RUNTIME_DIR: '/run/node',
    AGENT_SUPERVISOR_URL: 'https://region.example',
  };

  test('refuse an address that others could listen to, unless the network encrypts', () => {
    const plain = { ...settings, AGENT_SUPERVISOR_URL: 'http://supervisor.sluice.svc' };
    expect(() => readConfig(agentEnvironment, plain)).toThrow(
      /AGENT_SUPERVISOR_URL: has to be an https address/,
    );
    expect(readConfig(agentEnvironment, { ...plain, AGENT_PLAIN_HTTP: 'true' })).toMatchObject(plain);
  });

  test.each(['broker_tcp', 'broker_tcp=', 'broker_tcp=0', 'broker_tcp=65536', 'ssh=22', 'broker_tcp=1=2'])(
    'refuse %s as ports of the gateway',
    (ports) => {
      const environment = { ...settings, AGENT_PROTOCOL_PORTS: ports };
      expect(() => readConfig(agentEnvironment, environment)).toThrow(
        /AGENT_PROTOCOL_PORTS: has to be a list/,
      );
    },
  );
});
