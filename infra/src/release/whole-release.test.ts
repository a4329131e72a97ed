import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dockerAnswers, testFolder } from '@sluice/testing';
import { smallCheckout } from '../fixtures/small-checkout.ts';
import { images } from '../images/images.ts';
import { repository } from '../settings.ts';
import { manifestSchema, type Manifest } from './manifest.ts';
import { readOptions } from './options.ts';
import { gitIn, run, succeeds } from './programs.ts';
import { withRegistry } from './registry.ts';
import { release } from './release.ts';
import { folderOf } from './steps.ts';
import { verifyArtifacts, verifyFiles } from './verify.ts';

/** Whole releases of a small checkout, by the real programs. */

const programs = ['cosign', 'crane', 'helm', 'oras'];
const found = await Promise.all(programs.map((program) => succeeds(run(program, ['version']))));
const lacking = [
  ...programs.filter((_, index) => !found[index]),
  ...((await dockerAnswers()) ? [] : ['Docker']),
];
const whole = lacking.length === 0 ? test : test.skip;
if (lacking.length > 0) console.warn(`No release is made as a whole: there is no ${lacking.join(', ')}.`);

const minutes = 60_000;

/** A pair of keys of cosign: the path of the private one, and of the public one. */
async function newKey() {
  const prefix = join(await testFolder(), 'cosign');
  process.env.COSIGN_PASSWORD = 'of the key';
  await run('cosign', ['generate-key-pair', '--output-key-prefix', prefix]);
  return { key: `${prefix}.key`, publicKey: `${prefix}.pub` };
}

interface Followed {
  folder: string;
  publicKey: string;
  version: string;
  mirror: string;
}

