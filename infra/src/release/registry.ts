import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { run } from './programs.ts';

/** The artifact type of a bill of materials beside an image. */
const sbomType = 'application/vnd.cyclonedx+json';

const artifact = z.object({ layers: z.array(z.object({ mediaType: z.string(), digest: z.string() })) });

const isLoopback = (reference: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/)/.test(reference);
const plainHttp = (reference: string, option = '--plain-http') => (isLoopback(reference) ? [option] : []);

/** oras, with which a registry on this machine needs no TLS: crane and cosign decide so by themselves. */
const oras = (command: string[], reference: string, args: readonly string[], cwd?: string): Promise<string> =>
  run('oras', [...command, ...plainHttp(reference), reference, ...args], cwd === undefined ? {} : { cwd });

/** Attaches a bill of materials to an image. The artifact has the date of the commit, so it is the same when that is done again. */
export async function attachSbom(
  reference: string,
  folder: string,
  file: string,
  created: string,
): Promise<void> {
  const about = ['--artifact-type', sbomType, '--annotation', `org.opencontainers.image.created=${created}`];
  await oras(['attach'], reference, ['--no-tty', ...about, `${file}:${sbomType}`], folder);
}

/** Pushes two bytes that every registry knows, which no image has: the caller may push. @throws Error with what the registry said */
export async function tryToPush(repository: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-push-'));
  try {
    await writeFile(join(folder, 'empty.json'), '{}');
    await oras(['blob', 'push', '--no-tty'], repository, ['empty.json'], folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The media type of a Helm chart in a registry. */
const chartType = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';

/** The digests of the packed charts in a registry's artifact; none where it is absent. */
export async function chartsOf(reference: string): Promise<string[]> {
  const text = await run('crane', ['manifest', reference]).catch(() => '{"layers":[]}');
  const { layers } = artifact.parse(JSON.parse(text));
  return layers.flatMap(({ mediaType, digest }) => (mediaType === chartType ? [digest] : []));
}

/** Pushes a packed chart unless it is there. @returns the digest of its artifact */
export async function pushChart(
  file: string,
  sha256: string,
  registry: string,
  version: string,
): Promise<string> {
  const reference = `${registry}/charts/sluice:${version}`;
  if (!(await chartsOf(reference)).includes(`sha256:${sha256}`))
    await run('helm', ['push', file, `oci://${registry}/charts`, ...plainHttp(reference)]);
  return await run('crane', ['digest', reference]);
}

/** Copies an image with all that refers to it into a folder, an OCI layout, by its name there. */
export const copyToLayout = (reference: string, layout: string, name: string): Promise<string> =>
  run('oras', [
    ...['cp', '--recursive', '--no-tty', '--to-oci-layout', ...plainHttp(reference, '--from-plain-http')],
    ...[reference, `${layout}:${name}`],
  ]);

/** The other way. */
export const copyFromLayout = (layout: string, name: string, reference: string): Promise<string> =>
  run('oras', [
    ...['cp', '--recursive', '--no-tty', '--from-oci-layout', ...plainHttp(reference, '--to-plain-http')],
    ...[`${layout}:${name}`, reference],
  ]);

const discovered = z.object({ referrers: z.array(z.object({ digest: z.string() })).nullish() });

/** The digests of the bills of materials that refer to an image. */
export async function sbomsOf(reference: string): Promise<string[]> {
  const found = await oras(['discover'], reference, ['--format', 'json', '--artifact-type', sbomType]);
  const { referrers } = discovered.parse(JSON.parse(found));
  const repository = reference.replace(/@.*/, '');
  const manifests = await Promise.all(
    (referrers ?? []).map(async ({ digest }) => await run('crane', ['manifest', `${repository}@${digest}`])),
  );
  return manifests.flatMap((text) => artifact.parse(JSON.parse(text)).layers.map(({ digest }) => digest));
}

/**
 * Runs a registry on this machine while the work lasts: cosign signs and verifies in registries only.
 * @param work gets its address, such as 127.0.0.1:40123
 */
export async function withRegistry<T>(work: (address: string) => Promise<T>): Promise<T> {
  const disk = await mkdtemp(join(tmpdir(), 'sluice-registry-'));
  const serve = ['registry', 'serve', '--address', '127.0.0.1:0', '--disk', disk];
  const child = spawn('crane', serve, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  try {
    const port = await new Promise<string>((resolve, reject) => {
      child.on('error', reject);
      const lines = createInterface(child.stderr);
      lines.on('line', (line) => {
        const [, found] = /serving on port (\d+)/.exec(line) ?? [];
        if (found !== undefined) resolve(found);
      });
      lines.on('close', () => reject(new Error('crane registry serve ended before it listened')));
    });
    return await work(`127.0.0.1:${port}`);
  } finally {
    child.kill();
    await ended.catch(() => undefined);
    await rm(disk, { recursive: true, force: true });
  }
}
