import type { SluiceError } from '@sluice/client';

export const kinds = [
  'tenant configuration',
  'audit sink',
  'role',
  'member',
  'channel',
  'division',
  'environment',
  'deployment',
  'access rule',
  'configuration',
  'connector',
  'backup schedule',
] as const;
export type KindName = (typeof kinds)[number];

/** Of what a deployment has in its region. */
export const kindsInRegion: ReadonlySet<KindName> = new Set([
  'access rule',
  'configuration',
  'connector',
  'backup schedule',
]);

export type Fields = Readonly<Record<string, unknown>>;

/** Something that a document asks for, or that there is. Both have the same fields, so that they can be compared. */
export interface Entry {
  kind: KindName;
  name: string;
  /** of the place that it is in; null for what belongs to the tenant */
  parent: string | null;
  /** as it is shown: `payments/dev/orders`, `payments/dev/orders: office` */
  place: string;
  fields: Fields;
}

/** What a document asks for. A field that is not there stays as it is. */
export interface Wanted extends Entry {
  /** what it was called before */
  was?: string | undefined;
  /** it shall not be there */
  absent: boolean;
  /** `payments.yaml:12:7` */
  at: string;
}

/** What there is. */
export interface Existing extends Entry {
  id: number;
  /** the set that has made it */
  set?: string | undefined;
  /** of its single read, for `If-Match` */
  etag?: string | undefined;
  /** of a deployment */
  status?: string;
  /** a member who has not accepted yet: the id is that of the invitation */
  isInvitation?: boolean;
  /** the owner of the tenant, who cannot be changed */
  isOwner?: boolean;
}

export const keyOf = ({ kind, place }: Pick<Entry, 'kind' | 'place'>): string => `${kind} ${place}`;

/** An organization as it was read. */
export interface Organization {
  tenantId: number;
  tenantName: string;
  entries: Map<string, Existing>;
  /** ids of everything that has one, system roles included, by key */
  ids: Ids;
  /** what an id stands for, by `kind id` */
  placeOf: Map<string, string>;
  /** deployments whose region does not answer, by key */
  away: Map<string, SluiceError>;
}

/** The parameters of paths that lead to a place. */
export interface PlacePath {
  tenant_id: number;
  division_id: number;
  environment_id: number;
  deployment_id: number;
}

/** Ids by key: of what was read, and of what is created meanwhile. */
export class Ids {
  readonly #ids = new Map<string, number>();
  readonly tenantId: number;

  constructor(tenantId: number) {
    this.tenantId = tenantId;
  }

  set(key: string, id: number): void {
    this.#ids.set(key, id);
  }

  find(key: string): number | undefined {
    return this.#ids.get(key);
  }

  entries(): [key: string, id: number][] {
    return [...this.#ids];
  }

  /** @throws Error where it is not there: the plan has an order that is wrong */
  get(key: string): number {
    const id = this.#ids.get(key);
    if (id === undefined) throw new Error(`There is no ${key}.`);
    return id;
  }

  /** The parameters for a place, as deep as its path. */
  path(place: string): PlacePath {
    const [division, environment, deployment] = place.split('/');
    const at = (kind: KindName, ...names: (string | undefined)[]) =>
      names.at(-1) === undefined ? 0 : this.get(`${kind} ${names.join('/')}`);
    return {
      tenant_id: this.tenantId,
      division_id: at('division', division),
      environment_id: at('environment', division, environment),
      deployment_id: at('deployment', division, environment, deployment),
    };
  }
}

/** The kind of place that a path leads to. */
const placeKinds = ['division', 'environment', 'deployment'] as const;
export const placeKey = (path: string): string => `${placeKinds[path.split('/').length - 1]} ${path}`;

/** Fields without some of them. */
export const without = (fields: object, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
