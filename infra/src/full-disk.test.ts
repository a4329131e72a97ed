import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { startNats } from '@sluice/embedded';
import { eventually, smallDisk, testFolder } from '@sluice/testing';
import { keepRunning } from './keep-running.ts';

test('a nats-server that a full disk has stopped from working is started again, and works when there is room', async () => {
  const disk = smallDisk(await testFolder(), 64);
  if (!disk) return console.warn('skipped: no disk can be mounted here');
  const said: string[] = [];
  let url = '';
  let isHealthy: (() => Promise<boolean>) | undefined;
  const part = {
    name: 'NATS',
    logFile: join(disk.folder, 'nats/nats.log'),
    async start() {
      const server = await startNats({ folder: join(disk.folder, 'nats'), monitored: true });
      ({ url, isHealthy } = server);
      return server;
    },
  };
  const kept = await keepRunning(
    part,
    (line) => said.push(line),
    () => undefined,
    () => true,
    100,
  );
  try {
    const onServer = async (work: (nats: NatsConnection) => Promise<unknown>) => {
      const nats = await connect({ servers: url, reconnect: false });
      try {
        await work(nats);
      } finally {
        await nats.close();
      }
    };
    const publish = (nats: NatsConnection) =>
      jetstream(nats, { timeout: 1_000 }).publish('things.one', new Uint8Array(50_000));
    const make = (name: string) => async (nats: NatsConnection) =>
      (await jetstreamManager(nats)).streams.add({ name, subjects: [`${name.toLowerCase()}.>`] });
    await onServer(make('THINGS'));
    await onServer(publish);
    disk.fill();
    // `no space left`, or the server has ended meanwhile
    await expect(onServer(publish)).rejects.toThrow(/no space left|connection closed/i);
    // what it has begun there it does not find again, and calls itself ill for as long as it runs
    await expect(onServer(make('OTHERS'))).rejects.toThrow();
    await eventually(() => expect(said.join()).toContain('does not do its work'), { timeoutMs: 20_000 });
    await disk.free();
    await eventually(() => onServer(publish), { timeoutMs: 30_000 });
    await onServer(make('OTHERS'));
    await eventually(async () => expect(await isHealthy?.()).toBe(true));
  } finally {
    await kept.stop();
    disk.remove();
  }
}, 90_000);

test('a program whose log goes to a full disk, or to a reader that is gone, lives on and logs again when there is room', async () => {
  const disk = smallDisk(await testFolder(), 1);
  if (!disk) return console.warn('skipped: no disk can be mounted here');
  const logFile = join(disk.folder, 'log');
  const log = openSync(logFile, 'a');
  const program = `
    import { createLog } from ${JSON.stringify(import.meta.resolve('@sluice/system/log'))};
    const log = createLog({ service: 'test', level: 'info' });
    let line = 0;
    setInterval(() => log.info('line', { number: ++line }), 5);
    process.on('message', () => process.send(line));
  `;
  const start = (stdout: number | 'pipe') =>
    spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', stdout, 'inherit', 'ipc'],
    });
  const onDisk = start(log);
  const toNobody = start('pipe');
  toNobody.stdout?.destroy();
  let deaths = 0;
  for (const child of [onDisk, toNobody]) child.once('exit', () => deaths++);
  const linesOf = (child: typeof onDisk) =>
    new Promise<number>((resolve, reject) => {
      child.once('message', (line) => resolve(Number(line)));
      child.send('?', (error) => error && reject(error));
    });
  try {
    await eventually(async () => expect(await readFile(logFile, 'utf8')).toContain('"number":1,'));
    disk.fill();
    const full = (await readFile(logFile, 'utf8')).length;
    const [before, beforeToo] = [await linesOf(onDisk), await linesOf(toNobody)];
    await eventually(async () => expect(await linesOf(onDisk)).toBeGreaterThan(before + 100));
    await eventually(async () => expect(await linesOf(toNobody)).toBeGreaterThan(beforeToo + 100));
    await disk.free();
    await eventually(async () =>
      expect((await readFile(logFile, 'utf8')).length).toBeGreaterThan(full + 4_096),
    );
    expect(deaths).toBe(0);
  } finally {
    for (const child of [onDisk, toNobody]) child.kill('SIGKILL');
    disk.remove();
  }
});
