import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { anyStack, testFolder, type Stack } from '@sluice/testing';

/** Clients in other languages, which common generators make of the documents: they compile, and run the tour of packages/client/README.md. */

const goGenerator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const pythonGenerator = 'openapi-python-client==0.29.1';
const printed = [
  ...[/^initialized$/, /^1 127\.0\.0\.1:\d+$/, /^true$/i],
  ...[/^400 invalid_request \/body\/name$/, /^true true$/i, /^204$/, /^true$/i],
];

const isThere = (program: string): Promise<boolean> =>
  promisify(execFile)(program, [program === 'go' ? 'version' : '--version']).then(
    () => true,
    () => false,
  );
const [hasGo, hasPython] = await Promise.all([isThere('go'), isThere('python3')]);

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
async function run(cwd: string, program: string, args: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    SLUICE_URL: stack?.base_url,
    SLUICE_AUDIT_URL: stack?.audit_url,
    SLUICE_API_KEY: stack?.api_key,
    TENANT: String(stack?.tenant_id),
    DIVISION: String(stack?.division_id),
  };
  const { stdout } = await promisify(execFile)(program, [...args], { cwd, env, maxBuffer: 2 ** 24 });
  return stdout;
}

/** What a tour has printed, line by line. */
function compareTour(output: string): void {
  const lines = output.trim().split('\n');
  expect(lines).toEqual(printed.map((pattern) => expect.stringMatching(pattern) as unknown));
}

const tour = (name: string) => join(import.meta.dirname, 'tours', name);

const goTest = hasGo ? test : test.skip;
goTest(
  `Go, by oapi-codegen${hasGo ? '' : ': skipped, there is no go here'}`,
  async () => {
    const folder = await testFolder();
    for (const [name, document] of documents) {
      const code = name.replace('_', '');
      await mkdir(join(folder, code));
      const options = ['-generate', 'types,client', '-package', code, '-o', join(folder, code, 'client.go')];
      await run(folder, 'go', ['run', goGenerator, ...options, document]);
    }
    await copyFile(tour('main.go'), join(folder, 'main.go'));
    await run(folder, 'go', ['mod', 'init', 'example.org/tour']);
    await run(folder, 'go', ['mod', 'tidy']);
    compareTour(await run(folder, 'go', ['run', '.']));
  },
  900_000,
);

const pythonTest = hasPython ? test : test.skip;
pythonTest(
  `Python, by openapi-python-client${hasPython ? '' : ': skipped, there is no python3 here'}`,
  async () => {
    const folder = await testFolder();
    const program = (name: string) => join(folder, 'environment/bin', name);
    await run(folder, 'python3', ['-m', 'venv', 'environment']);
    await run(folder, program('pip'), ['install', '--quiet', '--disable-pip-version-check', pythonGenerator]);
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
      await run(folder, program('openapi-python-client'), ['generate', ...options]);
    }
    await copyFile(tour('tour.py'), join(folder, 'tour.py'));
    await run(folder, program('python'), ['-m', 'compileall', '-q', ...documents.keys()]);
    compareTour(await run(folder, program('python'), ['tour.py']));
  },
  600_000,
);
