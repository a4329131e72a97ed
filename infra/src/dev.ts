import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CannotStart, endChild, type Exit } from '@sluice/embedded';
import { watch } from 'chokidar';
import { borrowService, type ServiceStart } from './handover.ts';
import { untilFree } from './ports.ts';
import { readSettings, repository } from './settings.ts';

/**
 * `npm run dev <service>`: runs one service of the stack that `npm start` runs in another terminal, with an inspector
 * and its log in this terminal, and starts it again whenever its sources change. Arguments that begin with a dash are
 * for Node (`--inspect-brk`). When this ends, the stack runs the service again.
 *
 * Node's own `--watch` sees imported modules only; a service is made of OpenAPI documents and migrations as well.
 */

const settleMs = 100;
const endMs = 5_000;

async function develop(name: string, nodeOptions: readonly string[]): Promise<void> {
  const { home } = readSettings(process.env);
  const loan = await borrowService({ folder: home, path: (...names) => join(home, ...names) }, name);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  loan.ended.addEventListener('abort', () => stop.abort(), { once: true });

  await untilFree(Number(loan.start.environment.PORT));
  let service = run(name, loan.start, nodeOptions);
  const watchers = watchSources(loan.start.program, async (file) => {
    await service.end();
    if (stop.signal.aborted) return;
    console.log(`${relative(repository, file)} has changed: ${name} is started again.`);
    service = run(name, loan.start, nodeOptions);
  });
  await new Promise<void>((resolve) =>
    stop.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  if (loan.ended.aborted) console.log('The stack has ended.');
  await watchers.close();
  await service.end();
  loan.giveBack();
}

/** One process of the service; it ends with this one, however that ends. */
function run(name: string, { program, args, environment }: ServiceStart, nodeOptions: readonly string[]) {
  const env = { ...environment, LOG_LEVEL: process.env.LOG_LEVEL ?? environment.LOG_LEVEL };
  const child = spawn(process.execPath, ['--inspect', ...nodeOptions, program, ...args], {
    cwd: repository,
    env,
    // in a session of its own: a Ctrl-C is for this process, which then ends it
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let ending = false;
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: 1, signal: null }));
  });
  void exited.then(({ code, signal }) => {
    if (!ending) console.log(`${name} ended (${signal ?? `exit code ${code}`}) and waits for a change.`);
  });
  return {
    async end() {
      ending = true;
      await endChild(child, exited, ['SIGTERM', 'SIGKILL'], endMs);
    },
  };
}

/** Calls back with a file that has changed, one call at a time, once the files have been quiet for a moment. */
function watchSources(program: string, changed: (file: string) => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  let turn = Promise.resolve();
  const watcher = watch(sourceFolders(program), { ignoreInitial: true });
  watcher.on('all', (_, file) => {
    if (!/\.(ts|yaml|sql|json)$/.test(file) || file.endsWith('.test.ts')) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      turn = turn.then(() => changed(file));
    }, settleMs);
  });
  return {
    async close() {
      clearTimeout(timer);
      await watcher.close();
      await turn;
    },
  };
}

/** What a service is made of: its own folders and those of the packages. */
function sourceFolders(program: string): string[] {
  const packages = join(repository, 'packages');
  const owners = [dirname(dirname(program)), ...readdirSync(packages).map((name) => join(packages, name))];
  const folders = owners.flatMap((owner) =>
    ['src', 'openapi', 'migrations'].map((name) => join(owner, name)),
  );
  return [dirname(program), ...folders].filter((folder) => existsSync(folder));
}

const [name = '', ...rest] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
try {
  if (rest.length > 0) throw new CannotStart('npm run dev <service> runs one service.');
  await develop(
    name,
    process.argv.slice(2).filter((argument) => argument.startsWith('-')),
  );
  process.exit(0);
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error);
  process.exit(1);
}
