import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addChange, commitAll, smallCheckout } from '../fixtures/small-checkout.ts';
import { gitIn } from './programs.ts';
import { moveBranch, releaseCommit } from './version.ts';

const head = (root: string) => gitIn(root)('rev-parse', 'HEAD');

/** Makes a release commit and tags it. */
async function released(root: string, pre?: string): Promise<string> {
  const target = await releaseCommit(root, pre);
  await moveBranch(root, target);
  await gitIn(root)('tag', `v${target.version}`);
  return target.version;
}

test('a release commit has the version, the notes of all changes and no pending ones; the branch gets it by itself', async () => {
  const root = await smallCheckout();
  const before = await head(root);
  const target = await releaseCommit(root, undefined);
  expect(target).toMatchObject({ version: '1.1.0', onBranch: false });
  expect(await head(root)).toBe(before);
  expect(await gitIn(root)('status', '--porcelain')).toBe('');
  await moveBranch(root, target);
  expect(await head(root)).toBe(target.commit);
  expect(await readFile(join(root, 'CHANGELOG.md'), 'utf8')).toBe(
    [
      ...['# Changelog', 'For operators.', '## 1.1.0'],
      ...[
        '### Minor Changes',
        '- It is faster.\n- It is smaller.',
        '### Patch Changes',
        '- It is mended,\n  and more.',
      ],
      ...['## 1.0.0', '- The first.\n'],
    ].join('\n\n'),
  );
  expect(await gitIn(root)('ls-files', '.changeset/*.md')).toBe('');
  expect(await gitIn(root)('worktree', 'list')).not.toContain('\n');
});

test('prereleases count, and the version after them has the changes of all', async () => {
  const root = await smallCheckout();
  expect(await released(root, 'rc')).toBe('1.1.0-rc.0');
  await addChange(root, 'later', 'It is later.');
  await expect(releaseCommit(root, 'beta')).rejects.toThrow('use --pre rc');
  expect(await released(root, 'rc')).toBe('1.1.0-rc.1');
  expect(await released(root)).toBe('1.1.0');
  const [, notes = ''] = (await readFile(join(root, 'CHANGELOG.md'), 'utf8')).split('## 1.1.0\n');
  for (const change of ['faster', 'mended', 'later'])
    expect(notes.split('\n## ')[0]).toContain(`It is ${change}`);
}, 180_000);

test('without changes there is nothing to release', async () => {
  const root = await smallCheckout();
  await released(root);
  await expect(releaseCommit(root, undefined)).rejects.toThrow(
    'Nothing to release since 1.1.0: .changeset has no new changes. Add one with `npm run changeset`.',
  );
});

test('a release that was not finished is continued, and by nothing else', async () => {
  const root = await smallCheckout();
  const first = await releaseCommit(root, 'rc');
  await moveBranch(root, first);
  expect(await releaseCommit(root, 'rc')).toEqual({ ...first, onBranch: true });
  await expect(releaseCommit(root, undefined)).rejects.toThrow('Repeat it with --pre rc, or give it up');
  await addChange(root, 'later', 'It is later.');
  await expect(releaseCommit(root, 'rc')).rejects.toThrow(
    `The release 1.1.0-rc.0 (${first.commit.slice(0, 12)}) is not finished, and HEAD has moved on.`,
  );
});

test('what goes wrong on the way leaves the checkout as it was', async () => {
  const root = await smallCheckout();
  await addChange(root, 'wrong', 'It is wrong.');
  await gitIn(root)('rm', '--quiet', '.changeset/changelog.mjs');
  await commitAll(root, 'No form of notes');
  const before = await head(root);
  await expect(releaseCommit(root, undefined)).rejects.toThrow('changelog.mjs');
  expect(await head(root)).toBe(before);
  expect(await gitIn(root)('status', '--porcelain')).toBe('');
  expect(await gitIn(root)('worktree', 'list')).not.toContain('\n');
});
