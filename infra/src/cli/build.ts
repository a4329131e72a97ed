import { chmod, copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type InlineConfig } from 'tsdown';
import { parse } from 'yaml';
import { repository } from '../settings.ts';

const source = join(repository, 'packages/cli');

/** what is installed beside the program, for the machine that it is on */
const native = '@napi-rs/keyring';
/** of Ink's own developers: Ink loads it only where DEV is `true`, which `watch` prevents */
const devtools = 'react-devtools-core';

/** Makes the command line as it is published, in a folder that it replaces: one program with all that it needs, but for the keyring. */
export async function buildCli(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await bundleCli({ entry: { sluice: 'src/main.ts' }, outDir: folder, target: 'node20' });
  await chmod(join(folder, 'sluice.js'), 0o755);
  await copyFile(join(repository, 'docs/cli/apply.schema.json'), join(folder, 'apply.schema.json'));
  const { description } = await readJson(join(source, 'package.json'));
  const { version, license } = await readJson(join(repository, 'package.json'));
  const workspace = parse(await readFile(join(repository, 'pnpm-workspace.yaml'), 'utf8')) as Workspace;
  const manifest = {
    name: 'sluice',
    version,
    description,
    license,
    type: 'module',
    bin: { sluice: './sluice.js' },
    engines: { node: '>=20.12' },
    // without it keys are kept in a file
    optionalDependencies: { [native]: workspace.catalog[native] },
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Bundles a program of the command line with all that it needs, but for the keyring. */
export async function bundleCli(options: InlineConfig): Promise<void> {
  await build({
    config: false,
    cwd: source,
    platform: 'node',
    fixedExtension: false,
    dts: false,
    minify: 'dce-only',
    deps: { alwaysBundle: /./, neverBundle: [native] },
    plugins: [commanderStartsNothing],
    // it would tell how long plugins took
    inputOptions: { resolve: { alias: { [devtools]: false } }, checks: { pluginTimings: false } },
    logLevel: 'error',
    ...options,
  });
}

/**
 * Commander loads `node:child_process` for commands that are programs of their own, of which these programs have none: a tenth of what the help
 * takes.
 */
const commanderStartsNothing = {
  name: 'commander-starts-nothing',
  transform(code: string, id: string) {
    if (!/\/commander\/lib\/command\.js$/.test(id)) return undefined;
    const less = code.replace("require('node:child_process')", '{}');
    if (less === code) throw new Error(`${id} loads node:child_process in another way.`);
    return less;
  },
};

interface Workspace {
  catalog: Record<string, string>;
}

const readJson = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as Record<string, string>;

if (process.argv[1] === import.meta.filename) await buildCli(process.argv[2] ?? join(source, 'dist'));
