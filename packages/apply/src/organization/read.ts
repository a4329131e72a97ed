import {
  getDeployment,
  getDivision,
  getEnvironment,
  getStructure,
  SluiceError,
  type Labels,
  type SluiceClient,
  type StructureDeployment,
} from '@sluice/client';
import { pathOf } from '../place-path.ts';
import { Ids, keyOf, type Existing, type KindName, type Organization } from '../entries.ts';
import { setLabel } from '../document/canonical.ts';
import { deploymentFields } from './deployment-fields.ts';
import { atOnce, turns } from '../turns.ts';
import { readChannels } from './channels.ts';
import { readDeployment } from './deployment.ts';
import { ownLabels } from './labels.ts';
import { readMembers, readRoles } from './people.ts';
import type { Reader } from './reader.ts';
import { readAuditSink, readConfiguration } from './tenant.ts';

/** What is to be read of an organization. */
export interface Scope {
  configuration: boolean;
  auditSink: boolean;
  roles: boolean;
  members: boolean;
  /** of the tenant, and of which divisions, by name */
  channels: boolean;
  /** what a place is called in the document */
  now: (place: string) => string;
  /** whether a division, environment or deployment matters, by its place in the document */
  place: (place: string) => boolean;
  /** the kinds that matter of what a deployment has in its region */
  inRegion: (place: string) => ReadonlySet<KindName>;
}

/** a region that does not answer is noticed within seconds */
const regionBounds = { attempts: 2, timeoutMs: 10_000, maxElapsedMs: 15_000 };

export async function readOrganization(
  client: SluiceClient,
  tenantId: number,
  scope: Scope,
  signal: AbortSignal,
): Promise<Organization> {
  const ids = new Ids(tenantId);
  const entries = new Map<string, Existing>();
  const away = new Map<string, SluiceError>();
  const reader: Reader = {
    ...{ client, signal, tenantId, ids, placeOf: new Map(), turn: turns(atOnce) },
    add(entry) {
      entries.set(keyOf(entry), entry);
      if (!entry.isInvitation) ids.set(keyOf(entry), entry.id);
    },
  };
  const { data: structure } = await getStructure({ client, path: { tenant_id: tenantId }, signal });
  reader.placeOf.set(`tenant ${tenantId}`, '/');
  const reads: Promise<unknown>[] = [];
  for (const division of structure.divisions) {
    const place = pathOf(division.name);
    remember('division', place, division.id);
    if (scope.place(scope.now(place))) reads.push(addDivision(reader, place, division.id));
    for (const environment of division.environments) {
      const inside = `${place}/${pathOf(environment.name)}`;
      remember('environment', inside, environment.id);
      if (scope.place(scope.now(inside))) reads.push(addEnvironment(reader, inside, environment.id));
      for (const deployment of environment.deployments) {
        const within = `${inside}/${pathOf(deployment.name)}`;
        remember('deployment', within, deployment.id);
        if (scope.place(scope.now(within))) reads.push(addDeployment(deployment, within));
      }
    }
  }
  if (scope.configuration) reads.push(readConfiguration(reader));
  if (scope.auditSink) reads.push(readAuditSink(reader));
  if (scope.roles || scope.members) reads.push(readRoles(reader, scope.roles));
  if (scope.members) reads.push(readMembers(reader));
  if (scope.channels) reads.push(readChannels(reader, structure.divisions));
  await Promise.all(reads);
  return { tenantId, tenantName: structure.name, entries, ids, placeOf: reader.placeOf, away };

  function remember(kind: 'division' | 'environment' | 'deployment', place: string, id: number): void {
    ids.set(`${kind} ${place}`, id);
    reader.placeOf.set(`${kind} ${id}`, scope.now(place));
  }

  async function addDeployment(found: StructureDeployment, place: string): Promise<void> {
    const path = ids.path(place);
    const { data, response } = await reader.turn(() => getDeployment({ client, path, signal }));
    const entry = {
      kind: 'deployment' as const,
      name: found.name,
      parent: `environment ${place.split('/').slice(0, 2).join('/')}`,
      place,
      id: found.id,
      fields: deploymentFields(data),
      status: data.status,
      ...labelled(data.labels),
      etag: response.headers.get('etag') ?? undefined,
    };
    reader.add(entry);
    const kinds = scope.inRegion(scope.now(place));
    if (kinds.size === 0 || data.status === 'deleting') return;
    const region = client.with(regionBounds).at(found.supervisor_url);
    try {
      await readDeployment({ ...reader, client: region }, { ...data, place, kinds });
    } catch (error) {
      if (!(error instanceof SluiceError) || !isAway(error)) throw error;
      away.set(keyOf(entry), error);
    }
  }
}

const isAway = ({ status, retryable }: SluiceError): boolean => status === 0 || retryable || status >= 500;

/** The set that has made something. */
const labelled = (labels: Labels): { set: string | undefined } => ({ set: labels[setLabel] });

async function addDivision(
  { client, signal, ids, turn, add }: Reader,
  place: string,
  id: number,
): Promise<void> {
  const { data, response } = await turn(() => getDivision({ client, path: ids.path(place), signal }));
  const { name, description, labels, email, email_subdomain, protected: isProtected } = data;
  add({
    ...{ kind: 'division', name, parent: null, place, id },
    fields: { name, description, labels: ownLabels(labels), email, email_subdomain, protected: isProtected },
    ...labelled(labels),
    etag: response.headers.get('etag') ?? undefined,
  });
}

async function addEnvironment(
  { client, signal, ids, turn, add }: Reader,
  place: string,
  id: number,
): Promise<void> {
  const { data, response } = await turn(() => getEnvironment({ client, path: ids.path(place), signal }));
  const { name, description, labels, protected: isProtected } = data;
  add({
    ...{ kind: 'environment', name, parent: `division ${place.split('/', 1)[0]}`, place, id },
    fields: { name, description, labels: ownLabels(labels), protected: isProtected },
    ...labelled(labels),
    etag: response.headers.get('etag') ?? undefined,
  });
}
