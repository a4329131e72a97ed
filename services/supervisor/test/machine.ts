import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readlink, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProcesses, isRoot, naming, sendSignal } from '@sluice/system';
import { createAuthority, issueCertificate } from '@sluice/system/authority';

const run = promisify(execFile);

/**
 * A machine of a customer: a network of its own that reaches one address, at which the supervisor listens, and nothing else. Programs and files
 * are those of this machine, so a test has to look at what was run.
 */
export interface TestMachine {
  /** where this machine has the supervisor's side of the wire */
  host: string;
  /** where the other side is */
  address: string;
  /** where its nodes are to be put */
  folder: string;
  /** Runs a command as its administrator would paste it. @returns what it printed @throws Error with what it said */
  paste(command: string): Promise<string>;
  /** the commands of what runs there below its folder, by what they are links to */
  programs(): Promise<string[]>;
  /** Ends what runs there as a power cut would. */
  cutPower(): Promise<void>;
  remove(): Promise<void>;
}

/** Null, after one line that says so, where this is not root of a Linux that lets networks be made. */
export async function testMachine(): Promise<TestMachine | null> {
  const name = `sluice-${randomBytes(3).toString('hex')}`;
  const [inner, outer] = [`${name.slice(7)}i`, `${name.slice(7)}o`];
  const net = `10.213.${randomInt(256)}.${4 * randomInt(64)}`;
  const at = (host: number) => net.replace(/\d+$/, (last) => String(Number(last) + host));
  const ip = (...args: string[]) => run('ip', args);
  try {
    if (!isRoot) throw new Error('this is not root');
    await ip('netns', 'add', name);
    await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', name);
    await ip('address', 'add', `${at(1)}/30`, 'dev', outer);
    await ip('link', 'set', outer, 'up');
    await ip('-n', name, 'address', 'add', `${at(2)}/30`, 'dev', inner);
    await ip('-n', name, 'link', 'set', inner, 'up');
    await ip('-n', name, 'link', 'set', 'lo', 'up');
  } catch (error) {
    await ip('netns', 'delete', name).catch(() => undefined);
    console.warn(`Tests of machines of customers are left out: ${String(error)}`);
    return null;
  }
  const folder = await mkdtemp(join(tmpdir(), 'sluice-machine-'));
  // as a machine's folders are: what runs there is not root
  await chmod(folder, 0o711);
  const isThere = naming(folder);
  const cutPower = async () => {
    for (const pid of await findProcesses(isThere)) sendSignal(pid, 'SIGKILL');
  };
  return {
    ...{ host: at(1), address: at(2), folder },
    async paste(command) {
      const child = spawn('ip', ['netns', 'exec', name, 'sh', '-c', command], {
        cwd: folder,
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (said += text));
      const [code] = (await once(child, 'close')) as [number | null];
      if (code !== 0) throw new Error(said);
      return said;
    },
    async programs() {
      const pids = await findProcesses(isThere);
      const paths = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/exe`).catch(() => '')));
      return paths.filter((path) => path.startsWith(folder));
    },
    cutPower,
    async remove() {
      await cutPower();
      await ip('netns', 'delete', name);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The supervisor's address as machines of customers have it: HTTPS, by an authority that only the command names. */
export async function httpsFront(host: string, target: () => string) {
  const authority = await createAuthority('Region', { from: new Date(), days: 2 });
  const names = { dns: [], addresses: [host] };
  const pair = await issueCertificate(authority, names, { from: new Date(), days: 1 });
  const paths: string[] = [];
  const server: Server = createServer({ cert: pair.certificate, key: pair.private_key }, (from, to) => {
    paths.push(from.url ?? '');
    const { method, headers } = from;
    const onward = request(new URL(from.url ?? '/', target()), { method, headers }, (back) => {
      to.writeHead(back.statusCode ?? 502, back.headers);
      back.pipe(to);
    });
    onward.on('error', () => from.socket.destroy());
    to.on('close', () => onward.destroy());
    from.pipe(onward);
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    authority: authority.certificate,
    url: `https://${host}:${(server.address() as AddressInfo).port}`,
    /** what machines have asked for */
    paths,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
