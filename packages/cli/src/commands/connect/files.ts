import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DeploymentCredentials } from '@sluice/client';
import { checkName, readIfThere, writePrivately } from '../../context/files.ts';
import { notFound, usageError } from '@sluice/terminal/errors';

/**
 * Writes the certificates of an authority, over those that are there: it changes from time to time.
 * @returns the whole path
 * @throws CliError where there is none, or the file has something else
 */
export async function writeAuthority(file: string, authority: string | null): Promise<string> {
  if (authority === null)
    throw notFound(
      'There is no authority to write: the certificate is one that clients know already, or you may not read it.',
      'sluice whoami shows whether you have deployment:network:read',
    );
  const path = resolve(file);
  const before = await readIfThere(path);
  if (before !== undefined && !/^\s*-----BEGIN CERTIFICATE-----/.test(before))
    throw usageError(`--ca-file: ${file} exists and has no certificates.`, 'give another file');
  await writeFile(path, authority);
  return path;
}

interface NatsContext {
  name: string;
  /** the deployment */
  place: string;
  url: string;
  login: Pick<DeploymentCredentials, 'username' | 'password'>;
  authority: string | null;
}

const marked = 'Sluice: ';

/** Writes a context of the nats tool, over one that this command has written. @returns its path */
export async function writeNatsContext(
  env: NodeJS.ProcessEnv,
  { name, place, url, login, authority }: NatsContext,
): Promise<string> {
  const folder = join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'nats', 'context');
  const path = join(folder, `${checkName(name)}.json`);
  const before = await readIfThere(path);
  if (before !== undefined && !isOurs(before))
    throw usageError(
      `--nats-context: there is a context ${name} which sluice has not written.`,
      'give another name',
    );
  const ca = join(folder, `${name}.ca.pem`);
  if (authority !== null) await writePrivately(ca, authority);
  const context = {
    description: `${marked}${place}`,
    url,
    user: login.username,
    password: login.password,
    ...(authority !== null && { ca }),
  };
  await writePrivately(path, `${JSON.stringify(context, null, 2)}\n`);
  return path;
}

function isOurs(text: string): boolean {
  try {
    const { description } = JSON.parse(text) as { description?: unknown };
    return typeof description === 'string' && description.startsWith(marked);
  } catch {
    return false;
  }
}
