import { runAdmin } from '@sluice/admin';
import {
  client,
  connectBroker,
  eventually,
  type Answer,
  type Client,
  type Layer,
  type Login,
  type ReplicatedStack,
} from '@sluice/testing';

import { tcpOnly, untilRunning, untilUnknown, type Shown, type SupervisorView } from '../story.ts';

/** What is restored: a database, NATS, or main-api's database while NATS has lost everything. */
export type Target = Layer | 'nats' | 'main-api-without-nats';

/** What `sluice-admin restore review` lists. */
export interface Difference {
  id: number;
  kind: string;
  about: string;
}

/** how long anything may take, in milliseconds: the machine may have much else to do */
export const patience = 240_000;

/** What is looked at after a restore: ids by kind, rights that were removed, and what the audit log has to have. */
export class World {
  readonly stack: ReplicatedStack;
  /** all ids that were ever given out, by kind */
  readonly ids = new Map<string, Set<number>>();
  /** each is a request that must never succeed again */
  readonly removedRights: RemovedRight[] = [];
  /** types of events of acknowledged changes, with their correlation ids */
  readonly acknowledged: { type: string; correlation: string }[] = [];
  /** what must hold once everything is calm; each throws where it does not */
  readonly claims: { name: string; check: () => Promise<void> }[] = [];
  environment = '';
  /** what is restored */
  readonly target: Target;
  #names = 0;

  constructor(stack: ReplicatedStack, target: Target) {
    this.stack = stack;
    this.target = target;
  }

  get tenant(): string {
    return `/tenants/${this.stack.tenant_id}`;
  }

  api(layer: Layer, key = this.stack.api_key): Client {
    return client(this.stack.of(layer)[0]?.url ?? 'http://127.0.0.1:9', key);
  }

  name(kind: string): string {
    return `${kind}-${++this.#names}`;
  }

  /**
   * Repeats a change until it is taken: what it needs may be away for a moment. One that was not answered may have had its effect, so
   * each attempt has a body of its own. @returns its answer
   */
  async change(
    layer: Layer,
    method: string,
    path: string,
    body?: () => unknown,
    event?: string,
  ): Promise<Answer> {
    return await eventually(
      async () => {
        const answer = await this.api(layer).request(method, path, body?.());
        if (answer.status >= 300)
          throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        const request = answer.headers.get('svc-request');
        if (event !== undefined && request !== null)
          this.acknowledged.push({ type: event, correlation: asUuid(request) });
        return answer;
      },
      { timeoutMs: patience, everyMs: 250 },
    );
  }

  /** Does what `sluice-admin restore` does. */
  async admin(...args: string[]): Promise<string> {
    const { 'main-api': DATABASE_URL, audit: AUDIT_DATABASE_URL } = this.stack.databases;
    return await runAdmin(['restore', ...args], { DATABASE_URL, AUDIT_DATABASE_URL });
  }

  async differences(): Promise<Difference[]> {
    return JSON.parse(await this.admin('review', '--limit', '500', '--json')) as Difference[];
  }

  /** Waits until all layers refuse a key with this code, or with null until none refuses to know it. */
  async refused(token: string, code: string | null): Promise<void> {
    await eventually(
      async () => {
        for (const [layer, path] of probesOf(this)) {
          const { status, body } = await this.api(layer, token).get(path);
          const refusal = status === 401 ? body['code'] : null;
          if (status >= 500 || refusal !== code)
            throw new Error(`${layer} says ${status} ${String(body['code'])}`);
        }
      },
      { timeoutMs: 60_000, everyMs: 250 },
    );
  }

  /** Notes an id. @throws Error when it was given out before */
  given(kind: string, id: number): number {
    const known = this.ids.get(kind) ?? new Set();
    this.ids.set(kind, known);
    if (!Number.isInteger(id) || id <= 0) throw new Error(`${kind}: ${id} is no id`);
    if (known.has(id)) throw new Error(`the ${kind} id ${id} was given out twice`);
    known.add(id);
    return id;
  }

  async addKey(role_id?: number): Promise<{ id: number; token: string }> {
    const expiry_at = new Date(Date.now() + 3_600_000).toISOString();
    const rights = role_id === undefined ? { permissions: { tenant: ['info:read'] } } : { role_id };
    const body = () => ({ name: this.name('key'), expiry_at, ...rights });
    const answer = await this.change('main-api', 'POST', `${this.tenant}/api_keys`, body, 'api_key_created');
    const { id, token } = answer.body as { id: number; token: string };
    return { id: this.given('key', id), token };
  }

  async addRole(): Promise<number> {
    const permissions = { tenant: ['info:read', 'role:read'] };
    const body = () => ({ name: this.name('role'), permissions });
    const answer = await this.change('main-api', 'POST', `${this.tenant}/roles`, body, 'role_created');
    return this.given('role', Number(answer.body['id']));
  }

