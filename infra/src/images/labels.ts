import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../settings.ts';

/** An image, as far as labels name it. */
interface Named {
  name: string;
}

/** What the labels of an image say, besides its name and its licence. */
export interface Origin {
  version: string;
  /** the commit */
  revision: string;
  /** when that was committed, so that the same commit makes the same labels; ISO 8601 in UTC */
  created: string;
  /** where the sources are; checkouts do not know it */
  source?: string;
}

export type Labels = Record<string, string>;

const prefix = 'org.opencontainers.image.';

/** The labels of an image by the specification of OCI (annotations.md). */
export async function labelsOf({ name }: Named, origin: Origin): Promise<Labels> {
  const { license } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as {
    license: string;
  };
  const values = {
    title: `sluice/${name}`,
    version: origin.version,
    revision: origin.revision,
    created: origin.created,
    // npm's word for proprietary software is no SPDX expression
    licenses: license === 'UNLICENSED' ? 'LicenseRef-Proprietary' : license,
    ...(origin.source !== undefined && { source: origin.source }),
  };
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`${prefix}${key}`, value]));
}

/** The labels of an image of this checkout, changed files included. */
export async function labelsOfCheckout(image: Named): Promise<Labels> {
  const [revision = '', created = ''] = await promisify(execFile)('git', ['log', '-1', '--format=%H %ct'], {
    cwd: repository,
  }).then(
    ({ stdout }) => stdout.trim().split(' '),
    // sources without git
    () => ['unknown', '0'],
  );
  const version = process.env.SLUICE_VERSION ?? 'dev';
  return await labelsOf(image, {
    version,
    revision,
    created: new Date(Number(created) * 1_000).toISOString(),
  });
}

interface Configuration {
  User?: string;
  Labels?: Labels | null | undefined;
}

/** What is wrong with the user and the labels in an image's configuration. */
export function faultsOf(
  { name }: Named,
  { User, Labels }: Configuration,
  expected: Partial<Origin> = {},
): string[] {
  const faults = User === '1000:1000' ? [] : [`runs as ${User === undefined || User === '' ? 'root' : User}`];
  const wanted: Record<string, string | undefined> = {
    ...{
      title: `sluice/${name}`,
      version: undefined,
      revision: undefined,
      created: undefined,
      licenses: undefined,
    },
    ...expected,
  };
  for (const [key, value] of Object.entries(wanted)) {
    const found = Labels?.[`${prefix}${key}`];
    if (found === undefined || found === '') faults.push(`has no label ${prefix}${key}`);
    else if (value !== undefined && found !== value)
      faults.push(`has the label ${prefix}${key} ${found}, not ${value}`);
  }
  return faults;
}
