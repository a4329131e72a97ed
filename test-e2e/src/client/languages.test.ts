import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { anyStack, testFolder, type Stack } from '@sluice/testing';
import { seedTenant } from '../second-tenant.ts';

/** Clients in other languages, which common generators make of the documents: they compile, and run the tour of packages/client/README.md. */

const printed = [
  ...[/^initialized$/, /^1 127\.0\.0\.1:\d+$/, /^true$/i],
  ...[/^400 invalid_request \/body\/name$/, /^true true$/i, /^204$/, /^true$/i],
];

const isThere = (...command: [string, ...string[]]): Promise<boolean> =>
  promisify(execFile)(command[0], command.slice(1)).then(
    () => true,
    () => false,
  );
const [hasGo, hasPython] = await Promise.all([
  isThere('oapi-codegen', '--version').then((isGenerator) => isGenerator && isThere('go', 'version')),
  isThere('python3', '-m', 'openapi_python_client', '--version'),
]);

let stack: Stack | undefined;
const documents = new Map<string, string>();
beforeAll(async () => {
  if (!hasGo && !hasPython) return;
  stack = await anyStack();
  const folder = await testFolder();
  const supervisor = stack.supervisors[0]?.url ?? '';
  for (const [name, url] of Object.entries({
    main_api: stack.base_url,
    supervisor,
    audit: stack.audit_url,
  })) {
    documents.set(name, join(folder, `${name}.json`));
    await writeFile(join(folder, `${name}.json`), await (await fetch(`${url}/openapi.json`)).text());
  }
}, 240_000);
afterAll(() => stack?.remove());

/** Runs a program in a folder. @returns what it prints */
async function run(
  cwd: string,
  program: string,
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
): Promise<string> {
  const env = { ...process.env, ...more };
  const { stdout } = await promisify(execFile)(program, [...args], { cwd, env, maxBuffer: 2 ** 24 });
  return stdout;
}

/** Runs a tour in a tenant of its own, since a tenant has one free deployment, and compares what it prints. */
async function runTour(cwd: string, program: string, args: readonly string[]): Promise<void> {
  if (!stack) throw new Error('there is no stack');
  const tenant = await seedTenant(stack, `Tour ${basename(program)}`);
  const output = await run(cwd, program, args, {
    ...{ SLUICE_URL: stack.base_url, SLUICE_AUDIT_URL: stack.audit_url, SLUICE_API_KEY: tenant.api_key },
    ...{ TENANT: String(tenant.tenant_id), DIVISION: String(tenant.division_id) },
  });
  const lines = output.trim().split('\n');
  expect(lines).toEqual(printed.map((pattern) => expect.stringMatching(pattern) as unknown));
}

const tour = (name: string) => join(import.meta.dirname, 'tours', name);

const goTest = hasGo ? test : test.skip;
goTest(
  `Go, by oapi-codegen${hasGo ? '' : ': skipped, since go and oapi-codegen (2.8) are not both installed'}`,
  async () => {
    const folder = await testFolder();
    for (const [name, document] of documents) {
      const code = name.replace('_', '');
      await mkdir(join(folder, code));
      const options = ['-generate', 'types,client', '-package', code, '-o', join(folder, code, 'client.go')];
      await run(folder, 'oapi-codegen', [...options, document]);
    }
    await copyFile(tour('main.go'), join(folder, 'main.go'));
    await run(folder, 'go', ['mod', 'init', 'example.org/tour']);
    await run(folder, 'go', ['mod', 'tidy']);
    await runTour(folder, 'go', ['run', '.']);
  },
  900_000,
);

const pythonTest = hasPython ? test : test.skip;
pythonTest(
  `Python, by openapi-python-client${hasPython ? '' : ': skipped, since python3 has no package openapi-python-client (0.29)'}`,
  async () => {
    const folder = await testFolder();
    await writeFile(join(folder, 'config.yaml'), 'post_hooks: []\n');
    for (const [name, document] of documents) {
      const options = [
        '--path',
        document,
        '--output-path',
        name,
        '--meta',
        'none',
        '--config',
        'config.yaml',
      ];
      await run(folder, 'python3', ['-m', 'openapi_python_client', 'generate', ...options]);
    }
    await copyFile(tour('tour.py'), join(folder, 'tour.py'));
    await run(folder, 'python3', ['-m', 'compileall', '-q', ...documents.keys()]);
    await runTour(folder, 'python3', ['tour.py']);
  },
  600_000,
);
