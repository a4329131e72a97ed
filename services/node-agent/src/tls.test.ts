import { readdir, stat } from 'node:fs/promises';
import { connect as open } from 'node:net';
import { join } from 'node:path';
import { connect as openTls } from 'node:tls';
import { once } from 'node:events';
import { wsconnect } from '@nats-io/nats-core';
import { jetstream } from '@nats-io/jetstream';
import { eventually } from '@sluice/testing';
import { serverName, testAuthority } from '#test/certificates.ts';
import { client, createNode, endpointOf, failed, readAll } from '#test/node.ts';
import { removeNodes, running, runningNode, streams } from '#test/node.ts';
import { credentials, everybody } from '#test/supervisor.ts';

const { username: user, password: pass } = credentials;

afterEach(removeNodes);

/** A node whose broker ends TLS. */
async function secureNode(plain_text = false) {
  const authority = await testAuthority();
  const tls = await authority.issue({ plain_text });
  const node = await runningNode({ broker: { tls } });
  await node.supervisor.desire({ access_rules: everybody });
  return { ...node, ...authority, ca: authority.authority };
}

const upgrade = [
  'Host: x',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  `Sec-WebSocket-Key: ${Buffer.alloc(16, 7).toString('base64')}`,
];

function addressOf(endpoint: string) {
  const { hostname: host, port } = new URL(`tcp://${endpoint}`);
  return { host, port: Number(port) };
}