/** Runs the block of docs/operations/release.md that has a text in it, in the place of a platform team. */
async function follow(text: string, { folder, publicKey, version, mirror }: Followed): Promise<void> {
  const document = await readFile(join(repository, 'docs/operations/release.md'), 'utf8');
  const blocks = [...document.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  const block = blocks.find((one) => one.includes(text)) ?? '';
  expect(block).not.toBe('');
  const place = await testFolder();
  await cp(folder, join(place, `release-${version}`), { recursive: true });
  await cp(publicKey, join(place, 'cosign.pub'));
  const script = block.replaceAll('1.1.0', version).replace(/^mirror=.*$/m, '');
  const inFolder = script.startsWith('cd ') ? place : join(place, `release-${version}`);
  await run('bash', ['-euc', `mirror=${mirror}\n${script}`], { cwd: inFolder });
}

/** Makes a release; answers its folder and its lines. */
async function released(root: string, key: string, version: string, ...more: string[]) {
  const lines: string[] = [];
  const options = readOptions(['--key', key, '--source', 'https://git.example/sluice', ...more]);
  await release(root, options, (line) => lines.push(line));
  return { folder: folderOf(root, version), lines };
}

const manifestOf = async (folder: string): Promise<Manifest> =>
  manifestSchema.parse(JSON.parse(await readFile(join(folder, 'release.json'), 'utf8')));

async function faultsOf(folder: string, publicKey: string, registry?: string): Promise<string[]> {
  const { faults } = await verifyFiles(folder, await readFile(publicKey, 'utf8'));
  return [...faults, ...(await verifyArtifacts(folder, await manifestOf(folder), publicKey, registry))];
}

whole(
  'a release in a layout is complete and signed, and every change of it is found',
  async () => {
    const root = await smallCheckout();
    const { key, publicKey } = await newKey();
    const version = '1.1.0-rc.0';
    const more = ['--registry', 'registry.example', '--layout', '--pre', 'rc'];
    const dry = await released(root, key, version, ...more, '--dry-run');
    expect(dry.lines[0]).toBe('Dry run: makes the release 1.1.0-rc.0.');
    expect(await gitIn(root)('status', '--porcelain', '--ignored')).toBe('');

    const { folder } = await released(root, key, version, ...more);
    const commit = await gitIn(root)('rev-parse', 'HEAD');
    expect(await gitIn(root)('rev-parse', `v${version}^{commit}`)).toBe(commit);
    expect((await readdir(folder)).sort()).toEqual(
      [
        ...[
          'SHA256SUMS',
          'SHA256SUMS.sigstore.json',
          'images.txt',
          'install.yaml',
          'oci',
          'release-notes.md',
        ],
        ...['release.json', 'sbom', `sluice-${version}-sources.tar.gz`, `sluice-${version}.tgz`],
        `sluice-${version}-linux-x64`,
      ].sort(),
    );
    const manifest = await manifestOf(folder);
    expect(manifest).toMatchObject({ version, commit });
    expect(manifest.images.map(({ name }) => name)).toEqual(images.map(({ name }) => name));
    const image = manifest.images[0]!;
    expect(image.reference).toBe(`registry.example/sluice/main-api@${image.digest}`);
    expect(await readFile(join(folder, 'install.yaml'), 'utf8')).toContain(image.reference);
    expect(await readFile(join(folder, 'images.txt'), 'utf8')).toContain(
      `sluice/main-api:1.1.0-rc.0 ${image.reference}\n`,
    );
    expect(await readFile(join(folder, 'release-notes.md'), 'utf8')).toMatch(/^## 1\.1\.0-rc\.0\n[^]*faster/);
    expect(await faultsOf(folder, publicKey)).toEqual([]);

    await withRegistry(async (address) => {
      // oras knows by this name that it needs no TLS
      const mirror = address.replace('127.0.0.1', 'localhost');
      await follow('--from-oci-layout', { folder, publicKey, version, mirror });
      expect(await faultsOf(folder, publicKey, mirror)).toEqual([]);
    });

    await expect(released(root, key, version, ...more)).rejects.toThrow(
      'Nothing to release since 1.1.0-rc.0',
    );

    const other = (await newKey()).publicKey;
    expect(await faultsOf(folder, other)).toEqual([
      'SHA256SUMS is not signed by this key: it was changed, or another key signed it.',
      ...manifest.images.map(({ name }): unknown =>
        expect.stringContaining(`sluice/${name} is not signed by this key: `),
      ),
      expect.stringContaining('charts/sluice is not signed by this key: '),
    ]);

    const { layers } = JSON.parse(await readFile(blob(folder, image.digest), 'utf8')) as {
      layers: { digest: string }[];
    };
    const layer = blob(folder, layers[0]?.digest ?? '');
    await writeFile(
      layer,
      (await readFile(layer)).map((byte, index) => (index === 20 ? byte ^ 1 : byte)),
    );
    const changed = await faultsOf(folder, publicKey);
    expect(changed[0]).toMatch(/^oci\/blobs\/sha256\/[0-9a-f]{64} was changed: /);
    expect(changed[1]).toMatch(/^sluice\/main-api cannot be read: oras cp: .*digest does not match/);
  },
  6 * minutes,
);

const blob = (folder: string, digest: string) => join(folder, 'oci/blobs', digest.replace(':', '/'));

whole(
  'a release in a registry is verified there and in a mirror with its referrers, and not in one without them',
  async () => {
    const { key, publicKey } = await newKey();
    await withRegistry(async (address) => {
      const registry = address.replace('127.0.0.1', 'localhost');
      const root = await smallCheckout();
      const version = '1.1.0';
      const { folder } = await released(root, key, version, '--registry', registry);
      const { images: made } = await manifestOf(folder);
      expect(await faultsOf(folder, publicKey)).toEqual([]);
      const tag = await run('crane', ['digest', `${registry}/sluice/main-api:1.1.0`]);
      expect(tag).toBe(made[0]?.digest);
      await expect(released(await smallCheckout(), key, version, '--registry', registry)).rejects.toThrow(
        `${registry}/sluice/main-api:1.1.0 exists: that version is released.`,
      );

      const mirror = `${registry}/mirror`;
      await follow('cosign verify-blob', { folder, publicKey, version, mirror });
      await follow('while read', { folder, publicKey, version, mirror });
      expect(await faultsOf(folder, publicKey, mirror)).toEqual([]);

      const bare = `${registry}/bare`;
      await run('oras', ['cp', made[0]?.reference ?? '', `${bare}/sluice/main-api:1.1.0`]);
      const [first, second, ...others] = await faultsOf(folder, publicKey, bare);
      expect(first).toBe('sluice/main-api has no bill of materials attached that is sbom/main-api.cdx.json.');
      expect(second).toContain('sluice/main-api is not signed by this key: ');
      // where nothing was copied to
      expect(others.length).toBeGreaterThanOrEqual(made.length);
    });
  },
  6 * minutes,
);
