import { testFolder } from '@sluice/testing';
import { readDocuments } from '../src/document/read.ts';
import { Secrets } from '../src/document/secrets.ts';
import { wantedOf, type WantedSet } from '../src/document/wanted.ts';
import { Ids, keyOf, type Existing, type Organization } from '../src/entries.ts';
import { compare, type CompareOptions, type Compared } from '../src/plan/compare.ts';
import type { Step } from '../src/plan/types.ts';

/** Reads documents of such names. */
export async function read(texts: Record<string, string>, env: NodeJS.ProcessEnv = {}) {
  const folder = await testFolder();
  const secrets = new Secrets(env);
  const sources = Object.entries(texts).map(([name, text]) => ({ name, text, folder }));
  return { documents: readDocuments(sources, secrets), secrets, folder };
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
