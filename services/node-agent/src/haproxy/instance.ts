import { spawn, type ChildProcess } from 'node:child_process';
import { readdir, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Protocol } from '@sluice/contracts';
import type { LogLine } from '@sluice/system/control';
import { readProcesses, startOf } from '@sluice/system/process-table';
import type { Ports } from '../gateway/protocol.ts';
import {
  brokerScript,
  instanceFiles,
  mapEntries,
  renderConfiguration,
  type InstanceFiles,
  type Listening,
  type Steering,
} from './configuration.ts';
import { RuntimeApi } from './runtime-api.ts';

/** How long it may take to listen. Milliseconds. */
const startLimit = 4_000;
const lookEvery = 10;
/** until it has stopped listening */
const mostLooks = 100;
/** so many of its last lines tell why it did not start */
const keptLines = 5;

interface InstanceOptions {
  /** holds its files, and is its working folder: so names of sockets stay short */
  folder: string;
  /** of its files */
  name: string;
  listening: Listening;
  steering: Steering;
  /** the runtime API, by its name in the folder, of another from which the sockets to listen on come */
  heir?: string | undefined;
  log: (...line: LogLine) => void;
}

/** One HAProxy process: a child that does not outlive this process, however that ends. */
export class Instance {
  readonly listening: Listening;
  /** resolves when it has ended */
  readonly ended: Promise<void>;
  readonly #options: InstanceOptions;
  readonly #files: InstanceFiles;
  readonly #child: ChildProcess;
  #api: RuntimeApi | null = null;
  readonly #lastLines: string[] = [];
  /** what the maps hold */
  readonly #entries = new Map<string, string>();
  #listens = true;

