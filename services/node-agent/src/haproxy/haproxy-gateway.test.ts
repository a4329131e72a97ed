import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { idOf, type AccessRuleId, type GatewayRule } from '@sluice/contracts';
import { findProcesses, sendSignal, withArgument } from '@sluice/system';
import { startOf } from '@sluice/system/process-table';
import { eventually, freePort, testFolder } from '@sluice/testing';
import { describeHaproxy } from '#test/gateways.ts';
import type { GatewayState } from '../gateway/protocol.ts';
import { HaproxyGateway } from './haproxy-gateway.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const everybody: GatewayRule = {
  id: idOf(1),
  protocols: ['broker_tcp'],
  cidr_blocks: ['127.0.0.0/8'],
  valid_to: null,
};

/** An HAProxy that holds connections which its gateway cannot read from the list: those of a frontend of another name. */
async function foreignHaproxy(program: string) {
  const port = await freePort();
  const folder = await testFolder();
  const [path, more] = [join(folder, 'haproxy'), join(folder, 'more.cfg')];
  const frontend = ['frontend other', `bind 127.0.0.1:${port}`, 'tcp-request inspect-delay 60s'];
  await writeFile(more, [...frontend, 'tcp-request content accept if WAIT_END', ''].join('\n'));
  await writeFile(path, `#!/bin/sh\nexec ${program} "$@" -f ${more}\n`, { mode: 0o755 });
  return { program: path, port };
}

/** A gateway of HAProxy before a server that answers with the same bytes. */
async function openGateway(haproxy: string, given?: string, lines: string[] = []) {
  const server = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const folder = given ?? (await testFolder());
  const broken = Promise.withResolvers<void>();
  const log = (_level: string, message: string) => void lines.push(message);
  const gateway = new HaproxyGateway({ log, onBroken: broken.resolve }, folder);
  undo.push(
    async () => server.close(),
    () => gateway.close(),
  );
  const state: GatewayState = {
    host: '127.0.0.1',
    ports: { broker_tcp: 0 },
    rules: [everybody],
    clock_offset: 0,
    broker: {
      pid: process.pid,
      process_start: (await startOf(process.pid)) ?? '',
      ports: { broker_tcp: (server.address() as AddressInfo).port },
    },
    haproxy,
  };
  const apply = (changes: Partial<GatewayState>) => gateway.apply(Object.assign(state, changes));
  await apply({});
  const client = async (localAddress = '127.0.0.1') => {
    const socket = connect({ port: gateway.ports.broker_tcp ?? 0, host: '127.0.0.1', localAddress });
    undo.push(async () => socket.destroy());
    socket.on('error', () => undefined).write('hello');
    const answered = new Promise<true>((resolve) => socket.once('data', () => resolve(true)));
    const cut = new Promise<false>((resolve) => socket.once('close', () => resolve(false)));
    return { socket, letIn: await Promise.race([answered, cut]) };
  };
  return { gateway, apply, client, folder, broken: broken.promise };
}

