import { execFile } from 'node:child_process';
import { cp, glob, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { repository } from './settings.ts';

/**
 * The changes of CONTRIBUTING.md as patches in docs/recipes. `npm run recipes` makes all of them in a copy of this checkout, checks the
 * types there and runs the tests that they add. `npm run recipes -- --keep` leaves the copy and prints its folder.
 */

const run = promisify(execFile);
const recipesFolder = join(repository, 'docs/recipes');

export interface Recipe {
  name: string;
  text: string;
  /** the files that it changes or adds, sorted */
  files: string[];
}

export async function readRecipes(): Promise<Recipe[]> {
  const names = (await readdir(recipesFolder)).filter((file) => file.endsWith('.patch')).sort();
  return await Promise.all(
    names.map(async (file) => {
      const text = await readFile(join(recipesFolder, file), 'utf8');
      const files = [...text.matchAll(/^diff --git a\/.* b\/(.*)$/gm)].map(([, path = '']) => path).sort();
      return { name: file.replace('.patch', ''), text, files };
    }),
  );
}

const isTest = (file: string) => file.endsWith('.test.ts');

/** @throws Error with what a program in the copy has printed */
export async function tryRecipes(recipes: readonly Recipe[], keep = false): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'sluice-recipes-'));
  try {
    await copySources(copy);
    for (const { name } of recipes)
      await inCopy(copy, 'git', 'apply', '-C1', '--whitespace=error', join(recipesFolder, `${name}.patch`));
    await linkModules(copy);
    await writeApiTypes(copy);
    const files = recipes.flatMap((recipe) => recipe.files);
    await checkTypes(copy, files);
    await runTests(copy, files.filter(isTest));
    return copy;
  } finally {
    if (!keep) await rm(copy, { recursive: true, force: true });
  }
}

async function inCopy(copy: string, program: string, ...args: string[]): Promise<void> {
  // no repository above the copy is meant
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(copy), NODE_OPTIONS: '' };
  const failure = await run(program, args, { cwd: copy, env, maxBuffer: 2 ** 24 }).then(
    () => undefined,
    (error: unknown) => z.object({ stdout: z.string(), stderr: z.string() }).parse(error),
  );
  if (failure) throw new Error(`${program} ${args.join(' ')}\n${failure.stdout}${failure.stderr}`);
}

/** What is written by hand, and the types of the OpenAPI documents. */
async function copySources(copy: string): Promise<void> {
  for (const path of [
    'packages',
    'services',
    'infra',
    'docs/interface',
    'package.json',
    'tsconfig.base.json',
  ])
    await cp(join(repository, path), join(copy, path), {
      recursive: true,
      filter: (source) => !source.endsWith('node_modules') && !source.includes('.sluice'),
    });
}

const manifestSchema = z.object({
  name: z.string(),
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
});

async function manifestsOf(root: string) {
  const found = new Map<string, z.infer<typeof manifestSchema>>();
  for await (const file of glob('{.,infra,{packages,services}/*}/package.json', { cwd: root })) {
    const text = await readFile(join(root, file), 'utf8');
    found.set(dirname(file), manifestSchema.parse(JSON.parse(text)));
  }
  return found;
}

/** Installs what the manifests of the copy name: its own packages, and those that are installed here. */
async function linkModules(copy: string): Promise<void> {
  const installed = new Map<string, string>();
  for (const [folder, { dependencies, devDependencies }] of await manifestsOf(repository))
    for (const name of Object.keys({ ...dependencies, ...devDependencies }))
      installed.set(name, join(repository, folder, 'node_modules', name));
  const manifests = await manifestsOf(copy);
  const own = new Map([...manifests].map(([folder, { name }]) => [name, join(copy, folder)]));
  for (const [folder, { dependencies, devDependencies }] of manifests) {
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      const target = own.get(name) ?? installed.get(name);
      if (target === undefined) throw new Error(`${folder}: ${name} is not installed`);
      const link = join(copy, folder, 'node_modules', name);
      await mkdir(dirname(link), { recursive: true });
      await symlink(target, link);
    }
  }
}

async function writeApiTypes(copy: string): Promise<void> {
  const pairs = ['contracts/openapi', 'contracts/src/generated/agent-api.ts'].map(
    (path) => `packages/${path}`,
  );
  for await (const file of glob('{packages,services}/*/openapi/openapi.yaml', { cwd: copy })) {
    const folder = dirname(file);
    if (!pairs.includes(folder)) pairs.push(folder, join(dirname(folder), 'src/generated/api.ts'));
  }
  const paths = pairs.map((path) => join(copy, path));
  await inCopy(copy, process.execPath, 'infra/src/api-types.ts', 'recipes', ...paths);
}

/** They have settings of the compiler of their own, for browsers. */
const webPackages = ['console', 'console-core', 'console-deployment', 'ui', 'stream-ui'].map(
  (name) => `packages/${name}`,
);

/** Of all sources, and of what the recipes touch besides. */
async function checkTypes(copy: string, files: readonly string[]): Promise<void> {
  const config = {
    extends: './tsconfig.base.json',
    compilerOptions: { types: ['node', 'jest'] },
    files: files.filter((file) => file.endsWith('.ts')),
    include: ['packages/*/src', 'services/*/src'],
    exclude: ['**/node_modules', '**/*.test.ts', 'packages/testing', ...webPackages],
  };
  await writeFile(join(copy, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(repository, 'node_modules/@typescript/native/bin/tsc');
  await inCopy(copy, process.execPath, compiler, '-p', '.');
}

/** Without the servers of other tests: recipes add tests that need none. */
async function runTests(copy: string, tests: readonly string[]): Promise<void> {
  const jest = join(copy, 'packages/testing/src/jest');
  const config = {
    rootDir: copy,
    runtime: join(jest, 'native-runtime.ts'),
    testEnvironment: join(jest, 'native-environment.ts'),
    transform: {},
    testTimeout: 60_000,
  };
  const program = join(repository, 'node_modules/jest/bin/jest.js');
  const options = ['--config', JSON.stringify(config), '--runInBand', '--watchman=false'];
  const args = ['--experimental-vm-modules', program, ...options, '--runTestsByPath', ...tests];
  await inCopy(copy, process.execPath, ...args);
}

if (import.meta.main) {
  const keep = process.argv.includes('--keep');
  const copy = await tryRecipes(await readRecipes(), keep);
  console.log(keep ? relative('', copy) : 'All recipes hold.');
}
