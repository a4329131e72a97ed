import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@sluice/controller/retry';
import {
  findProcesses,
  identify,
  isAlive,
  isRunning,
  processIdentitySchema,
  readIfPresent,
  sendSignal,
  withArguments,
  writePrivateFile,
} from '@sluice/system';
import { z } from 'zod';
import { parsed } from '../parsed.ts';
import { programFiles } from '../runtime-folder.ts';
import { filesFolder, type BrokerConfiguration, type BrokerRuntime } from '../runtimes/runtime.ts';

const terminateLimit = 5_000;
const watchInterval = 100;
const lastLineCount = 20;

/** The configuration that a process has taken up: a digest, for it holds a password. */
const appliedSchema = z.object({ digest: z.string(), restart_key: z.string() });
type Applied = z.infer<typeof appliedSchema>;

const pidFileSchema = processIdentitySchema.extend({
  runtime: z.string(),
  arguments: z.array(z.string()),
  configuration: appliedSchema.nullable(),
});
type PidFile = z.infer<typeof pidFileSchema>;

/** A broker that this agent or a former one has started. It goes on when the agent dies. */
export interface BrokerProcess {
  pid: number;
  process_start: string;
  runtime: string;
  applied: Applied | null;
  /** Resolves with the reason when the process has ended. */
  ended: Promise<string>;
  recordApplied(configuration: BrokerConfiguration): Promise<void>;
  /** Ends it, by force after 5 s. */
  stop(): Promise<void>;
}

export interface NamedRuntime {
  name: string;
  runtime: BrokerRuntime;
}

export function appliedOf({ text, restartKey }: BrokerConfiguration): Applied {
  return { digest: createHash('sha256').update(text).digest('hex'), restart_key: restartKey };
}

export function brokerFiles(home: string, runtime: string) {
  return {
    /** the path of the configuration in the program's arguments: a link */
    named: join(home, programFiles.configuration),
    configuration: join(runtime, programFiles.configuration),
    candidate: join(runtime, `${programFiles.configuration}.candidate`),
    pid: join(home, 'broker.pid'),
    log: join(home, 'broker.log'),
    folder: filesFolder(home),
    runtimeFolder: join(runtime, programFiles.folder),
  };
}
export type BrokerFiles = ReturnType<typeof brokerFiles>;

/** Writes the configuration, and what it refers to, for a process that is to take it up. */
export async function writeConfiguration(
  files: BrokerFiles,
  configuration: BrokerConfiguration,
): Promise<void> {
  const { text, files: referred } = configuration;
  // it may be gone while the broker goes on: the folder around it is in memory
  await mkdir(files.runtimeFolder, { recursive: true, mode: 0o700 });
  for (const [path, content] of referred ?? []) await writePrivateFile(path, content);
  await writePrivateFile(files.configuration, text);
}

async function forgetFormerFiles(
  files: BrokerFiles,
  { files: referred }: BrokerConfiguration,
): Promise<void> {
  const names = await readdir(files.folder).catch(() => []);
  const former = names.map((name) => join(files.folder, name)).filter((path) => referred?.has(path) !== true);
  await Promise.all(former.map((path) => rm(path, { force: true })));
}

