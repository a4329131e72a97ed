import {
  addColleague,
  type Answer,
  client,
  eventually,
  type SeededTenant,
  type Stack,
  StackDatabases,
  supervisorOf,
} from '@sluice/testing';
import type pg from 'pg';
import type { WalkedOperation } from './documents.ts';
import { mailedCode } from './mails.ts';
import { secretsIn } from './secrets-in.ts';
import { auditEntries, type Entry } from './story.ts';

/** One request that an operation is recorded for: what its path names besides what exists, and its body. */
export interface Change {
  /** by the names of the path's parameters */
  at?: Record<string, number | string>;
  query?: string;
  body?: unknown;
  /** which cloud's supervisor; default: cloud_a */
  cloud?: string;
  /** with the key of the other tenant, at its paths */
  byOther?: true;
}

/** Prepared anew for each attempt, since what it needs may not be there yet. */
export type Prepared = (walk: RecordedChanges) => Change | Promise<Change>;

/** A change that was accepted, and what its entry has to say. */
interface Accepted {
  operation: WalkedOperation;
  correlationId: string;
  /** what its path names, and what it has made */
  subjects: Record<string, number>;
  other: boolean;
}

interface CallingKey {
  id: number;
  name: string;
  user_id: number;
}

/** Requests are tried anew while what they need is not there yet, something else is under way, or a new plan is not known everywhere. */
const worthAnother = ({ status, body }: Answer) =>
  [404, 409, 503].includes(status) || body?.['code'] === 'feature_not_available';
const patience = { timeoutMs: 90_000, everyMs: 200 };

/** Makes every change that a key can make, once, and knows what the audit log has to tell of it. */
export class RecordedChanges {
  readonly stack: Stack;
  /** ids of what exists, by parameter name */
  readonly existing: Record<string, string>;
  readonly accepted: Accepted[] = [];
  /** what was sent or answered and must stand in no entry */
  readonly secrets = new Set<string>();
  readonly #other: SeededTenant;
  readonly #made = new Map<string, number>();
  readonly #databases: StackDatabases;
  readonly #by: CallingKey;
  #colleague: Promise<number> | undefined;

  constructor(stack: Stack, existing: Record<string, string>, other: SeededTenant, by: CallingKey) {
    this.stack = stack;
    this.#databases = new StackDatabases(stack);
    this.existing = existing;
    this.#other = other;
    this.#by = by;
  }

  /** The changes of the key that the stack was given, in its tenant and at what exists there. */
  static async by(stack: Stack, existing: Record<string, string>, other: SeededTenant) {
    const { body } = await stack.main.get<CallingKey>(`/tenants/${stack.tenant_id}/api_keys/context`);
    return new RecordedChanges(stack, existing, other, body);
  }

  /** Calls an operation as its line in the table of changes says. */
  async make(operation: WalkedOperation, prepare: Prepared): Promise<void> {
    const refused = await eventually(async () => {
      const change = await this.#prepared(prepare);
      if (change instanceof NothingMade) return change.message;
      const path = this.#pathOf(operation, change);
      const answer = await this.#clientOf(operation, change).request(operation.method, path, change.body);
      const failed = `${operation.id}: ${answer.status} ${JSON.stringify(answer.body)}`;
      if (worthAnother(answer)) throw new Error(failed);
      if (answer.status >= 300) return failed;
      this.#note(operation, change, path, answer);
      return undefined;
    }, patience);
    if (refused !== undefined) throw new Error(refused);
  }

  /** The id of what a call of an operation has made. */
  made(operation: string): number {
    const id = this.#made.get(operation);
    if (id === undefined) throw new NothingMade(`${operation} has made nothing`);
    return id;
  }

  regionOf(cloud: string) {
    return { cloud, region: supervisorOf(this.stack, cloud).region };
  }

