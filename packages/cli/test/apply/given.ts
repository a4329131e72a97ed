import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@sluice/testing';
import { readDocuments } from '../../src/apply/document/read.ts';
import { Secrets } from '../../src/apply/document/secrets.ts';
import { wantedOf, type WantedSet } from '../../src/apply/document/wanted.ts';
import { Ids, keyOf, type Existing, type Organization } from '../../src/apply/entries.ts';
import { compare, type CompareOptions, type Compared } from '../../src/apply/plan/compare.ts';
import type { Step } from '../../src/apply/plan/types.ts';
import type { Cli } from '../../src/cli.ts';

/** Reads documents as `-f` does. */
export async function read(texts: Record<string, string>, env: NodeJS.ProcessEnv = {}) {
  const folder = await testFolder();
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
  const secrets = new Secrets(env);
  const faultless = (error: unknown) => {
    const { details } = error as { details: string[] };
    throw Object.assign(error as Error, {
      details: details.map((line) => line.replaceAll(`${folder}/`, '')),
    });
  };
  const documents = await readDocuments({} as Cli, [folder], secrets).catch(faultless);
  return { documents: documents ?? [], secrets, folder };
}

export async function wanted(...texts: string[]): Promise<WantedSet> {
  const files = Object.fromEntries(texts.map((text, at) => [`${at}.yaml`, text]));
  return wantedOf((await read(files)).documents);
}

type Given = Pick<Existing, 'kind' | 'place'> & Partial<Existing>;

/** An organization of such entries; their ids are counted. */
export function organization(...given: Given[]): Organization {
  const ids = new Ids(1);
  const entries = new Map<string, Existing>();
  for (const [at, { kind, place, ...rest }] of given.entries()) {
    const name = place.split(/\/|: /).at(-1) ?? '';
    const outer = place.includes(': ') ? place.split(': ')[0] : place.split('/').slice(0, -1).join('/');
    const parent = outer === '' ? null : `${parentKinds[kind] ?? 'division'} ${outer}`;
    const entry = { kind, place, name, parent, id: at + 10, fields: {}, ...rest };
    entries.set(keyOf(entry), entry);
    ids.set(keyOf(entry), entry.id);
  }
  return { tenantId: 1, tenantName: 'Acme', entries, ids, placeOf: new Map(), away: new Map() };
}

const parentKinds: Record<string, string> = {
  environment: 'division',
  deployment: 'environment',
  'access rule': 'deployment',
  configuration: 'deployment',
  connector: 'deployment',
};

/** The steps without what is sent. */
export const shown = (steps: readonly Step[]) =>
  steps.map(({ action, kind, place, changes }) => ({
    ...{ action, kind, place },
    fields: changes.map(({ field }) => field).sort(),
  }));

export function compared(
  { entries, set }: WantedSet,
  given: Organization,
  options: Partial<CompareOptions> = {},
): Compared {
  return compare(entries, given, set, { replace: [], resendsSecrets: false, ...options });
}