/** Starts the broker in a session of its own, so that what ends the agent does not end it. */
export async function startBroker(
  files: BrokerFiles,
  { name, runtime }: NamedRuntime,
  configuration: BrokerConfiguration,
): Promise<BrokerProcess> {
  const [environment] = await Promise.all([
    runtime.prepare(configuration),
    writeConfiguration(files, configuration),
  ]);
  const programArguments = runtime.arguments(files.named);
  const log = await open(files.log, 'a', 0o600);
  const child = spawn(runtime.program, programArguments, {
    detached: true,
    env: { ...process.env, ...environment },
    stdio: ['ignore', log.fd, log.fd],
  });
  child.unref();
  // an error at the start is thrown below; later it must not end the agent
  child.on('error', () => undefined);
  const { promise: exit, resolve: exited } = Promise.withResolvers<string>();
  child.once('exit', (code, signal) => exited(` (${signal ?? `code ${code}`})`));
  try {
    await once(child, 'spawn');
    const identity = child.pid === undefined ? null : await identify(child.pid);
    if (identity === null) throw new Error(await exitReason(files, runtime, child.pid ?? 0, await exit));
    const started = { runtime: name, arguments: programArguments, configuration: appliedOf(configuration) };
    const record = { ...identity, ...started };
    await writePrivateFile(files.pid, JSON.stringify(record));
    return attach(files, record, runtime, exit);
  } catch (error) {
    // A broker without a pid file must not stay: the next start would put a second one on its store.
    if (child.pid !== undefined && child.kill('SIGKILL')) await exit;
    throw error;
  } finally {
    await log.close();
  }
}

/**
 * Finds the broker that a former agent has left running, of any runtime, by its pid file.
 * @param runtimeOf the runtime of this name, if this agent has it
 */
export async function findRecordedBroker(
  files: BrokerFiles,
  runtimeOf: (name: string) => BrokerRuntime | undefined,
): Promise<BrokerProcess | null> {
  const recorded = parsed(pidFileSchema, await readIfPresent(files.pid));
  if (
    recorded !== null &&
    (await isAlive(recorded)) &&
    (await isRunning(recorded.pid, withArguments(...recorded.arguments)))
  ) {
    return attach(files, recorded, runtimeOf(recorded.runtime));
  }
  await rm(files.pid, { force: true });
  return null;
}

/** Finds the broker of an agent that was killed right after starting it, when there was no pid file yet. */
export async function findUnrecordedBroker(
  files: BrokerFiles,
  { name, runtime }: NamedRuntime,
): Promise<BrokerProcess | null> {
  // it is there before a broker starts, and outlives a restart of the machine
  if ((await readIfPresent(files.log)) === null) return null;
  const programArguments = runtime.arguments(files.named);
  for (const pid of await findProcesses(withArguments(...programArguments))) {
    const identity = await identify(pid);
    if (identity === null) continue;
    const record = { ...identity, runtime: name, arguments: programArguments, configuration: null };
    await writePrivateFile(files.pid, JSON.stringify(record));
    return attach(files, record, runtime);
  }
  return null;
}

async function exitReason(
  files: BrokerFiles,
  runtime: BrokerRuntime | undefined,
  pid: number,
  how: string,
): Promise<string> {
  const lines = (await readFile(files.log, 'utf8').catch(() => '')).trimEnd().split('\n');
  const words = runtime?.exitReason(pid, lines.slice(-lastLineCount));
  return `the broker ended${how}${words === undefined ? '' : `: ${words.slice(0, 500)}`}`;
}

function attach(
  files: BrokerFiles,
  record: PidFile,
  runtime: BrokerRuntime | undefined,
  exit?: Promise<string>,
): BrokerProcess {
  const gone = Promise.race([watchEnd(record), ...(exit === undefined ? [] : [exit])]);
  const broker: BrokerProcess = {
    pid: record.pid,
    process_start: record.process_start,
    runtime: record.runtime,
    applied: record.configuration,
    ended: gone.then((how) => exitReason(files, runtime, record.pid, how)),
    recordApplied: async (configuration) => {
      broker.applied = appliedOf(configuration);
      await writePrivateFile(files.pid, JSON.stringify({ ...record, configuration: broker.applied }));
      await forgetFormerFiles(files, configuration);
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

/** Resolves at the end of a process that need not be a child of this one. */
async function watchEnd(record: PidFile): Promise<string> {
  await waitUntil(async () => !(await isAlive(record)), { everyMs: watchInterval });
  return '';
}

async function signal(record: PidFile, name: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (await isAlive(record)) sendSignal(record.pid, name);
}
