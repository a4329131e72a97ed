import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { repository } from './settings.ts';

/**
 * `npm run archive-release -- v1.0.0`: puts the sources that run in that release into `test-e2e/releases`, in place of the one
 * before, for the test that runs it beside these.
 */

const whatRuns = [
  ...['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.cjs'],
  ...[
    'infra/catalogue.yaml',
    'infra/package.json',
    'bench/package.json',
    'test-e2e/package.json',
    'packages',
    'services',
  ],
  ...['**/*.test.ts', '**/test/**', 'packages/testing/src'].map((one) => `:(exclude)${one}`),
];

const [ref = ''] = process.argv.slice(2);
const folder = join(repository, 'test-e2e/releases');

/** @throws Error with what git says */
function git(...args: string[]): Buffer {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: repository, maxBuffer: 1e9 });
  if (status !== 0) throw new Error(stderr.toString().trim());
  return stdout;
}

try {
  if (!/^[\w.-]+$/.test(ref) || ref.startsWith('-'))
    throw new Error('Usage: npm run archive-release -- <tag or commit of the release>');
  const { version } = JSON.parse(git('show', `${ref}:package.json`).toString()) as { version: string };
  const archive = gzipSync(git('archive', '--format=tar', ref, '--', ...whatRuns), { level: 9 });
  mkdirSync(folder, { recursive: true });
  for (const former of readdirSync(folder)) rmSync(join(folder, former));
  writeFileSync(join(folder, `sluice-${version}.tar.gz`), archive);
  console.log(`sluice-${version}.tar.gz, ${Math.round(archive.length / 1_000)} kB`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
