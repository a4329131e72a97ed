import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The modules that are loaded before a program made of these can do anything. */
async function modulesOf(...names: string[]): Promise<string[]> {
  const imports = names.map((name) => `import(${JSON.stringify(join(import.meta.dirname, name))})`);
  const program = `
    import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) });
    await Promise.all([${imports.join(', ')}]);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  return stdout.trim().split('\n');
}

test("the agent loads only what it needs, since a deployment's first message waits for its start", async () => {
  const modules = await modulesOf('start.ts', 'runtimes/registry.ts');
  expect(modules.some((url) => url.endsWith('packages/system/src/index.ts'))).toBe(true);
  const heavy =
    /node_modules\/(express|pg|kysely|@prometheus-io|@nats-io|@opentelemetry)\/|contracts\/src\/index|packages\/(service|messaging|grants|http|runtime)\//;
  expect(modules.filter((url) => heavy.test(url))).toEqual([]);
});

test('the gateway loads hardly anything: it is one more process on every node', async () => {
  const modules = await modulesOf('gateway/control.ts', 'gateway/gateway.ts');
  const libraries = modules.flatMap(
    (url) => /node_modules\/((?:@[^/]+\/)?[^/.][^/]*)\//.exec(url.replace(/.*\.pnpm/, ''))?.[1] ?? [],
  );
  expect([...new Set(libraries)]).toEqual(['ipaddr.js']);
});
