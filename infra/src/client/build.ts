import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'tsdown';
import { repository } from '../settings.ts';

const source = join(repository, 'packages/client');

/** Makes packages/client as it is published, in a folder that it replaces: JavaScript, declarations, manifest and README. */
export async function buildClient(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await build({
    config: false,
    cwd: source,
    entry: ['src/index.ts'],
    outDir: folder,
    platform: 'neutral',
    target: 'es2023',
    fixedExtension: false,
    dts: { generator: 'oxc' },
    logLevel: 'warn',
  });
  const { name, description, type, sideEffects } = await readManifest(source);
  const { version, license, repository: origin } = await readManifest(repository);
  const engines = { node: '>=20.3' };
  const exports = { '.': './index.js', './package.json': './package.json' };
  const manifest = {
    name,
    version,
    description,
    license,
    repository: origin,
    type,
    sideEffects,
    engines,
    exports,
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(folder, 'README.md'), await readFile(join(source, 'README.md'), 'utf8'));
}

const readManifest = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;

if (process.argv[1] === import.meta.filename) await buildClient(join(source, 'dist'));
