import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { readIfPresent, writePrivately } from '../machine/files.ts';
import { findRunningWith, identify, isAlive, processIdentitySchema, runsWith } from '../machine/processes.ts';
import type { BrokerConfiguration, BrokerRuntime } from '../runtimes/runtime.ts';

const terminateLimit = 5_000;
const watchInterval = 100;
const logSizeLimit = 16 * 2 ** 20;

/** The configuration that a process has taken up: a digest, for it holds a password. */
const inForceSchema = z.object({ digest: z.string(), restart_key: z.string() });
type InForce = z.infer<typeof inForceSchema>;

const pidFileSchema = processIdentitySchema.extend({ configuration: inForceSchema.nullable() });
type PidFile = z.infer<typeof pidFileSchema>;

/** A broker that this agent or a former one has started. It goes on when the agent dies. */
export interface BrokerProcess {
  pid: number;
  /** null when it is not known */
  inForce: InForce | null;
  /** Resolves with the reason when the process has ended. */
  ended: Promise<string>;
  /** Notes that the process has taken up another configuration. */
  tookUp(configuration: BrokerConfiguration): Promise<void>;
  /** Ends it, by force after 5 s. */
  stop(): Promise<void>;
}

export function inForceOf({ text, restartKey }: BrokerConfiguration): InForce {
  return { digest: createHash('sha256').update(text).digest('hex'), restart_key: restartKey };
}

/** The files of one node's broker. */
export function brokerFiles(home: string) {
  return {
    configuration: join(home, 'broker.conf'),
    pid: join(home, 'broker.pid'),
    log: join(home, 'broker.log'),
  };
}
export type BrokerFiles = ReturnType<typeof brokerFiles>;

/** Starts the broker in a session of its own, so that what ends the agent does not end it. */
export async function startBroker(
  files: BrokerFiles,
  runtime: BrokerRuntime,
  configuration: BrokerConfiguration,
): Promise<BrokerProcess> {
  await Promise.all([writePrivately(files.configuration, configuration.text), runtime.prepare()]);
  const log = await open(files.log, 'a', 0o600);
  const child = spawn(runtime.program, runtime.arguments(files.configuration), {
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  child.unref();
  const { promise: exit, resolve: exited } = Promise.withResolvers<string>();
  child.once('exit', (code, signal) => exited(` (${signal ?? `code ${code}`})`));
  try {
    await once(child, 'spawn');
    const identity = child.pid === undefined ? null : await identify(child.pid);
    if (identity === null) throw new Error(await obituary(files, child.pid ?? 0, await exit));
    const record = { ...identity, configuration: inForceOf(configuration) };
    await writePrivately(files.pid, JSON.stringify(record));
    return attach(files, record, exit);
  } catch (error) {
    // A broker that is not noted down must not stay: the next start would put a second one on its store.
    if (child.pid !== undefined && child.kill('SIGKILL')) await exit;
    throw error;
  } finally {
    await log.close();
  }
}

/** Finds the broker that a former agent has left running, by its pid file or, without one, among all processes. */
export async function findBroker(files: BrokerFiles, runtime: BrokerRuntime): Promise<BrokerProcess | null> {
  const commandLine = runtime.arguments(files.configuration);
  const noted = readPidFile(await readIfPresent(files.pid));
  if (noted !== null && (await isAlive(noted)) && (await runsWith(noted.pid, commandLine))) {
    return attach(files, noted);
  }
  // An agent that is killed right after starting a broker leaves no pid file.
  for (const pid of await findRunningWith(commandLine)) {
    const identity = await identify(pid);
    if (identity === null) continue;
    const record = { ...identity, configuration: null };
    await writePrivately(files.pid, JSON.stringify(record));
    return attach(files, record);
  }
  await rm(files.pid, { force: true });
  return null;
}

/** Why a broker has ended, as far as the system and its own last words tell. */
async function obituary(files: BrokerFiles, pid: number, how: string): Promise<string> {
  const lines = (await readFile(files.log, 'utf8').catch(() => '')).trimEnd().split('\n');
  const own = lines.slice(-20).filter((line) => line.startsWith(`[${pid}] `) && line.includes('[FTL]'));
  // What nats-server finds wrong with its configuration it says without its pid.
  const words = own.at(-1) ?? (lines.at(-1)?.startsWith('nats-server: ') ? lines.at(-1) : undefined);
  return `the broker ended${how}${words === undefined ? '' : `: ${words.slice(0, 500)}`}`;
}

/** Keeps the broker's log below two times 16 MiB. The broker appends, so it goes on writing at the start. */
export async function trimLog(files: BrokerFiles): Promise<void> {
  const size = await stat(files.log).then(
    (log) => log.size,
    () => 0,
  );
  if (size < logSizeLimit) return;
  // On a full disk making room goes before keeping the old lines.
  await copyFile(files.log, `${files.log}.1`).catch(() => undefined);
  await truncate(files.log);
}

function attach(files: BrokerFiles, record: PidFile, exit?: Promise<string>): BrokerProcess {
  const gone = Promise.race([watchEnd(record), ...(exit === undefined ? [] : [exit])]);
  const broker: BrokerProcess = {
    pid: record.pid,
    inForce: record.configuration,
    ended: gone.then((how) => obituary(files, record.pid, how)),
    tookUp: async (configuration) => {
      broker.inForce = inForceOf(configuration);
      await writePrivately(files.pid, JSON.stringify({ ...record, configuration: broker.inForce }));
    },
    stop: async () => {
      await signal(record, 'SIGTERM');
      const expired = sleep(terminateLimit, 'expired', { ref: false });
      if ((await Promise.race([gone, expired])) === 'expired') await signal(record, 'SIGKILL');
      await gone;
      await rm(files.pid, { force: true });
    },
  };
  return broker;
}

/** Sees the end of a process that may be nobody's child here. */
async function watchEnd(record: PidFile): Promise<string> {
  while (await isAlive(record)) await sleep(watchInterval);
  return '';
}

async function signal(record: PidFile, name: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (!(await isAlive(record))) return;
  try {
    process.kill(record.pid, name);
  } catch {
    // it ended in between
  }
}

function readPidFile(text: string | null): PidFile | null {
  try {
    return text === null ? null : pidFileSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
