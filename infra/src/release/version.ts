import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import semver from 'semver';
import { repository } from '../settings.ts';
import { gitIn, run, succeeds } from './programs.ts';

/** The commit that a release is made of. */
export interface ReleaseCommit {
  version: string;
  commit: string;
  /** when it was committed, ISO 8601 in UTC */
  created: string;
  /** false while the branch does not have it yet */
  onBranch: boolean;
}

const subjectOf = (version: string) => `Release ${version}`;

/**
 * The commit to release: the one of a release that was not finished, else a new one that the changesets make. The branch does not
 * move: see `moveBranch`.
 * @param pre the kind of a prerelease, such as `rc`
 * @throws Error that says what to do
 */
export async function releaseCommit(root: string, pre: string | undefined): Promise<ReleaseCommit> {
  const git = gitIn(root);
  const current = await versionAt(root, 'HEAD');
  const [unfinished = ''] = (await isTagged(root, current))
    ? []
    : (await git('log', '--format=%H', `--grep=^${subjectOf(current)}$`, '-1')).split('\n');
  if (unfinished === '') return await newCommit(root, pre, current);
  if (unfinished !== (await git('rev-parse', 'HEAD')))
    throw new Error(
      `The release ${current} (${unfinished.slice(0, 12)}) is not finished, and HEAD has moved on. Finish it at \`git checkout ${unfinished.slice(0, 12)}\`, or give it up: \`git revert ${unfinished.slice(0, 12)}\`.`,
    );
  if (kindOf(current) !== pre)
    throw new Error(
      `The release ${current} is not finished. Repeat it ${optionOf(kindOf(current))}, or give it up: \`git reset --hard HEAD~1\`.`,
    );
  return { version: current, commit: unfinished, created: await dateOf(root, unfinished), onBranch: true };
}

/** Gives the branch its release commit. */
export async function moveBranch(root: string, { commit, onBranch }: ReleaseCommit): Promise<void> {
  if (!onBranch) await gitIn(root)('merge', '--ff-only', '--quiet', commit);
}

export const tagOfVersion = (version: string) => `v${version}`;

export const isTagged = (root: string, version: string): Promise<boolean> =>
  succeeds(gitIn(root)('rev-parse', '--verify', '--quiet', `refs/tags/${tagOfVersion(version)}`));

/** Made in a worktree of its own, so that a failure leaves no half-changed files. */
async function newCommit(root: string, pre: string | undefined, current: string): Promise<ReleaseCommit> {
  const worktree = await mkdtemp(join(tmpdir(), 'sluice-release-'));
  await gitIn(root)('worktree', 'add', '--quiet', '--detach', worktree, 'HEAD');
  try {
    await applyChangesets(worktree, pre);
    const { version } = JSON.parse(await readFile(join(worktree, 'package.json'), 'utf8')) as {
      version: string;
    };
    if (version === current)
      throw new Error(
        `Nothing to release since ${current}: .changeset has no new changes. Add one with \`npm run changeset\`.`,
      );
    const changed = ['CHANGELOG.md', 'package.json', '.changeset'];
    const prettier = join(repository, 'node_modules/prettier/bin/prettier.cjs');
    await run(process.execPath, [prettier, '--write', '--log-level', 'warn', ...changed], { cwd: worktree });
    const git = gitIn(worktree);
    await git('add', '--all');
    await git('commit', '--quiet', '--no-verify', '--message', subjectOf(version));
    const commit = await git('rev-parse', 'HEAD');
    return { version, commit, created: await dateOf(root, commit), onBranch: false };
  } finally {
    await gitIn(root)('worktree', 'remove', '--force', worktree);
    await rm(worktree, { recursive: true, force: true });
  }
}

/** Runs changesets in a checkout: the version of package.json, CHANGELOG.md, and the mode of prereleases. */
async function applyChangesets(checkout: string, pre: string | undefined): Promise<void> {
  const changeset = (...args: string[]) =>
    run(process.execPath, [join(repository, 'node_modules/@changesets/cli/bin.js'), ...args], {
      cwd: checkout,
    });
  const mode = await preMode(checkout);
  if (mode !== undefined && pre !== undefined && mode !== pre)
    throw new Error(
      `The prereleases of this version are ${mode}: use --pre ${mode}, or release it without --pre.`,
    );
  if (mode === undefined && pre !== undefined) await changeset('pre', 'enter', pre);
  if (mode !== undefined && pre === undefined) await changeset('pre', 'exit');
  await changeset('version').catch((error: unknown) => {
    // the caller sees that the version is the same
    if (!String(error).includes('No unreleased changesets')) throw error;
  });
}

/** The kind of the prereleases that changesets makes at present. */
async function preMode(checkout: string): Promise<string | undefined> {
  const text = await readFile(join(checkout, '.changeset/pre.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { mode, tag } = JSON.parse(text) as { mode: string; tag: string };
  return mode === 'pre' ? tag : undefined;
}

async function versionAt(root: string, commit: string): Promise<string> {
  const { version } = JSON.parse(await gitIn(root)('show', `${commit}:package.json`)) as { version: string };
  return version;
}

const dateOf = async (root: string, commit: string) =>
  new Date(await gitIn(root)('show', '--no-patch', '--format=%cI', commit)).toISOString();

const kindOf = (version: string) => semver.prerelease(version)?.[0]?.toString();
const optionOf = (kind: string | undefined) => (kind === undefined ? 'without --pre' : `with --pre ${kind}`);
