import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { natsRelease } from '@sluice/system/nats-server';
import { CannotStart } from './cannot-start.ts';

const run = promisify(execFile);

/** The SHA-256 of each platform's archive, as the release's own list of checksums and the official images have them. */
const archives: Record<string, { architecture: string; sha256: string } | undefined> = {
  'linux-x64': {
    architecture: 'linux-amd64',
    sha256: '5d2c51caca950333aba84911df7d377f826f3a59ec36061c6539105084f65c92',
  },
  'linux-arm64': {
    architecture: 'linux-arm64',
    sha256: 'cdc208f5a3f42963a52b6ab06ef65626bb870315dc936e26ba571780c6351112',
  },
  'darwin-x64': {
    architecture: 'darwin-amd64',
    sha256: '5bd8b59ca5bf93fab3da2c5843cf564cd6e2e291e22ae3b861746e7ebe259b95',
  },
  'darwin-arm64': {
    architecture: 'darwin-arm64',
    sha256: 'e1c4e22d70bd44abfa0bcb3c16f7cf0c66f648c2e728c58924e8a1ce88913cc8',
  },
};

/**
 * Downloads and unpacks the pinned release into `workshop`; undefined where there is none for this platform or no way
 * to reach it. Throws `CannotStart` when what came is something else.
 */
export async function fromRelease(workshop: string, signal?: AbortSignal): Promise<string | undefined> {
  const archive = archives[`${process.platform}-${process.arch}`];
  if (archive === undefined) return undefined;
  const name = `nats-server-v${natsRelease}-${archive.architecture}`;
  const url = `https://github.com/nats-io/nats-server/releases/download/v${natsRelease}/${name}.tar.gz`;
  const content = await download(url, signal);
  if (content === undefined) return undefined;
  if (createHash('sha256').update(content).digest('hex') !== archive.sha256) {
    throw new CannotStart(
      `What came from ${url} is not the nats-server that Sluice expects: its checksum differs.`,
    );
  }
  const file = join(workshop, 'release.tar.gz');
  await writeFile(file, content);
  await run('tar', ['-xzf', file, '-C', dirname(file)]);
  return join(workshop, name, 'nats-server');
}

async function download(url: string, signal?: AbortSignal): Promise<Buffer | undefined> {
  try {
    const patience = AbortSignal.timeout(120_000);
    const answer = await fetch(url, { signal: signal ? AbortSignal.any([signal, patience]) : patience });
    return answer.ok ? Buffer.from(await answer.arrayBuffer()) : undefined;
  } catch {
    return undefined;
  }
}
