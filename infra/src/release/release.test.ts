import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@sluice/testing';
import { smallCheckout } from '../fixtures/small-checkout.ts';
import { images } from '../images/images.ts';
import { readOptions } from './options.ts';
import type { Prepared } from './preconditions.ts';
import { gitIn, run } from './programs.ts';
import { release } from './release.ts';
import { releaseSteps } from './steps.ts';
import { releaseCommit } from './version.ts';

const options = readOptions([
  ...['--registry', 'registry.example', '--key', 'cosign.key', '--layout'],
  ...['--source', 'https://git.example/sluice'],
]);
const say = () => undefined;

/** A machine with git and nothing else that a release needs, while a test lasts. */
async function onlyGit(): Promise<void> {
  const bin = await testFolder();
  await symlink(await run('sh', ['-c', 'command -v git']), join(bin, 'git'));
  process.env.PATH = bin;
}
const path = process.env.PATH;
afterEach(() => {
  process.env.PATH = path;
});

async function prepared(root: string): Promise<Prepared> {
  const target = await releaseCommit(root, undefined);
  const rest = { publicKey: '', platforms: ['linux/amd64'], bases: {}, others: {} };
  return { target, source: 'https://git.example/sluice', ...rest };
}

/** All that a release could have changed in a checkout. */
const stateOf = async (root: string) =>
  await Promise.all(
    [['rev-parse', 'HEAD'], ['status', '--porcelain', '--ignored'], ['tag'], ['worktree', 'list']].map(
      async (command) => await gitIn(root)(...command),
    ),
  );

test('what is missing is said at once, with its remedy, and nothing is changed', async () => {
  const root = await smallCheckout();
  await gitIn(root)('tag', 'v1.1.0');
  await writeFile(join(root, 'new.txt'), '');
  const before = await stateOf(root);
  await onlyGit();
  const refused = release(root, { ...options, source: undefined }, say);
  await expect(refused).rejects.toThrow(
    [
      'Files are changed or new: commit or remove them.\n?? new.txt',
      ...['docker', 'cosign', 'oras', 'crane', 'helm'].map(
        (program) => `${program} is not on PATH: docs/operations/release.md says where it is from.`,
      ),
      'The tag v1.1.0 exists: that version is released.',
      '--source is missing: the remote origin is no address that others could open.',
    ].join('\n'),
  );
  process.env.PATH = path;
  expect(await stateOf(root)).toEqual(before);
});

test('two releases of a checkout do not run at once', async () => {
  const root = await smallCheckout();
  await onlyGit();
  const outcomes = await Promise.allSettled([release(root, options, say), release(root, options, say)]);
  const reasons = outcomes.map((one) => (one.status === 'rejected' ? String(one.reason) : ''));
  expect(
    reasons.filter((reason) => reason.includes('Another release of this checkout is running')),
  ).toHaveLength(1);
});

test('the commit comes first, all images are verified before the tags, and the tag of the commit is last', async () => {
  const root = await smallCheckout();
  const titles = releaseSteps(root, { ...options, layout: false }, await prepared(root)).map(
    ({ title }) => title,
  );
  expect(titles[0]).toBe('commit "Release 1.1.0": package.json, CHANGELOG.md, .changeset');
  expect(titles.slice(2, 2 + images.length).map((title) => title.split(':')[0])).toEqual(
    images.map(({ name }) => `sluice/${name}`),
  );
  expect(titles.slice(-4)).toEqual([
    'the chart in registry.example, release.json and SHA256SUMS: each signed',
    'verify all of it, as npm run release:verify does',
    'tag the images 1.1.0',
    'tag the commit v1.1.0',
  ]);
});

test('a release that fails at an image has no tag, and is continued at the same commit', async () => {
  const root = await smallCheckout();
  const [commit, sources, image] = releaseSteps(root, options, await prepared(root));
  await commit?.run();
  await sources?.run();
  await onlyGit();
  await expect(image?.run()).rejects.toThrow('ENOENT');
  process.env.PATH = path;
  expect(await gitIn(root)('tag')).toBe('');
  expect(await gitIn(root)('status', '--porcelain')).toBe('');
  const again = await prepared(root);
  expect(again.target).toMatchObject({ version: '1.1.0', onBranch: true });
  expect(again.target.commit).toBe(await gitIn(root)('rev-parse', 'HEAD'));
});

test('a chart is not made of what was changed in the checkout while images were built', async () => {
  const root = await smallCheckout();
  const steps = releaseSteps(root, options, await prepared(root));
  for (const { run } of steps.slice(0, 2)) await run();
  const chart = steps.find(({ title }) => title === 'chart and install.yaml');
  await writeFile(join(root, 'package.json'), '{}');
  await expect(chart?.run()).rejects.toThrow('The checkout was changed meanwhile');
  await gitIn(root)('commit', '--all', '--message', 'Another');
  await expect(chart?.run()).rejects.toThrow('The checkout was changed meanwhile');
});

test.each([
  [['--key', 'k'], '--registry is missing'],
  [
    ['--registry', 'https://registry.example', '--key', 'k'],
    'such as registry.example: not https://registry.example',
  ],
  [['--registry', 'registry.example', '--key', 'k', '--pre', 'rc.1'], '--pre is a word such as rc: not rc.1'],
  [['--registry', 'registry.example', '--key', 'k', '--platforms', 'linux/arm'], 'not linux/arm'],
  [['--registry', 'registry.example', '--key', 'k', '--dry'], "Unknown option '--dry'"],
])('options %j are refused', (args, reason) => {
  expect(() => readOptions(args)).toThrow(reason);
});
