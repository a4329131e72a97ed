import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { watch } from 'chokidar';
import type { ServiceStart } from './handover.ts';
import { spawnService } from './service-process.ts';
import { repository } from './settings.ts';

const settleMs = 100;
const endMs = 5_000;

/**
 * Runs a service, and starts it again whenever its sources change. Node's own `--watch` sees imported modules only, while a
 * service is made of OpenAPI documents and migrations as well, and loses sight of a file that an editor replaces.
 */
export function runWatched(name: string, start: ServiceStart, nodeOptions: readonly string[]) {
  let ended = false;
  let service = run(name, start, nodeOptions);
  const watcher = watchSources(start.program, async (file) => {
    await service.end();
    if (ended) return;
    console.log(`${relative(repository, file)} has changed: ${name} is started again.`);
    service = run(name, start, nodeOptions);
  });
  return {
    async end(): Promise<void> {
      ended = true;
      await watcher.close();
      await service.end();
    },
  };
}

/** One process of the service; it ends with this one, however that ends. */
function run(name: string, { program, args, environment }: ServiceStart, nodeOptions: readonly string[]) {
  const { exited, end } = spawnService([...nodeOptions, program, ...args], environment, 'inherit');
  let ending = false;
  void exited.then(({ code, signal }) => {
    if (!ending) console.log(`${name} ended (${signal ?? `exit code ${code}`}) and waits for a change.`);
  });
  return {
    async end() {
      ending = true;
      await end(endMs);
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