  async createDeployment(): Promise<number> {
    const place = { cloud: 'cloud_a', region: 'us-east-1', tier: 'small', cluster: 'standalone' };
    const body = () => ({ name: this.name('deployment'), ...place });
    const path = `${this.environment}/deployments/managed`;
    const answer = await this.change('main-api', 'POST', path, body, 'deployment_created');
    return Number(answer.headers.get('svc-deployment'));
  }

  async addDeployment(): Promise<number> {
    const id = this.given('deployment', await this.createDeployment());
    await this.agreed(id);
    return id;
  }

  async addRule(deployment: number): Promise<number> {
    const body = () => ({ name: this.name('rule'), cidr_blocks: ['0.0.0.0/0'], rules: tcpOnly });
    const path = `/deployments/${deployment}/access_rules`;
    const answer = await this.change('supervisor', 'POST', path, body, 'access_rule_added');
    return this.given('rule', Number(answer.body['id']));
  }

  async addConfig(deployment: number): Promise<number> {
    const path = `/deployments/${deployment}/configs/broker`;
    const body = () => ({ name: this.name('config'), values: {} });
    const answer = await this.change('supervisor', 'POST', path, body, 'config_created');
    return this.given('config', Number(answer.headers.get('svc-config')));
  }

  async addConnector(deployment: number): Promise<number> {
    const body = () => {
      const key = this.name('connector');
      return { connector_key: 'http', connector_type: 'sink', instance_name: key, instance_key: key };
    };
    const path = `${this.environment}/deployments/${deployment}/connectors/activate`;
    const answer = await this.change('main-api', 'POST', path, body, 'connector_activated');
    return this.given('connector', Number(answer.headers.get('svc-connector-instance')));
  }

  async addBackup(deployment: number): Promise<number> {
    const path = `/deployments/${deployment}/backups`;
    const answer = await this.change('supervisor', 'POST', path, () => ({ name: this.name('backup') }));
    const id = this.given('backup', Number(answer.headers.get('svc-backup')));
    await eventually(
      async () => {
        const { body } = await this.api('supervisor').get(`${path}/${id}`);
        if (body['status'] === 'in_progress') throw new Error('the backup is under way');
      },
      { timeoutMs: patience },
    );
    return id;
  }

  async login(deployment: number): Promise<Login> {
    return (await this.api('supervisor').get<Login>(`/deployments/${deployment}/credentials`)).body;
  }

  /** Whether the broker lets this login in from here. */
  async letsIn(deployment: number, login: Login): Promise<boolean> {
    const { body } = await this.api('supervisor').get<{ endpoints?: { broker_tcp: string | null } }>(
      `/deployments/${deployment}`,
    );
    if (!body.endpoints?.broker_tcp) return false;
    return await connectBroker(body.endpoints.broker_tcp, login).then(
      async (connection) => {
        await connection.close();
        return true;
      },
      () => false,
    );
  }

  /** Waits until both layers say that a deployment runs, in the same shape. */
  agreed(id: number): Promise<SupervisorView> {
    return untilRunning(this.#shown(id), patience);
  }

  gone(id: number): Promise<void> {
    return untilUnknown(this.#shown(id), patience);
  }

  /** The layers change when their replicas are replaced. */
  #shown(id: number): Shown {
    const get = (layer: Layer): Shown['main'] => ({ get: (at) => this.api(layer).get(at) });
    const path = `${this.environment}/deployments/${id}`;
    return { main: get('main-api'), region: get('supervisor'), path, id };
  }
}

/** Keeps a copy of a service's database. */
export async function backUpDatabase(stack: ReplicatedStack, layer: Layer): Promise<void> {
  for (const replica of stack.of(layer)) await stack.end(replica);
  await stack.database.backUp(layer);
  await stack.another(layer);
}

/** Puts the copy back. @param before done while no replica of the service runs */
export async function restoreDatabase(
  stack: ReplicatedStack,
  layer: Layer,
  before: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  for (const replica of stack.of(layer)) await stack.end(replica);
  await before();
  await stack.database.restore(layer);
  await stack.another(layer);
}

/** A request's id as the audit log writes it. */
const asUuid = (id: string) => id.replace(/^(.{8})-?(.{4})-?(.{4})-?(.{4})-?(.{12})$/, '$1-$2-$3-$4-$5');

/** A request that must never succeed again. */
export interface RemovedRight {
  name: string;
  succeeds: () => Promise<boolean>;
}

/** What any key of the tenant can ask each layer for, or is forbidden to. */
export const probesOf = ({ tenant }: World) =>
  (['main-api', 'supervisor', 'audit'] as const).map(
    (layer) => [layer, layer === 'audit' ? `/audit${tenant}` : `${tenant}/summary`] as const,
  );
