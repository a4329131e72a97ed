import { execFile } from 'node:child_process';
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { say } from '../long-run.ts';
import { runBash } from '../runbooks/bash.ts';
import { readBlocks, type Block } from '../runbooks/blocks.ts';
import { Cluster } from '../runbooks/cluster.ts';
import { Load, type Used } from './load.ts';
import type { Options } from './options.ts';
import { blockScript, shownOf, type Way } from './scripts.ts';
import { keptLines, type Chapter } from './transcript.ts';

interface CommandOptions {
  /** which lines of the output the transcript has */
  keep?: readonly RegExp[];
  cwd?: string;
  /** what is shown in place of the command */
  shown?: string;
  /** with the home of the caller, which has settings of npm and Docker; otherwise the day's folder is the home */
  ofCaller?: boolean;
  /** its output is not printed while it runs */
  isQuiet?: boolean;
}

/** An operator's day: runs commands, and writes down what an operator sees. */
export class Day {
  readonly options: Options;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly blocks: readonly Block[];
  /** how the installation is changed, for commands of the documents */
  way: Way = { kind: 'kustomize' };
  chapter: Chapter = { name: '', lines: [] };
  #cluster: Cluster | undefined;

  private constructor(options: Options, folder: string, blocks: readonly Block[]) {
    [this.options, this.folder, this.blocks] = [options, folder, blocks];
    // the password of a key that is made for the day
    this.env = { COSIGN_PASSWORD: 'of the day', ...process.env, HOME: folder };
  }

  static async begin(options: Options): Promise<Day> {
    const folder = resolve(process.env['INIT_CWD'] ?? process.cwd(), options.folder);
    await mkdir(folder, { recursive: true });
    return new Day(options, folder, await readBlocks());
  }

  /** The installation, as clients see it. */
  async cluster(): Promise<Cluster> {
    const { KUBECONFIG: kubeconfig } = process.env;
    if (kubeconfig === undefined) throw new Error('KUBECONFIG names no cluster.');
    this.#cluster ??= await Cluster.open(this.folder, this.folder, kubeconfig, '');
    return this.#cluster;
  }

  /** Forgets the installation, which is gone. */
  async leaveCluster(): Promise<void> {
    this.#cluster = undefined;
    await rm(join(this.folder, 'installed.json'), { force: true });
  }

  async kubectl(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)('kubectl', args, { env: this.env, maxBuffer: 64_000_000 });
    return stdout.trim();
  }

  /** That of Kubernetes. */
  async serverVersion(): Promise<string> {
    const { serverVersion: server } = JSON.parse(await this.kubectl('version', '-o', 'json')) as {
      serverVersion: { gitVersion: string };
    };
    return server.gitVersion;
  }

  /** Writes a line down. */
  note(text: string): void {
    say(`  ${text}`);
    this.chapter.lines.push({ kind: 'output', text });
  }

  /** Runs a command as an operator types it. @returns its output @throws Error when it fails */
  async run(command: string, options: CommandOptions = {}): Promise<string> {
    return await this.#bash(command, options.shown ?? command, options);
  }

  /**
   * Runs a block of a document.
   * @param values what a person fills in
   */
  async block(
    name: string,
    values: Record<string, string> = {},
    options: CommandOptions = {},
  ): Promise<string> {
    const block = this.blocks.find((one) => one.name === name);
    if (!block) throw new Error(`There is no block ${name}.`);
    const script = blockScript(block, this.blocks, values, this.way);
    return await this.#bash(script, options.shown ?? shownOf(block, this.way), options);
  }

  /** Runs a command that stands in a document's line, behind what the documents define. */
  async defined(command: string, options: CommandOptions = {}): Promise<string> {
    const block = { name: '', document: '', language: 'sh', text: command };
    const script = blockScript(block, [...this.blocks, block], {}, this.way);
    return await this.#bash(script, options.shown ?? command, options);
  }

  /**
   * Uses the installation while `work` is done, and writes down what that came to.
   * @param options.used where it is no cluster
   * @param options.isReplaced whether services are away for a while, so that requests may fail
   * @throws Error when a request has failed, or a message is lost
   */
  async underLoad(
    during: string,
    work: (load: Load) => Promise<void>,
    options: { used?: Used; isReplaced?: boolean } = {},
  ): Promise<void> {
    const { used = await (await this.cluster()).used(), isReplaced = false } = options;
    const load = await Load.begin(used, this.options.pause);
    load.during(during);
    const failure = await work(load).then(
      () => undefined,
      (error: Error) => error,
    );
    const { lines, failed, lost } = await load.end();
    for (const line of lines) this.note(line);
    if (failure !== undefined) throw failure;
    const wrong = [...(isReplaced ? [] : failed), ...lost];
    if (wrong.length > 0) throw new Error(wrong.slice(0, 20).join('\n'));
  }

  async #bash(
    script: string,
    shown: string,
    { keep = [], cwd = this.folder, ofCaller = false, isQuiet = false }: CommandOptions,
  ): Promise<string> {
    const line: Chapter['lines'][number] = {
      ...{ kind: 'command' as const, at: new Date().toISOString().slice(11, 19), text: shown },
    };
    this.chapter.lines.push(line);
    say(`$ ${shown}`);
    const begun = Date.now();
    const { code, output } = await runBash(`set -euo pipefail\n${script}`, {
      cwd,
      env: ofCaller ? { ...this.env, HOME: process.env['HOME'] } : this.env,
      timeoutMs: this.options.minutes * 60_000,
      echo: (text) => isQuiet || process.stdout.write(text.replaceAll(/^(?=.)/gm, '         | ')),
    });
    line.seconds = Math.round((Date.now() - begun) / 1_000);
    if (code !== 0) throw new Error(`exit code ${code}: ${output.slice(-3_000)}`);
    for (const text of keptLines(output, keep)) this.note(text);
    return output;
  }
}

/** The chapters that were done before, by their names: a day goes on where it was interrupted. */
export async function readChapters(day: Day): Promise<Map<string, Chapter>> {
  const chapters = new Map<string, Chapter>();
  for await (const file of glob('chapters/*.json', { cwd: day.folder })) {
    const chapter = JSON.parse(await readFile(join(day.folder, file), 'utf8')) as Chapter;
    chapters.set(chapter.name, chapter);
  }
  return chapters;
}

export async function writeChapter(day: Day): Promise<void> {
  const folder = join(day.folder, 'chapters');
  await mkdir(folder, { recursive: true });
  const { name } = day.chapter;
  await writeFile(
    join(folder, `${name.replaceAll(/\W+/g, '-')}.json`),
    JSON.stringify(day.chapter, undefined, 1),
  );
}
