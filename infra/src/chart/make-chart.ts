import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { valid } from 'semver';
import { chartFiles } from './chart.ts';
import { imagesSchema, referencesOf } from './images.ts';
import { installation } from './installation.ts';
import { packed } from './packed.ts';

/**
 * `npm run chart -- --version 1.1.0 --out dist`: writes the Helm chart `sluice-1.1.0.tgz` and `install.yaml`. `--images` is a JSON file
 * with the references of published images, `{ "sluice/main-api": "registry.example/sluice/main-api@sha256:…", … }`; without it
 * images have the version as their tag.
 */

const usage = 'Usage: npm run chart -- --version <version> --out <folder> [--images <file>]';

try {
  const { values } = parseArgs({
    options: { version: { type: 'string' }, out: { type: 'string' }, images: { type: 'string' } },
  });
  const { version, out, images } = values;
  if (version === undefined || out === undefined) throw new Error(usage);
  if (valid(version) !== version) throw new Error(`${version} is no version, such as 1.1.0.\n${usage}`);
  const published: unknown = images === undefined ? {} : JSON.parse(await readFile(images, 'utf8'));
  const references = referencesOf(version, imagesSchema.parse(published));
  const chart = await packed('sluice', await chartFiles(version, references));
  await mkdir(out, { recursive: true });
  await writeFile(join(out, `sluice-${version}.tgz`), chart);
  await writeFile(join(out, 'install.yaml'), await installation(version, references));
  console.log(`${join(out, `sluice-${version}.tgz`)}\n${join(out, 'install.yaml')}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
