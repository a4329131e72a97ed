import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isPortFree } from '@sluice/embedded';
import { findProcesses, naming } from '@sluice/system';
import { eventually } from './eventually.ts';
import { client, type Client } from './client.ts';
import { stackFolder } from './folder.ts';
import { preparePostgres } from './prepared-postgres.ts';
import { repository } from './repository.ts';
import type { StackFile } from './stack-file.ts';

export interface Stack extends StackFile {
  /** the block that this machine's connections to gateways come from, as these see it */
  clientBlock: string;
  home: string;
  portBase: number;
  main: Client;
  audit: Client;
  /** the supervisor of a cloud */
  supervisor: (cloud: string) => Client;
  output: () => string;
  /** Stops it as Ctrl-C does. @returns the exit code */
  stop: () => Promise<number | null>;
  /** Stops it and removes its data. */
  remove: () => Promise<void>;
}

export interface Launch {
  child: ChildProcess;
  output: () => string;
  exit: Promise<number | null>;
}

/**
 * Runs `npm start` with a folder and ports of its own; does not wait for it.
 * @param log a file for what it says, for one that outlives this process
 */
export function launch(home: string, portBase: number, log?: string): Launch {
  const file = log === undefined ? undefined : openSync(log, 'a');
  const child = spawn('npm', ['start'], {
    cwd: repository,
    env: {
      ...process.env,
      SLUICE_HOME: home,
      SLUICE_PORT_BASE: String(portBase),
      VALIDATE_RESPONSES: 'true',
      // tests and benchmarks ask faster than any client should
      RATE_LIMIT_PER_SECOND: '100000',
      RATE_LIMIT_BURST: '100000',
      ADDRESS_RATE_LIMIT_PER_SECOND: '100000',
      ADDRESS_RATE_LIMIT_BURST: '100000',
    },
    stdio: ['ignore', file ?? 'pipe', file ?? 'pipe'],
    // a process group of its own, as a terminal gives it
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  if (file !== undefined) {
    closeSync(file);
    child.unref();
  }
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  return { child, output: () => (log === undefined ? output : readFileSync(log, 'utf8')), exit };
}

/** Starts a stack and waits until it says that it is ready. */
export async function startStack(options: { home?: string; portBase?: number } = {}): Promise<Stack> {
  const home = options.home ?? (await stackFolder());
  // in a home that is given a first start makes everything
  if (options.home === undefined) await preparePostgres(join(home, 'postgres'));
  const portBase = options.portBase ?? (await freePorts());
  return await readyStack(home, portBase, launch(home, portBase));
}

/** The stack that was launched, once it says that it is ready. */
export async function readyStack(
  home: string,
  portBase: number,
  { child, output, exit }: Launch,
): Promise<Stack> {
  let ended = false;
  void exit.then(() => (ended = true));
  await eventually(
    () => {
      if (!ended && !/ready/i.test(output())) throw new Error(`The stack is not ready:\n${output()}`);
    },
    { timeoutMs: 120_000 },
  );
  if (ended) throw new Error(`The stack ended:\n${output()}`);
  const file = JSON.parse(await readFile(join(home, 'stack.json'), 'utf8')) as StackFile;
  const stop = async () => {
    // Ctrl-C in a terminal reaches the whole group
    if (!ended && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    return exit;
  };
  return {
    ...file,
    ...clientsOf(file),
    clientBlock: '127.0.0.0/8',
    home,
    portBase,
    output,
    stop,
    async remove() {
      await stop();
      await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

export const clientsOf = (file: StackFile): Pick<Stack, 'main' | 'audit' | 'supervisor'> => ({
  main: client(file.base_url, file.api_key),
  audit: client(file.audit_url, file.api_key),
  supervisor: (cloud) => client(supervisorOf(file, cloud).url, file.api_key),
});

export function supervisorOf(file: Pick<StackFile, 'supervisors'>, cloud: string) {
  const supervisor = file.supervisors.find((candidate) => candidate.cloud === cloud);
  if (!supervisor) throw new Error(`No supervisor for ${cloud}`);
  return supervisor;
}

/** The first of so many ports in a row that are free right now; by default as many as a stack may take. */
export async function freePorts(count = 20): Promise<number> {
  for (;;) {
    const base = 20_000 + Math.floor(Math.random() * 10_000);
    const free = await Promise.all(Array.from({ length: count }, (_, i) => isPortFree(base + i)));
    if (free.every(Boolean)) return base;
  }
}

/** The process ids of all processes whose command line names `home`. */
export async function processesOf(home: string): Promise<number[]> {
  return await findProcesses(naming(home));
}
