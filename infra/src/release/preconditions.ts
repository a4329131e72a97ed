import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentedImages } from '../kubernetes/documented-images.ts';
import type { Options } from './options.ts';
import { gitIn, run } from './programs.ts';
import { tryToPush } from './registry.ts';
import { publicKeyOf } from './signatures.ts';
import { isTagged, releaseCommit, tagOfVersion, type ReleaseCommit } from './version.ts';

/** Programs of the machine that makes releases, with what shows that they work. docs/operations/release.md lists them. */
const programs: Readonly<Record<string, readonly string[]>> = {
  docker: ['version', '--format', '{{.Server.Version}}'],
  cosign: ['version'],
  oras: ['version'],
  crane: ['version'],
  helm: ['version'],
};

/** What a release is made of, known before it begins. */
export interface Prepared {
  target: ReleaseCommit;
  /** PEM */
  publicKey: string;
  platforms: string[];
  source: string;
  /** references by digest of the Dockerfile's bases, by their arguments */
  bases: Record<string, string>;
  /** the same of the images of others in the manifests, by their names there */
  others: Record<string, string>;
}

/**
 * Looks at everything that a release needs, and changes nothing, unless it may push: see `tryToPush`.
 * @throws Error with all that is missing, each with its remedy
 */
export async function prepare(root: string, options: Options): Promise<Prepared> {
  const problems: string[] = [];
  /** the answer, or what is wrong */
  const ask = async <T>(
    question: Promise<T>,
    otherwise: T,
    describe = (said: string) => said,
  ): Promise<T> => {
    try {
      return await question;
    } catch (error) {
      problems.push(describe(error instanceof Error ? error.message : String(error)));
      return otherwise;
    }
  };
  const changed = await ask(gitIn(root)('status', '--porcelain'), '');
  if (changed !== '')
    problems.push(`Files are changed or new: commit or remove them.\n${changed.split('\n', 10).join('\n')}`);
  const missing = await missingPrograms();
  problems.push(...missing.values());
  const has = (program: string) => !missing.has(program);

  const nothing: ReleaseCommit = { version: '', commit: '', created: '', onBranch: false };
  const target = await ask(releaseCommit(root, options.pre), nothing);
  if (target !== nothing && (await isTagged(root, target.version)))
    problems.push(`The tag ${tagOfVersion(target.version)} exists: that version is released.`);
  const publicKey = has('cosign')
    ? await ask(
        publicKeyOf(options.key),
        '',
        (said) => `${options.key} is no key to sign with, or COSIGN_PASSWORD is not its password (${said}).`,
      )
    : '';
  const source = await ask(sourceOf(root, options.source), '');
  const external: Pick<Prepared, 'bases' | 'others'> = has('crane')
    ? await ask(externalImages(root, options.base), { bases: {}, others: {} })
    : { bases: {}, others: {} };
  if (!options.layout && has('crane') && has('oras') && target !== nothing)
    await ask(checkRegistry(options, target), undefined);
  const platforms = has('docker') ? await ask(platformsFor(options.platforms), []) : [];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return { target, publicKey, platforms, source, ...external };
}

/** Those of the programs that are absent or do not work, each with a sentence about it. */
export async function missingPrograms(names = Object.keys(programs)): Promise<Map<string, string>> {
  const missing = new Map<string, string>();
  for (const name of names) {
    await run(name, programs[name] ?? []).catch((error: unknown) => {
      const isAbsent = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
      const remedy = isAbsent
        ? 'is not on PATH: docs/operations/release.md says where it is from'
        : `does not work: ${(error as Error).message}`;
      missing.set(name, `${name} ${remedy}.`);
    });
  }
  return missing;
}

/** The URL of the sources: as given, else the remote `origin`. */
async function sourceOf(root: string, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  const remote = await gitIn(root)('remote', 'get-url', 'origin').catch(() => '');
  const url = remote.replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, 'https://$1/').replace(/\.git$/, '');
  if (!/^https:\/\/[^@]+$/.test(url))
    throw new Error('--source is missing: the remote origin is no address that others could open.');
  return url;
}

/** What Docker's builder can make; more than one platform needs buildx. */
async function platformsFor(given: string[] | undefined): Promise<string[]> {
  const builder = await run('docker', ['buildx', 'inspect', '--bootstrap']).catch(() => '');
  const makes = (platform: string) => builder.includes(platform);
  // the driver `docker` cannot write an image of several platforms
  const [, driver] = /^Driver: +(\S+)/m.exec(builder) ?? [];
  const makesSeveral =
    driver !== undefined && driver !== 'docker' && makes('linux/amd64') && makes('linux/arm64');
  if (given === undefined) return makesSeveral ? ['linux/amd64', 'linux/arm64'] : ['linux/amd64'];
  if (given.length > 1 && !makesSeveral)
    throw new Error(
      '--platforms needs a builder for all of them: `docker buildx create --use --driver docker-container`, and QEMU for foreign ones.',
    );
  return given;
}

/** Images of others, by digest: what was tested is what is built on and mirrored. */
async function externalImages(root: string, base: string): Promise<Pick<Prepared, 'bases' | 'others'>> {
  const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8');
  const list = documentedImages(await readFile(join(root, 'docs/operations/kubernetes.md'), 'utf8'));
  const bases: Record<string, string> = {};
  for (const [, argument = '', name = ''] of dockerfile.matchAll(/^ARG (\w+_IMAGE)=(\S+)$/gm))
    bases[argument] = await byDigest(base, name);
  const others: Record<string, string> = {};
  for (const name of list.filter((one) => !one.startsWith('sluice/')))
    others[name] = await byDigest(base, name);
  return { bases, others };
}

async function byDigest(base: string, name: string): Promise<string> {
  const [host = '', ...rest] = name.split('/');
  // names without a registry are Docker's
  const reference = rest.length > 0 && /[.:]/.test(host) ? name : `${base}/${name}`;
  const digest = await run('crane', ['digest', reference]).catch((error: unknown) => {
    throw new Error(
      `${reference} cannot be looked up; --base names another registry (${(error as Error).message}).`,
    );
  });
  return `${reference.replace(/:[\w.-]+$/, '')}@${digest}`;
}

/** @throws Error when the version is there, or the caller may not push */
async function checkRegistry(
  { registry, dryRun }: Options,
  { version, onBranch }: ReleaseCommit,
): Promise<void> {
  const repository = `${registry}/sluice/main-api`;
  const login = `\`docker login ${registry.split('/')[0] ?? ''}\` with an account that may push to ${registry}/sluice`;
  const found = await run('crane', ['digest', `${repository}:${version}`]).catch((error: unknown) => {
    const { message } = error as Error;
    if (/\b404\b|MANIFEST_UNKNOWN|NAME_UNKNOWN/.test(message)) return undefined;
    throw new Error(`The registry refuses or does not answer: ${login} (${message}).`);
  });
  // an unfinished release may have got as far as its tags
  if (found !== undefined && !onBranch)
    throw new Error(`${repository}:${version} exists: that version is released.`);
  if (dryRun) return;
  await tryToPush(repository).catch((error: unknown) => {
    throw new Error(`The registry refuses pushes: ${login} (${(error as Error).message}).`);
  });
}
