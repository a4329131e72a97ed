import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { readdir, readFile, statfs } from 'node:fs/promises';
import { arch, cpus, hostname, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Machine } from '@sluice/contracts';
import { reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import type { Supervisor } from './supervisor/client.ts';

/** What a customer's machine is, which only its agent can tell. */

const lookEvery = 60_000;

/** @param place where clients reach the machine, and on which address its gateway listens */
export async function describeMachine(
  home: string,
  place: Pick<Machine, 'address' | 'listens_on'>,
): Promise<Machine> {
  const { blocks, bsize } = await statfs(home);
  return {
    hostname: hostname().slice(0, 255) || 'unknown',
    system: (await systemName()).slice(0, 200),
    kernel: release().slice(0, 200),
    architecture: arch(),
    processors: Math.max(1, cpus().length),
    memory_bytes: totalmem(),
    disk_bytes: blocks * bsize,
    ...place,
    holds_data: (await readdir(join(home, 'broker')).catch(() => [])).length > 0,
  };
}

/** Tells the supervisor what the machine is, now and whenever it has changed. */
export async function tellMachine(
  describe: () => Promise<Machine>,
  supervisor: Supervisor,
  log: Log,
): Promise<never> {
  let told: Machine | undefined;
  for (;;) {
    try {
      const machine = await describe();
      if (!isDeepStrictEqual(machine, told)) await supervisor.machine(machine);
      told = machine;
    } catch (error) {
      log.warn('what the machine is could not be told', { reason: reasonOf(error) });
    }
    await sleep(lookEvery, undefined, { ref: false });
  }
}

async function systemName(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^PRETTY_NAME="?([^"\n]*)"?$/m.exec(text)?.[1] ?? process.platform;
}

/** Of which address packets to the supervisor are: connecting a datagram socket sends nothing. */
export async function addressTowards(url: string): Promise<string> {
  const { hostname: name, port, protocol } = new URL(url);
  const { address, family } = await lookup(name.replace(/^\[|\]$/g, ''));
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once('connect', resolve).once('error', reject);
  try {
    socket.connect(Number(port) || (protocol === 'https:' ? 443 : 80), address);
    await promise;
    return socket.address().address;
  } finally {
    socket.close();
  }
}
