import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { readdir, readFile, statfs } from 'node:fs/promises';
import { arch, cpus, hostname, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Machine } from '@sluice/contracts';

/** The description of a customer's machine, which only its agent can give. */

/** @param place the address at which clients reach the machine, and the one on which its gateway listens */
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

/** Sends the description of the machine when it has changed. @returns to be called again and again */
export function changedMachine(
  describe: () => Promise<Machine>,
  send: (machine: Machine) => Promise<void>,
): () => Promise<void> {
  let sent: Machine | undefined;
  return async () => {
    const machine = await describe();
    if (isDeepStrictEqual(machine, sent)) return;
    await send(machine);
    sent = machine;
  };
}

async function systemName(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^PRETTY_NAME="?([^"\n]*)"?$/m.exec(text)?.[1] ?? process.platform;
}

/** The source address of packets to the supervisor: connecting a datagram socket sends nothing. */
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
