import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The modules that are loaded before the agent can do anything. */
async function modulesOfTheAgent(): Promise<string[]> {
  const start = JSON.stringify(join(import.meta.dirname, 'start.ts'));
  const registry = JSON.stringify(join(import.meta.dirname, 'runtimes/registry.ts'));
  const program = `
    import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) });
    await Promise.all([import(${start}), import(${registry})]);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  return stdout.trim().split('\n');
}

test("the agent loads only what it needs, since a deployment's first message waits for its start", async () => {
  const modules = await modulesOfTheAgent();
  expect(modules.some((url) => url.endsWith('packages/system/src/index.ts'))).toBe(true);
  const heavy = /node_modules\/(express|pg|kysely|prom-client|@nats-io)\/|contracts\/src\/index|service-kit/;
  expect(modules.filter((url) => heavy.test(url))).toEqual([]);
});
