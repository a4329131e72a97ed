import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildCli } from '@sluice/infra/cli/build';
import { compiledCode, testFolder, type Stack } from '@sluice/testing';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: NodeJS.ProcessEnv;
  /** what stdin has */
  input?: string;
  /** the Node to run on */
  node?: string;
  /** gets each piece of stderr as it comes */
  said?: (text: string) => void;
}

export interface Program {
  /** the folder with its contexts */
  config: string;
  /** the built program */
  path: string;
  /** Runs a command line without a terminal. */
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
  /** What a command line that succeeds writes as JSON. */
  json<T>(...args: string[]): Promise<T>;
  /** Runs a line of a shell in which `sluice` is the program. */
  shell(line: string): Promise<Ended>;
  /** Runs a command line on a terminal of its own. @param keys typed one after the other, each once its text is shown */
  terminal(
    args: readonly string[],
    size: number,
    keys?: readonly { at: string; type: string | (() => Promise<string>) }[],
    env?: NodeJS.ProcessEnv,
  ): Promise<Omit<Ended, 'stderr'>>;
  /** Sends Ctrl-C as soon as it has said something on stderr. */
  interrupted(args: readonly string[]): Promise<Ended>;
  /** Sends Ctrl-C as soon as it has written data. */
  stopped(args: readonly string[]): Promise<Ended>;
  /** Takes nothing of what it writes, from its first bytes on until something else has happened. */
  held(args: readonly string[], meanwhile: () => Promise<unknown>): Promise<Ended>;
}

/**
 * Builds the program as it is published, and runs it with the key of a stack.
 * @param given the folder for it and its contexts; one of the test run without it
 */
export async function builtProgram(stack: Stack, given?: string): Promise<Program> {
  const folder = given ?? (await testFolder());
  const [config, dist] = [join(folder, 'config'), join(folder, 'dist')];
  await buildCli(dist);
  const path = join(dist, 'sluice.js');
  const environment = {
    ...compiledCode(),
    PATH: process.env.PATH,
    HOME: folder,
    SLUICE_CONFIG_DIR: config,
    SLUICE_API_KEY: stack.api_key,
    SLUICE_URL: stack.base_url,
    // CI is set where tests run, and prompts are tested
    TERM: 'xterm',
  };

  async function run(
    args: readonly string[],
    { env = {}, input = '', node = process.execPath, said = () => {} }: RunOptions = {},
  ): Promise<Ended> {
    const child = spawn(node, [path, ...args], { env: { ...environment, ...env }, cwd: folder });
    child.stdin.on('error', () => {}).end(input);
    child.stderr.on('data', (piece: Buffer) => said(piece.toString()));
    return endOf(child);
  }

  function stopAfter(stream: 'stdout' | 'stderr', args: readonly string[]): Promise<Ended> {
    const child = spawn(process.execPath, [path, ...args], { env: environment, cwd: folder });
    child[stream].once('data', () => child.kill('SIGINT'));
    return endOf(child);
  }

  return {
    config,
    path,
    run,
    async json<T>(...args: string[]): Promise<T> {
      const { code, stdout, stderr } = await run([...args, '-o', 'json']);
      if (code !== 0) throw new Error(`sluice ${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    shell(line) {
      const program = `sluice() { '${process.execPath}' '${path}' "$@"; }`;
      const child = spawn('sh', ['-c', `${program}; ${line}`], { env: environment, cwd: folder });
      child.stdin.on('error', () => {}).end();
      return endOf(child);
    },
    async terminal(args, size, keys = [], env = {}) {
      const quoted = [process.execPath, path, ...args]
        .map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`)
        .join(' ');
      const command = `stty cols ${size} rows 40; exec ${quoted}`;
      const child = spawn('script', ['-qfec', command, '/dev/null'], {
        env: { ...environment, ...env },
        cwd: folder,
      });
      let stdout = '';
      const waiting = [...keys];
      child.stdout.on('data', (piece: Buffer) => {
        stdout += piece.toString();
        const next = waiting[0];
        if (!next || !stdout.includes(next.at)) return;
        waiting.shift();
        if (typeof next.type === 'string') child.stdin.write(next.type);
        else void next.type().then((text) => child.stdin.write(text));
      });
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, stdout };
    },
    interrupted: (args) => stopAfter('stderr', args),
    stopped: (args) => stopAfter('stdout', args),
    async held(args, meanwhile) {
      const child = spawn(process.execPath, [path, ...args], { env: environment, cwd: folder });
      const [stderr, end] = [text(child.stderr), once(child, 'close')];
      await once(child.stdout, 'readable');
      await meanwhile();
      const stdout = await text(child.stdout);
      return { code: ((await end) as [number | null])[0], stdout, stderr: await stderr };
    },
  };
}

async function endOf(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const [stdout, stderr, end] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: end[0] as number | null, stdout, stderr };
}
