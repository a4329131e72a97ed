import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import parse from 'semver/functions/parse.js';
import satisfies from 'semver/functions/satisfies.js';

/** The release that is fetched where a machine has none; images and examples run the same minor version. */
export const natsRelease = '2.15.0';

/** The releases that have all fixes of `infra/src/supply-chain/advisories.json` and still get more. */
export const safeNatsReleases = '~2.12.12 || >=2.14.3';

/** Whether a nats-server of this version may run, brokers of deployments included. */
export const isSafeNats = (version: string) =>
  satisfies(version, safeNatsReleases, { includePrerelease: true });

/** The version of a nats-server; null where the program is none. */
export async function natsVersion(program: string): Promise<string | null> {
  const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: 10_000 }).catch(() => ({
    stdout: '',
  }));
  return parse(/^nats-server: v(\S+)/.exec(stdout)?.[1])?.version ?? null;
}