  async roleId(name: string): Promise<number> {
    const { body } = await this.stack.main.get<{ items: { id: number; name: string }[] }>(
      `/tenants/${this.stack.tenant_id}/roles`,
    );
    return body.items.find((role) => role.name === name)?.id ?? 0;
  }

  /** A member beside the owner. */
  colleague(): Promise<number> {
    return (this.#colleague ??= addColleague(
      (text, values) => this.#query('main_api', text, values),
      this.stack.tenant_id,
    ));
  }

  /** Of a person who asks to become a member, with an address of the domain that the tenant has claimed. */
  async joinRequest(name: string): Promise<number> {
    const [row] = await this.#query<{ id: string }>(
      'main_api',
      `WITH claim AS (UPDATE tenants SET email_domain = 'example.com' WHERE id = $1),
       person AS (
         INSERT INTO users (name, email) VALUES ($2, $2 || '@example.com')
         ON CONFLICT DO NOTHING RETURNING id, email),
       identity AS (INSERT INTO identities (user_id, source, subject, email) SELECT id, 'walk', email, email FROM person)
       INSERT INTO join_requests (tenant_id, user_id) SELECT $1, id FROM person RETURNING id`,
      [this.stack.tenant_id, name],
    );
    return Number(row?.id);
  }

  /** Has the tenant have a card. */
  async savedCard(): Promise<void> {
    await this.#query(
      'main_api',
      `INSERT INTO payment_methods (tenant_id, kind, provider, customer, reference, brand, last4, exp_month, exp_year)
       VALUES ($1, 'card', 'test', 'cus_walk', 'pm_walk', 'visa', '4242', 12, 2099) ON CONFLICT DO NOTHING`,
      [this.stack.tenant_id],
    );
  }

  /** The one that was mailed last. */
  async protectionCode(): Promise<string> {
    const code = await mailedCode(this.stack.mail_dir);
    this.secrets.add(code);
    return code;
  }

  /** By which Sluice says that it acts for this tenant. */
  async externalId(): Promise<string> {
    const { tenant_id, division_id, environment_id } = this.existing;
    const place = `/tenants/${tenant_id}/divisions/${division_id}/environments/${environment_id}`;
    const { body } = await this.stack.main.post(`${place}/deployments/byoc/setup`, this.regionOf('cloud_a'));
    const id = body['external_id'];
    if (typeof id !== 'string') throw new Error('there is no external id yet');
    return id;
  }

  /** A configuration that is not the primary one. */
  async anotherConfig(kind: string, values: object): Promise<number> {
    const body = { name: 'other', values };
    const { headers } = await this.#region.post(`${this.#deployment}/configs/${kind}`, body);
    return Number(headers.get('svc-config'));
  }

  async newest(what: string): Promise<number> {
    const { body } = await this.#region.get<{ items: { id: number }[] }>(`${this.#deployment}/${what}`);
    return body.items[0]?.id ?? 0;
  }

  /** A node of another deployment in the region. */
  async nodeOf(deployment: number): Promise<number> {
    const { body } = await this.#region.get<{ nodes?: { id: number }[] }>(`/deployments/${deployment}`);
    const [node] = body.nodes ?? [];
    if (!node) throw new Error(`deployment ${deployment} has no node yet`);
    return node.id;
  }

  /** A node of the deployment whose data is gone. */
  async lostNode(): Promise<number> {
    const [node] = await this.#query<{ id: string }>(
      'supervisor_cloud_a',
      'UPDATE nodes SET data_lost_at = now() WHERE deployment_id = $1 RETURNING id',
      [this.existing['deployment_id']],
    );
    return Number(node?.id);
  }

  /** Has something of the deployment failed. */
  async fail(): Promise<void> {
    await this.#query(
      'supervisor_cloud_a',
      "UPDATE deployments SET status = 'failed', status_reason = 'so that it is tried again' WHERE id = $1",
      [this.existing['deployment_id']],
    );
  }

  /** All entries of the tenant, and what the log of the other, which is closed, has. */
  async entries(): Promise<Entry[]> {
    const closed = await this.#query<{ type: string; correlation_id: string }>(
      'audit',
      'SELECT type, correlation_id FROM log_entries WHERE tenant_id = $1',
      [this.#other.tenant_id],
    );
    return [...(await auditEntries(this.stack, '')), ...(closed as Entry[])];
  }

  /** The changes of which there is no right entry, each with those that there are of its request. */
  missing(entries: readonly Entry[]): unknown[] {
    return this.accepted.flatMap(({ operation, correlationId, subjects, other }) => {
      const ofRequest = entries.filter(({ correlation_id }) => correlation_id === correlationId);
      const right = ofRequest.some(
        (entry) => operation.audit.includes(entry.type) && (other || this.#isWhole(entry, subjects)),
      );
      return right ? [] : [[operation.id, operation.audit, subjects, ofRequest]];
    });
  }

  #isWhole(entry: Entry, subjects: Accepted['subjects']): boolean {
    const { author, api_key } = entry;
    const named = Object.entries(subjects).every(([kind, id]) => {
      const ref = entry[kind as 'division' | 'environment' | 'deployment'];
      return ref?.id === id && ref.name !== '';
    });
    return (
      named &&
      author?.id === this.#by.user_id &&
      author.name !== '' &&
      api_key?.id === this.#by.id &&
      api_key.name === this.#by.name
    );
  }

  async close(): Promise<void> {
    await this.#databases.close();
  }

  #query<Row extends pg.QueryResultRow>(database: string, text: string, values?: unknown[]): Promise<Row[]> {
    return this.#databases.query<Row>(database, text, values);
  }

  get #region() {
    return this.stack.supervisor('cloud_a');
  }

  get #deployment() {
    return `/deployments/${this.existing['deployment_id']}`;
  }

  #clientOf({ path }: WalkedOperation, { cloud = 'cloud_a', byOther }: Change) {
    if (byOther) return client(this.stack.base_url, this.#other.api_key);
    if (path.startsWith('/audit/')) return this.stack.audit;
    return path.startsWith('/deployments/') ? this.stack.supervisor(cloud) : this.stack.main;
  }

  /** The change, or why there never will be one. */
  async #prepared(prepare: Prepared): Promise<Change | NothingMade> {
    try {
      return await prepare(this);
    } catch (error) {
      if (error instanceof NothingMade) return error;
      throw error;
    }
  }

  #pathOf({ path }: WalkedOperation, { at = {}, query, byOther }: Change): string {
    const ids: Record<string, unknown> = {
      ...this.existing,
      ...(byOther && { tenant_id: this.#other.tenant_id }),
      ...at,
    };
    const concrete = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
    return query === undefined ? concrete : `${concrete}?${query}`;
  }

  #note(operation: WalkedOperation, change: Change, path: string, answer: Answer): void {
    const { headers } = answer;
    // an instance of a connector has no address of its own
    const id = /\d+$/.exec(headers.get('location') ?? '')?.[0] ?? headers.get('svc-connector-instance');
    if (id) this.#made.set(operation.id, Number(id));
    for (const secret of secretsIn([change.body, answer.body])) this.secrets.add(secret);
    const subjects = Object.fromEntries(
      ['division', 'environment', 'deployment'].flatMap((kind) => {
        const named = headers.get(`svc-${kind}`) ?? new RegExp(`/${kind}s/(\\d+)`).exec(path)?.[1];
        return named === undefined ? [] : [[kind, Number(named)]];
      }),
    );
    const correlationId = (headers.get('svc-request') ?? '').replace(
      /^(.{8})(.{4})(.{4})(.{4})(.{12})$/,
      '$1-$2-$3-$4-$5',
    );
    this.accepted.push({ operation, correlationId, subjects, other: change.byOther === true });
  }
}

/** A call before has failed. */
class NothingMade extends Error {}
