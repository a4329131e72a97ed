import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@sluice/testing';
import { sbomFile, sumsFile, writeManifest, type Manifest } from './manifest.ts';
import { bundleOf } from './signatures.ts';
import { verifyFiles } from './verify.ts';

const digest = `sha256:${createHash('sha256').update('an image').digest('hex')}`;
const image = {
  ...{ name: 'main-api', digest, platforms: ['linux/amd64'] },
  reference: `registry.example/sluice/main-api@${digest}`,
};
const about: Omit<Manifest, 'files'> = {
  ...{ version: '1.1.0', commit: 'c'.repeat(40), created: '2026-01-01T00:00:00.000Z' },
  source: 'https://git.example/sluice',
  chart: { reference: `registry.example/charts/sluice@${digest}`, digest },
  images: [image],
};

/** Signs as cosign does: ECDSA with P-256 over SHA-256, in a Sigstore bundle. */
async function signed(folder: string, key: KeyObject): Promise<void> {
  const signature = sign('sha256', await readFile(join(folder, sumsFile)), key).toString('base64');
  await writeFile(join(folder, bundleOf(sumsFile)), JSON.stringify({ messageSignature: { signature } }));
}

const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();

async function aRelease(changes: Partial<typeof about> = {}) {
  const folder = await testFolder();
  await mkdir(join(folder, 'sbom'));
  await writeFile(join(folder, sbomFile('main-api')), '{}');
  await writeFile(join(folder, 'install.yaml'), 'kind: Deployment\n');
  await writeManifest(folder, { ...about, ...changes });
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await signed(folder, privateKey);
  const path = (name: string) => join(folder, name);
  const faults = async (key = publicKey) => (await verifyFiles(folder, pem(key))).faults;
  return { folder, path, privateKey, publicKey, faults };
}

test('a release as it was made has no fault, and its manifest names all files', async () => {
  const { folder, publicKey } = await aRelease();
  const { faults, manifest } = await verifyFiles(folder, pem(publicKey));
  expect(faults).toEqual([]);
  expect(manifest).toMatchObject(about);
  expect(Object.keys(manifest?.files ?? {})).toEqual(['install.yaml', 'sbom/main-api.cdx.json']);
});

test('a file that was changed, removed or added is named', async () => {
  const { path, faults } = await aRelease();
  await writeFile(path('install.yaml'), 'kind: Job\n');
  await rm(path('sbom/main-api.cdx.json'));
  await writeFile(path('more.yaml'), '');
  expect(await faults()).toEqual([
    expect.stringMatching(/^install\.yaml was changed: its SHA-256 is [0-9a-f]{64}, not [0-9a-f]{64}\.$/),
    'sbom/main-api.cdx.json is missing.',
    'more.yaml is no part of the release: SHA256SUMS does not list it.',
  ]);
});

test('a link in place of a file is refused, also with the same content', async () => {
  const { path, faults } = await aRelease();
  const elsewhere = join(await testFolder(), 'install.yaml');
  await rename(path('install.yaml'), elsewhere);
  await symlink(elsewhere, path('install.yaml'));
  expect(await faults()).toEqual([
    expect.stringMatching(/: install\.yaml is neither a file nor a folder\.$/),
  ]);
});

test('a list that was changed with its files, or that another key signed, is refused', async () => {
  const { folder, path, faults, privateKey } = await aRelease();
  const refusal = 'SHA256SUMS is not signed by this key: it was changed, or another key signed it.';
  await writeFile(path('install.yaml'), 'kind: Job\n');
  await writeManifest(folder, about);
  expect(await faults()).toEqual([refusal]);
  await signed(folder, privateKey);
  expect(await faults()).toEqual([]);
  expect(await faults(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)).toEqual([refusal]);
});

test('an image whose reference is not by its digest, or without a bill of materials, is a fault', async () => {
  const { folder, faults, privateKey, path } = await aRelease({
    images: [{ ...image, reference: 'registry.example/sluice/main-api:1.1.0' }],
  });
  await rm(path('sbom'), { recursive: true });
  await writeManifest(folder, {
    ...about,
    images: [{ ...image, reference: 'registry.example/sluice/main-api:1.1.0' }],
  });
  await signed(folder, privateKey);
  expect(await faults()).toEqual([
    'release.json: the reference of main-api does not name its digest.',
    'sluice/main-api has no bill of materials (sbom/main-api.cdx.json).',
  ]);
});

test.each([sumsFile, bundleOf(sumsFile), 'release.json'])(
  'a folder without %s is no release',
  async (name) => {
    const { path, faults } = await aRelease();
    await rm(path(name));
    expect((await faults()).join()).toContain(`The folder is no release, or not whole: ENOENT`);
  },
);