describeHaproxy((program) => {
  test('a block within another is let in for as long as either of their rules lasts', async () => {
    const { apply, client } = await openGateway(program);
    const ended = { ...everybody, valid_to: new Date(Date.now() - 1_000).toISOString() };
    const narrow = { ...ended, id: idOf<AccessRuleId>(2), cidr_blocks: ['127.0.0.2/32'] };
    await apply({ rules: [everybody, narrow] });
    expect((await client('127.0.0.2')).letIn).toBe(true);
    await apply({ rules: [ended, { ...narrow, valid_to: null }] });
    expect((await client('127.0.0.1')).letIn).toBe(false);
    expect((await client('127.0.0.2')).letIn).toBe(true);
  });

  test('as many rules as there can be hold at once, and so does their end', async () => {
    const { apply, client } = await openGateway(program);
    const rules = Array.from({ length: 1_000 }, (_one, index) => ({
      ...everybody,
      id: idOf<AccessRuleId>(index + 2),
      cidr_blocks: [
        `10.${index % 250}.${Math.floor(index / 250)}.0/24`,
        `127.1.${index % 250}.${index % 199}/32`,
      ],
    }));
    await apply({ rules });
    expect((await client('127.0.0.1')).letIn).toBe(false);
    const clients = await Promise.all(
      Array.from({ length: 199 }, (_one, index) => client(`127.1.${index}.${index}`)),
    );
    expect(clients.every(({ letIn }) => letIn)).toBe(true);
    const gone = clients.map(async ({ socket }) => socket.closed || once(socket.resume(), 'close'));
    await apply({ rules: [] });
    await Promise.all(gone);
  });

  test('who connects while rules come and go is let in by a rule that holds, or by none', async () => {
    const { gateway, apply, client } = await openGateway(program);
    for (let round = 0; round < 50; round++) {
      await apply({ rules: [everybody] });
      const comers = Promise.all(Array.from({ length: 10 }, () => client()));
      await apply({ rules: [] });
      // which end it is, FIN or reset, does not matter
      const stillIn = (await comers).map(async ({ socket }) => {
        if (!socket.closed) await new Promise((end) => socket.resume().once('close', end));
      });
      await Promise.all(stillIn);
    }
    await apply({});
    expect(gateway.connections).toBe(0);
  });

  test('an HAProxy that has outlived its gateway is ended before another one listens', async () => {
    const folder = await testFolder();
    const gone = spawn('true');
    await once(gone, 'exit');
    const name = `${gone.pid}-1.cfg`;
    await writeFile(join(folder, name), '');
    // known by its arguments and its folder, as an HAProxy is
    const orphan = spawn('tail', ['-f', name], { cwd: folder });
    await once(orphan, 'spawn');
    const ended = once(orphan, 'exit');
    await openGateway(program, folder);
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(await readdir(folder)).not.toContain(name);
  });

  test('an HAProxy that is killed is noticed', async () => {
    const { client, broken, folder } = await openGateway(program);
    const { socket } = await client();
    const closed = once(socket, 'close');
    const [pid = 0] = await haproxyPids(folder);
    sendSignal(pid, 'SIGKILL');
    await Promise.all([closed, broken]);
  });

  test('one whose list of connections is not understood is ended with all of them as soon as somebody has to be cut', async () => {
    const foreign = await foreignHaproxy(program);
    const lines: string[] = [];
    const { gateway, apply, client, broken } = await openGateway(foreign.program, undefined, lines);
    const { socket } = await client();
    const unknown = connect({ port: foreign.port, host: '127.0.0.1' }).on('error', () => undefined);
    undo.push(async () => unknown.destroy());
    // while no rule changes nobody has to go, and nobody does
    await eventually(async () => {
      await apply({});
      expect(gateway.connections).toBe(2);
    });
    const closed = [socket, unknown].map((one) => once(one.resume(), 'close'));
    await apply({ rules: [{ ...everybody, cidr_blocks: ['127.0.0.0/8', '10.0.0.0/8'] }] });
    await Promise.all([...closed, broken]);
    expect(lines).toContain('HAProxy is ended, and with it all its connections');
  });

  test('one that has been replaced keeps its connections, ends with the last of them and leaves no file', async () => {
    const { apply, client, folder } = await openGateway(program);
    const { socket } = await client();
    await apply({ ports: { broker_tcp: 0, broker_http: 0 } });
    const pids = await haproxyPids(folder);
    expect(pids).toHaveLength(2);
    socket.write('still here');
    await once(socket, 'data');
    socket.destroy();
    await eventually(async () => {
      expect(await haproxyPids(folder)).toHaveLength(1);
      expect(new Set((await readdir(folder)).map((name) => name.split('.')[0])).size).toBe(1);
    });
  });
});

/** The processes that have been started for the files of a folder. */
async function haproxyPids(folder: string): Promise<number[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.cfg'));
  return (await Promise.all(names.map((name) => findProcesses(withArgument(name))))).flat();
}
