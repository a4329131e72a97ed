import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { secretsOfLayer } from './layers.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-layer-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A layer with these files below `/sluice`. */
async function layerOf(files: Record<string, string>): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, 'sluice', name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const layer = join(folder, 'layer.tar');
  await promisify(execFile)('tar', ['-cf', layer, '-C', folder, 'sluice']);
  return layer;
}

const keyOf = (content: string) => `-----BEGIN RSA PRIVATE KEY-----\n${content}\n`;

test('keys, tokens and files that have no business in a layer are found', async () => {
  const layer = await layerOf({
    'program/key.pem': keyOf('A'.repeat(64)),
    'program/notes.txt': `\0svc_${'a'.repeat(48)}\0`,
    '.npmrc': 'registry=https://registry.example',
  });
  expect((await secretsOfLayer(layer)).sort()).toEqual(['-----BEGIN R…', 'sluice/.npmrc', 'svc_aaaaaaaa…']);
});

test('the key that smtp-server publishes is no secret, and hides no other', async () => {
  const library = dirname(createRequire(import.meta.url).resolve('smtp-server'));
  const source = await readFile(join(library, 'tls-options.js'), 'utf8');
  // literals of several lines are one in what Node has compiled
  const published = source.replaceAll(/\\n' \+\s*'/g, '\n');
  expect(published).toMatch(/-----BEGIN RSA PRIVATE KEY-----\n[\w+/]{40}/);
  const known = Object.fromEntries(
    Array.from({ length: 4 }, (_, index) => [`.cache/${index}`, `${published}\0`]),
  );
  expect(await secretsOfLayer(await layerOf(known))).toEqual([]);
  expect(await secretsOfLayer(await layerOf({ ...known, 'program/own.pem': keyOf('B'.repeat(64)) }))).toEqual(
    ['-----BEGIN R…'],
  );
});