/** The certificate that a client is shown. */
async function shown(endpoint: string, ca: string): Promise<string> {
  const socket = openTls({ ...addressOf(endpoint), ca, servername: serverName });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

/** A connection that speaks no protocol, and what it has been told by its end. */
function raw(endpoint: string, said?: string | Buffer): Promise<string> {
  const socket = open(addressOf(endpoint));
  if (said !== undefined) socket.write(said);
  const answers: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  socket
    .on('data', (chunk: Buffer) => answers.push(chunk))
    .on('error', () => undefined)
    .on('close', () => resolve(Buffer.concat(answers).toString()));
  return promise;
}

test('a stock client comes in by TLS alone, and only to the broker that its authority vouches for', async () => {
  const { tcp, ca } = await secureNode();
  const { authority: stranger } = await testAuthority();
  const silent = raw(tcp);

  for (const options of [{ ca }, { ca, servername: serverName }, { ca, handshakeFirst: true }]) {
    const connection = await client(tcp, { tls: options });
    expect(connection.info?.tls_required).toBe(true);
    await connection.close();
  }
  await expect(client(tcp, { tls: { ca: stranger } })).rejects.toThrow(/certificate/);
  await expect(client(tcp, { tls: { ca: stranger, handshakeFirst: true } })).rejects.toThrow(/certificate/);
  const elsewhere = { ca, servername: 'payments.example' };
  await expect(client(tcp, { tls: elsewhere })).rejects.toThrow(/altnames/);
  await expect(client(tcp)).rejects.toThrow(/certificate/);

  // who says who it is without TLS is not even asked for its login
  const said = await raw(tcp, `CONNECT ${JSON.stringify({ verbose: false, user, pass })}\r\nPING\r\n`);
  expect(said).not.toContain('PONG');
  await raw(tcp, Buffer.alloc(4_096, 0x16));
  expect(await silent).toContain('"tls_required":true');
});

test('a WebSocket is one over TLS', async () => {
  const { websocket, ca } = await secureNode();
  expect(await shown(websocket, ca)).toMatch(/^[0-9A-F]+$/);
  expect(await raw(websocket, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')).not.toContain('101');
  const web = openTls({ ...addressOf(websocket), ca, servername: serverName });
  await once(web, 'secureConnect');
  web.write(`GET / HTTP/1.1\r\n${upgrade.join('\r\n')}\r\n\r\n`);
  const [answer] = (await once(web, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 101 /);
  web.destroy();
});

test('a certificate is renewed while a client publishes, and nobody is cut or lost', async () => {
  const { supervisor, home, tcp, websocket, ca, issue, brokerPid } = await secureNode();
  const connection = await client(tcp, { tls: { ca } });
  await (await streams(connection)).streams.add({ name: 'orders', subjects: ['orders.*'] });
  const [former, before] = [await shown(tcp, ca), await brokerPid()];
  const publisher = jetstream(connection);
  let [count, renewed] = [0, false];
  const publishing = (async () => {
    while (!renewed || count % 100 !== 0) await publisher.publish('orders.new', String(count++));
  })();

  await supervisor.desire({ broker: { tls: await issue() } });
  expect(await shown(tcp, ca)).not.toBe(former);
  expect(await shown(websocket, ca)).not.toBe(former);
  renewed = true;
  await publishing;

  expect(await readAll(connection)).toEqual(Array.from({ length: count }, (_, index) => String(index)));
  expect(connection.stats().outMsgs).toBeGreaterThanOrEqual(count);
  expect(await brokerPid()).toBe(before);
  const [name = '', ...others] = await readdir(join(home, 'broker-files'));
  expect(others).toEqual([]);
  expect((await stat(join(home, 'broker-files', name))).mode & 0o777).toBe(0o600);
  await connection.close();
});

test('clients that are to come without TLS do so beside a certificate, and by a configuration both, or TLS alone', async () => {
  const { supervisor, tcp, websocket, ca, brokerPid } = await secureNode(true);
  const before = await brokerPid();
  const web = await wsconnect({ servers: `ws://${websocket}`, user, pass, reconnect: false });
  await web.close();
  const plain = await client(tcp);
  await expect(client(tcp, { tls: { ca } })).rejects.toThrow(/does not support/);

  await supervisor.desire({ broker: { values: { BROKER_TCP_TLS: 'optional' } } });
  await plain.closed();
  await supervisor.hears(running);
  expect(await brokerPid()).not.toBe(before);
  await (await client(tcp, { tls: null })).close();
  await (await client(tcp, { tls: { ca } })).close();

  await supervisor.desire({ broker: { values: { BROKER_TCP_TLS: 'required' } } });
  await supervisor.hears(running);
  await expect(client(tcp, { tls: null })).rejects.toThrow();
  await (await client(tcp, { tls: { ca } })).close();

  await supervisor.desire({ broker: { values: { BROKER_TCP_TLS: 'yes' } } });
  const { runtimes } = await supervisor.heard(failed);
  expect(runtimes[0]?.reason).toMatch(/BROKER_TCP_TLS /);
});

test('a broker is not started again for its first certificate, and without one a configuration for TLS is refused', async () => {
  const { issue } = await testAuthority();
  const { supervisor, tcp, brokerPid } = await runningNode();
  await supervisor.desire({ access_rules: everybody });
  const connection = await client(tcp);
  const before = await brokerPid();
  await supervisor.desire({ broker: { tls: await issue({ plain_text: true }) } });
  await connection.flush();
  expect(await brokerPid()).toBe(before);

  await supervisor.desire({ broker: { tls: null, values: { BROKER_TCP_TLS: 'required' } } });
  expect((await supervisor.heard(failed)).runtimes[0]?.reason).toMatch(/needs a certificate/);
  await connection.flush();
  await connection.close();
});

test('a new node starts no broker while its supervisor has no certificate for it', async () => {
  const { issue, authority: ca } = await testAuthority();
  const { supervisor, startAgent, brokerPid } = await createNode({ broker: { tls: undefined } });
  const { messages } = startAgent();
  await eventually(() => expect(messages).toContain('there is no certificate yet: the broker waits'));
  expect(messages.filter((message) => message === 'applied')).toEqual([]);
  await expect(brokerPid()).rejects.toThrow();

  await supervisor.desire({ broker: { tls: await issue() }, access_rules: everybody });
  const { broker_tcp } = (await supervisor.heard(running)).ports;
  await (await client(endpointOf(broker_tcp), { tls: { ca } })).close();
  await expect(client(endpointOf(broker_tcp), { tls: null })).rejects.toThrow();
});

test('a node whose supervisor has lost its certificate goes on with the one that it has', async () => {
  const { supervisor, websocket, ca, brokerPid } = await secureNode();
  const [before, serial] = [await brokerPid(), await shown(websocket, ca)];
  await supervisor.desire({ broker: { tls: undefined }, access_rules: everybody });
  expect([await brokerPid(), await shown(websocket, ca)]).toEqual([before, serial]);
});

test('a key that is not that of the certificate is refused, and the broker goes on', async () => {
  const { supervisor, tcp, ca, issue } = await secureNode();
  const { private_key } = await issue();
  await supervisor.desire({ broker: { tls: await issue({ private_key }) } });
  const { runtimes } = await supervisor.heard(failed);
  expect(runtimes[0]?.reason).toMatch(/the certificate and its key do not fit/);
  await (await client(tcp, { tls: { ca } })).close();
});

test('an agent that is started again while the supervisor is away finds TLS as it was', async () => {
  const { supervisor, agent, startAgent, tcp, ca, brokerPid } = await secureNode();
  const connection = await client(tcp, { tls: { ca } });
  agent.child.kill('SIGKILL');
  await agent.ended;
  await supervisor.goAway();
  process.kill(await brokerPid(), 'SIGKILL');
  const next = startAgent();
  await eventually(() => expect(next.messages).toContain('broker serves'));
  await connection.closed();
  await (await eventually(() => client(tcp, { tls: { ca } }))).close();
  await expect(client(tcp)).rejects.toThrow(/certificate/);
  expect(next.lines.join('\n')).not.toContain('PRIVATE KEY');
});

describe('a login that was replaced', () => {
  test('is good until its time, also while the supervisor is away, and who has the new one is not cut', async () => {
    const { supervisor, tcp, brokerPid } = await runningNode();
    await supervisor.desire({ access_rules: everybody });
    const [old, before] = [await client(tcp), await brokerPid()];
    const ended = old.closed().then(() => Date.now());

    const validTo = Date.now() + 2_000;
    await supervisor.desire({
      broker: {
        credentials: { username: 'second', password: 'new one' },
        former_credentials: [{ ...credentials, valid_to: new Date(validTo).toISOString() }],
      },
    });
    await supervisor.goAway();
    const second = await client(tcp, { user: 'second', pass: 'new one' });
    await (await client(tcp)).close();
    await old.flush();

    expect(await ended).toBeGreaterThanOrEqual(validTo);
    await expect(client(tcp)).rejects.toThrow(/authorization/i);
    await second.flush();
    expect(await brokerPid()).toBe(before);
    await second.close();
  });

  test('is not known again by an agent that is started after its time', async () => {
    const node = await createNode({
      broker: {
        credentials: { username: 'second', password: 'new one' },
        former_credentials: [{ ...credentials, valid_to: new Date(Date.now() - 1).toISOString() }],
      },
    });
    node.startAgent();
    const { broker_tcp } = (await node.supervisor.heard(running)).ports;
    await node.supervisor.desire({ access_rules: everybody });
    await expect(client(endpointOf(broker_tcp))).rejects.toThrow(/authorization/i);
  });

  test('whose time comes while agent and supervisor are away ends with the start of the next agent', async () => {
    const { supervisor, agent, startAgent, tcp, brokerPid } = await runningNode();
    const before = await brokerPid();
    const validTo = Date.now() + 1_500;
    await supervisor.desire({
      access_rules: everybody,
      broker: {
        credentials: { username: 'second', password: 'new one' },
        former_credentials: [{ ...credentials, valid_to: new Date(validTo).toISOString() }],
      },
    });
    const [old, second] = [await client(tcp), await client(tcp, { user: 'second', pass: 'new one' })];
    agent.child.kill('SIGKILL');
    await agent.ended;
    await supervisor.goAway();
    await eventually(() => expect(Date.now()).toBeGreaterThan(validTo));
    await old.flush();

    const next = startAgent();
    await old.closed();
    await expect(client(tcp)).rejects.toThrow(/authorization/i);
    await eventually(() => expect(next.messages).toContain('applied'));
    await second.flush();
    expect(await brokerPid()).toBe(before);
    await second.close();
  });
});
