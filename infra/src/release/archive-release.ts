import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../settings.ts';
import { archiveOf } from './archive.ts';
import { gitIn } from './programs.ts';

/**
 * `npm run archive-release -- v1.0.0`: puts the archive of that release into `test-e2e/releases`, in place of the one before, for the
 * tests that run it beside these sources.
 */

const [ref = ''] = process.argv.slice(2);
const folder = join(repository, 'test-e2e/releases');

try {
  if (!/^[\w.-]+$/.test(ref) || ref.startsWith('-'))
    throw new Error('Usage: npm run archive-release -- <tag or commit of the release>');
  const { version } = JSON.parse(await gitIn(repository)('show', `${ref}:package.json`)) as {
    version: string;
  };
  const archive = archiveOf(repository, ref);
  mkdirSync(folder, { recursive: true });
  for (const former of readdirSync(folder)) rmSync(join(folder, former));
  writeFileSync(join(folder, `sluice-${version}.tar.gz`), archive);
  console.log(`sluice-${version}.tar.gz, ${Math.round(archive.length / 1_000)} kB`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
