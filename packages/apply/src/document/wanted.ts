import { isDeepStrictEqual } from 'node:util';
import { pathOf } from '../place-path.ts';
import { keyOf, without, type Fields, type KindName, type Wanted } from '../entries.ts';
import { InvalidDocument } from '../invalid-document.ts';
import { canonicalPermissions, canonicalSubscriptions } from './canonical.ts';
import type { ReadDocument } from './read.ts';
import type { ChannelPart, DeploymentPart, DivisionPart, EnvironmentPart } from './schema.ts';

/** What all documents ask for together. */
export interface WantedSet {
  /** the name of the set; undefined where no document has one */
  set: string | undefined;
  entries: Map<string, Wanted>;
}

interface Part {
  was?: string | undefined;
  absent?: true | undefined;
}

/** @throws InvalidDocument where documents contradict each other */
export function wantedOf(documents: readonly ReadDocument[]): WantedSet {
  const entries = new Map<string, Wanted>();
  const faults: string[] = [];
  const sets = new Set(documents.flatMap(({ content: { set } }) => (set === undefined ? [] : [set])));
  if (sets.size > 1) faults.push(`The documents are of several sets: ${[...sets].join(', ')}.`);

  function add(wanted: Wanted): void {
    const key = keyOf(wanted);
    const before = entries.get(key);
    if (!before) return void entries.set(key, wanted);
    const isShared = wanted.kind === 'division' || wanted.kind === 'environment';
    const differing = Object.entries(wanted.fields)
      .filter(([field, value]) => field in before.fields && !isDeepStrictEqual(value, before.fields[field]))
      .map(([field]) => field);
    if (!isShared || differing.length > 0)
      faults.push(
        `${wanted.at}: the ${wanted.kind} ${wanted.place} is in ${before.at} already${isShared ? ` with another ${differing.join(', ')}` : ''}`,
      );
    else
      entries.set(key, {
        ...before,
        was: before.was ?? wanted.was,
        fields: { ...before.fields, ...wanted.fields },
      });
  }

  for (const document of documents) flatten(document, add);
  if (faults.length > 0) throw new InvalidDocument(faults);
  const [set] = sets;
  return { set, entries };
}

function flatten({ content, at }: ReadDocument, add: (wanted: Wanted) => void): void {
  const entry = (
    kind: KindName,
    name: string,
    where: { parent?: string | null; place?: string; part: object & Part },
    fields: Fields,
  ): Wanted => ({
    kind,
    name,
    parent: where.parent ?? null,
    place: where.place ?? name,
    fields: comparable(fields),
    was: where.part.was,
    absent: where.part.absent ?? false,
    at: at(where.part),
  });

  const { tenant, audit_sink, roles = [], members = [], channels = [], divisions = [] } = content;
  if (tenant) add(entry('tenant configuration', '', { part: tenant }, tenant));
  if (audit_sink !== undefined)
    add(
      entry(
        'audit sink',
        '',
        { part: audit_sink ?? { ...content, was: undefined, absent: true } },
        audit_sink ?? {},
      ),
    );
  for (const role of roles) {
    const { name, permissions } = role;
    add(
      entry(
        'role',
        name,
        { part: role },
        { name, permissions: permissions && canonicalPermissions(permissions) },
      ),
    );
  }
  for (const member of members) {
    const { roles: names, active } = member;
    add(
      entry(
        'member',
        member.email.toLowerCase(),
        { part: member },
        { roles: names && [...names].sort(), active },
      ),
    );
  }
  for (const channel of channels) addChannel(channel, null);
  for (const division of divisions) addDivision(division);

  function addChannel(channel: ChannelPart, division: string | null): void {
    const { name, subscriptions, ...fields } = channel;
    const place = division === null ? name : `${division}: ${name}`;
    const parent = division === null ? null : `division ${division}`;
    const all = { ...fields, name, subscriptions: subscriptions && canonicalSubscriptions(subscriptions) };
    add(entry('channel', name, { parent, place, part: channel }, all));
  }

  function addDivision(division: DivisionPart): void {
    const { environments = [], channels: own = [], ...fields } = division;
    const place = pathOf(division.name);
    add(entry('division', division.name, { place, part: division }, fields));
    for (const channel of own) addChannel(channel, place);
    for (const environment of environments) addEnvironment(environment, place);
  }

  function addEnvironment(environment: EnvironmentPart, division: string): void {
    const { deployments = [], ...fields } = environment;
    const place = `${division}/${pathOf(environment.name)}`;
    add(
      entry(
        'environment',
        environment.name,
        { parent: `division ${division}`, place, part: environment },
        fields,
      ),
    );
    for (const deployment of deployments) addDeployment(deployment, place);
  }

  function addDeployment(deployment: DeploymentPart, environment: string): void {
    const { access_rules = [], configurations = [], connectors = [], backups, name, ...fields } = deployment;
    const place = `${environment}/${pathOf(name)}`;
    const parent = `deployment ${place}`;
    const within = (part: object & Part, named: string) => ({ parent, place: `${place}: ${named}`, part });
    add(entry('deployment', name, { parent: `environment ${environment}`, place, part: deployment }, fields));
    for (const rule of access_rules) {
      const { name: named, cidr_blocks, protocols, valid_to, remarks } = rule;
      const all = {
        cidr_blocks: cidr_blocks && [...cidr_blocks].sort(),
        protocols: protocols && [...protocols].sort(),
        valid_to: valid_to && new Date(valid_to).toISOString(),
        remarks,
      };
      add(entry('access rule', named, within(rule, named), all));
    }
    for (const configuration of configurations) {
      const { name: named, values, active } = configuration;
      add(entry('configuration', named, within(configuration, named), { values, active }));
    }
    for (const connector of connectors) {
      const { key, ...all } = connector;
      add(entry('connector', key, within(connector, key), all));
    }
    if (backups) add(entry('backup schedule', '', { parent, place, part: backups }, backups));
  }
}

/** What is compared: what is written, without what says how the entry is meant. */
const comparable = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(without(fields, 'was', 'absent')).filter(([, value]) => value !== undefined),
  );