  private constructor(options: InstanceOptions, files: InstanceFiles) {
    const { folder, listening, heir } = options;
    this.#options = options;
    this.#files = files;
    this.listening = listening;
    const taken = heir === undefined ? [] : ['-x', heir];
    // the kernel ends it with this process: without anybody to tell it of rules it must let nobody in
    const program = ['--pdeathsig', 'SIGKILL', listening.program, '-db', '-f', files.configuration, ...taken];
    this.#child = spawn('setpriv', program, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    this.ended = new Promise((resolve) =>
      this.#child.once('close', () => resolve()).once('error', () => resolve()),
    );
    if (this.#child.stderr !== null)
      createInterface(this.#child.stderr).on('line', (line) => this.#note(line));
  }

  /** Resolves once it listens. @throws Error with its reason when it does not */
  static async start(options: InstanceOptions): Promise<Instance> {
    const { folder, name, listening, steering } = options;
    const files = instanceFiles(name);
    const write = (file: string, content: string) => writeFile(join(folder, file), content, { mode: 0o600 });
    const maps = mapEntries(files, protocolsOf(listening.ports), steering);
    await Promise.all([
      write(files.configuration, renderConfiguration(files, listening)),
      write(files.script, brokerScript),
      ...maps.map(([map, entries]) => write(map, entries.map((entry) => `${entry}\n`).join(''))),
    ]);
    const instance = new Instance(options, files);
    for (const [map, entries] of maps) instance.#entries.set(map, entries.join('\n'));
    try {
      await instance.#untilItListens();
      return instance;
    } catch (error) {
      await instance.end();
      throw error;
    }
  }

  /** @throws Error before it has started */
  get api(): RuntimeApi {
    if (this.#api === null) throw new Error('HAProxy has not started');
    return this.#api;
  }

  /** the name of its runtime API in the folder */
  get socket(): string {
    return this.#files.socket;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get runs(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get listens(): boolean {
    return this.#listens && this.runs;
  }

  /** Whether it was told to listen no more, or to end. */
  get isReleased(): boolean {
    return !this.#listens;
  }

  /** From now on newcomers go by these rules and to this broker. */
  async steer(steering: Steering): Promise<void> {
    for (const [map, entries] of mapEntries(this.#files, protocolsOf(this.listening.ports), steering)) {
      const text = entries.join('\n');
      if (this.#entries.get(map) === text) continue;
      this.#entries.delete(map);
      await this.api.replaceMap(map, entries);
      this.#entries.set(map, text);
    }
  }

  /** Stops listening; its connections stay. */
  async release(): Promise<void> {
    this.#listens = false;
    this.#child.kill('SIGUSR1');
    for (let look = 0; look < mostLooks && this.runs; look++) {
      if (/^Listeners: 0$/m.test(await this.api.ask('show info'))) return;
      await sleep(lookEvery);
    }
    if (this.runs) throw new Error('HAProxy does not stop listening');
  }

  /** Ends it by force, which counts as an end of its own: whoever looks after the gateway begins anew. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  /** Ends it, with all its connections. */
  async end(): Promise<void> {
    this.#listens = false;
    this.#child.kill('SIGKILL');
    await this.ended;
    const { configuration, socket, script, brokers, rules } = this.#files;
    const maps = [brokers, ...protocolsOf(this.listening.ports).map(rules)];
    const names = [configuration, socket, script, ...maps];
    await Promise.all(names.map((name) => rm(join(this.#options.folder, name), { force: true })));
  }

  /** Its runtime API answers once all its sockets are open. */
  async #untilItListens(): Promise<void> {
    const limit = AbortSignal.timeout(startLimit);
    const gone = this.ended.then(() => 'ended' as const);
    const path = pathOf(this.#options.folder, this.#files.socket);
    while (this.#api === null) {
      const opened = await Promise.race([RuntimeApi.open(path).catch(() => null), gone]);
      if (opened === 'ended' || limit.aborted)
        throw new Error(`HAProxy did not start: ${this.#lastLines.join(' ')}`);
      this.#api = opened;
      if (opened === null) await sleep(lookEvery);
    }
    // nobody could tell it anything any more
    this.#api.onClose(() => this.#child.kill('SIGKILL'));
  }

  #note(line: string): void {
    this.#lastLines.push(line.slice(0, 500));
    if (this.#lastLines.length > keptLines) this.#lastLines.shift();
    // that it has stopped listening it was told to
    const isTrouble = /^\[(?:ALERT|WARNING)\]/.test(line) && !/ stopped \(/.test(line);
    const level = isTrouble ? 'warn' : 'debug';
    this.#options.log(level, 'HAProxy says', { line: line.slice(0, 500) });
  }
}

/**
 * Removes what gateways that have been killed have left in the folder, and ends an HAProxy that has outlived its own: the kernel lets
 * a program that has capabilities of its own do so.
 */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(/^(\d+)-\d+\./.exec(name)?.[1] ?? process.pid);
    if (pid === process.pid || (await startOf(pid)) !== null) continue;
    for (const left of await programsOf(folder, name)) await endForeign(left);
    await rm(join(folder, name), { force: true });
  }
}

/** Ends a process that is nobody's child here; resolves when it is gone, for it may hold a port. */
async function endForeign(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return;
  }
  for (let look = 0; look < mostLooks && (await startOf(pid)) !== null; look++) await sleep(lookEvery);
}

/** The processes that work in this folder and have this file among their arguments. */
async function programsOf(folder: string, file: string): Promise<number[]> {
  const named = (await readProcesses()).filter(({ commandLine: { text } }) =>
    text.split('\0').includes(file),
  );
  const home = await realpath(folder);
  const homes = await Promise.all(named.map(({ pid }) => readlink(`/proc/${pid}/cwd`).catch(() => null)));
  return named.filter((_one, index) => homes[index] === home).map(({ pid }) => pid);
}

/** Names of sockets are short, folders need not be. */
function pathOf(folder: string, file: string): string {
  const path = join(folder, file);
  const near = relative(process.cwd(), path);
  return near.length < path.length ? near : path;
}

export function protocolsOf(ports: Ports): Protocol[] {
  return Object.keys(ports) as Protocol[];
}
