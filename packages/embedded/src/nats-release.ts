import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart } from './cannot-start.ts';

const run = promisify(execFile);

const version = '2.11.8';

/** The SHA-256 of each platform's archive, as the release's own list of checksums and the official images have them. */
const archives: Record<string, { architecture: string; sha256: string } | undefined> = {
  'linux-x64': {
    architecture: 'linux-amd64',
    sha256: '397a6deffb5533e160de0cca322bc3dcaec7fb7282d66a3dfa87a9c183152ad1',
  },
  'linux-arm64': {
    architecture: 'linux-arm64',
    sha256: 'b08936cb1dc0ae7086137bda14c352df64397c4af45ed2b392705c19585aeb84',
  },
  'darwin-x64': {
    architecture: 'darwin-amd64',
    sha256: '002c943c1ed39c55cc5e024debfc02685111fcb2b1cbd887aad39ac977037477',
  },
  'darwin-arm64': {
    architecture: 'darwin-arm64',
    sha256: '23e0c5354c2da385708946a21900c944fcb9a3bbfd02aae27a4ae750dea0b682',
  },
};

/**
 * Downloads and unpacks the pinned release into `workshop`; undefined where there is none for this platform or no way
 * to reach it. Throws `CannotStart` when what came is something else.
 */
export async function fromRelease(workshop: string, signal?: AbortSignal): Promise<string | undefined> {
  const archive = archives[`${process.platform}-${process.arch}`];
  if (archive === undefined) return undefined;
  const name = `nats-server-v${version}-${archive.architecture}`;
  const url = `https://github.com/nats-io/nats-server/releases/download/v${version}/${name}.tar.gz`;
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
