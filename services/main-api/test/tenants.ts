import { randomUUID } from 'node:crypto';
import {
  compileRole,
  rolePermissionsSchema,
  systemRoles,
  type Plan,
  type RolePermissionsInput,
  type SystemRoleName,
  idOf,
  type DivisionId,
  type Ref,
  type RoleId,
  type TenantId,
  type UserId,
} from '@sluice/contracts';
import { callerOf, type Caller } from '@sluice/grants';
import type { UnitOfWork } from '@sluice/messaging';
import { createLog, newContext, system } from '@sluice/service';
import { client, eventually, type Answer, type Client, type ServiceFixture } from '@sluice/testing';
import type { DataSource } from 'typeorm';
import { loadCatalogue, type Catalogue } from '@sluice/catalogue/catalogue';
import type { FeatureOverrides } from '@sluice/catalogue/features';
import { openDataSource } from '../src/data-source.ts';
import type { Database, Granting, Transaction } from '@sluice/main-store/database';
import { addApiKey } from '../src/features/access/api-keys/api-keys.service.ts';
import { offlineUnitOfWork } from '@sluice/granting/publication/offline-work';
import { addDivision } from '../src/features/organization/divisions/divisions.service.ts';
import { insertMember } from '@sluice/main-store/members.store';
import { findRoleByName, insertRole } from '@sluice/main-store/roles.store';
import { createTenant } from '../src/features/organization/tenants/tenant-creation.ts';
import { lockTenant } from '@sluice/main-store/tenants.store';
import { ensureUser } from '@sluice/main-store/users.store';
import { refusal } from './answers.ts';
import { catalogueFile } from './settings.ts';

export interface TestTenant {
  id: TenantId;
  /** `/tenants/{id}` */
  path: string;
  /** its first division */
  division: DivisionId;
  /** `/tenants/{id}/divisions/{id}`, of its first division */
  divisionPath: string;
  owner: Ref<UserId>;
  /** ids of the system roles */
  roles: Record<SystemRoleName, RoleId>;
  /** the token of the owner's admin key */
  key: string;
  /** calls the replica with the owner's admin key */
  admin: Client;
  /** creates something as the owner. @returns its id */
  add: (path: string, body: object) => Promise<number>;
  /** creates a starter in its first division */
  starter(more?: object): Promise<Answer>;
  /**
   * sends requests with the owner's key at one moment, to the replicas in turn.
   * @returns how they were answered, like `204` and `404 not_found`, in order
   */
  race(send: (caller: Client, position: number) => Promise<Answer>, times?: number): Promise<string[]>;
  /** calls it with a key of these permissions of the owner's */
  with(permissions: RolePermissionsInput, divisionId?: DivisionId): Promise<Client>;
  /** calls it with a key of a member who is not the owner, who holds these permissions as the key does */
  member(permissions: RolePermissionsInput): Promise<Client>;
  /** a member with these roles */
  person(roleIds: RoleId[]): Promise<TestPerson>;
}

export interface TestPerson {
  id: UserId;
  name: string;
  email: string;
  /** the token of a new key that acts as them */
  token(role: KeyRole): Promise<string>;
}

type KeyRole = { role_id: RoleId } | { permissions: RolePermissionsInput };

/** The region that the fixture plays, as a body names it. */
export const place = { cloud: 'cloud_a', region: 'us-east-1' };

/** What is there while the fixture is open. */
interface Opened {
  dataSource: DataSource;
  catalogue: Catalogue;
  work: UnitOfWork<Database & Granting>;
}

/** Founds tenants as the seed does, beside the running service, which then sends what was stored. */
export class Tenants {
  readonly #on: ServiceFixture;
  #opened: Opened | undefined;

  constructor(on: ServiceFixture) {
    this.#on = on;
  }

  async open(): Promise<void> {
    const dataSource = await openDataSource(this.#on.databaseUrl, 2, createLog('tests', 'error'));
    this.#opened = {
      dataSource,
      catalogue: await loadCatalogue(catalogueFile),
      work: offlineUnitOfWork(dataSource, this.#on.topology),
    };
  }

  async close(): Promise<void> {
    await this.#parts.dataSource.destroy();
  }

  /** All rows of the tables that have this column, or of all tables, as text. */
  async everythingStored(column?: string, value?: number): Promise<string> {
    const tables: { name: string }[] = await this.#parts.dataSource.query(
      `SELECT DISTINCT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND ($1::text IS NULL OR column_name = $1)
         -- ids alone, for those who follow changes; gone after a day
         AND table_name <> 'object_changes'`,
      [column ?? null],
    );
    expect(tables.length).toBeGreaterThan(0);
    const rows = await Promise.all(
      tables.map(async ({ name }): Promise<{ row: string }[]> => {
        const where = column === undefined ? '' : `WHERE ${column} = ${value}`;
        return await this.#parts.dataSource.query(
          `SELECT '${name} ' || t::text AS row FROM ${name} t ${where}`,
        );
      }),
    );
    return rows
      .flat()
      .map(({ row }) => row)
      .join('\n');
  }

  /** Sends a request while these statements are not committed yet, and commits them once it waits for a lock. */
  async whileLocked<T>(
    statements: [text: string, values: unknown[]][],
    request: () => Promise<T>,
  ): Promise<T> {
    const [answer] = await this.#behind(statements, [request]);
    return answer as T;
  }

  /** Sends requests while the row of the tenant is locked, and lets them go once all of them wait for that. */
  atOnce<T>(tenantId: number, requests: (() => Promise<T>)[]): Promise<T[]> {
    return this.#behind([['SELECT 1 FROM tenants WHERE id = $1 FOR UPDATE', [tenantId]]], requests);
  }

  async #behind<T>(statements: [text: string, values: unknown[]][], requests: (() => Promise<T>)[]) {
    const runner = this.#parts.dataSource.createQueryRunner();
    await runner.startTransaction();
    for (const [text, values] of statements) await runner.query(text, values);
    const answers = requests.map((send) => send());
    await this.untilLocked(requests.length);
    await runner.commitTransaction();
    await runner.release();
    return await Promise.all(answers);
  }

  /** Resolves once so many statements wait for a lock. */
  async untilLocked(count = 1): Promise<void> {
    await eventually(async () =>
      expect(
        await this.#on.sql(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        ),
      ).toHaveLength(count),
    );
  }

  async tenant({
    overrides,
    plan = overrides ? 'enterprise' : 'pro',
  }: { plan?: Plan; overrides?: FeatureOverrides } = {}): Promise<TestTenant> {
    const origin = { cause: { ...system.cause, correlation_id: randomUUID() } };
    const owner = await this.#parts.work(origin, (tx) => this.#user(tx, 'Owner'));
    const founded = await this.#parts.work(origin, async (tx) => {
      const { id } = await createTenant(tx, { name: 'Acme', email: 'acme@example.com', owner });
      await tx.query('UPDATE subscriptions SET plan = $2 WHERE tenant_id = $1', [id, plan]);
      await tx.query('UPDATE tenants SET feature_overrides = $2 WHERE id = $1', [
        id,
        JSON.stringify(overrides ?? {}),
      ]);
      const division = await addDivision(tx, { catalogue: this.#parts.catalogue }, await lockTenant(tx, id), {
        name: 'default',
      });
      const role = async (name: SystemRoleName) =>
        (await findRoleByName(tx, id, name))?.id ?? idOf<RoleId>(0);
      const [admin, developer] = [await role('admin'), await role('developer')];
      const roles = { admin, developer, viewer: await role('viewer'), billing: await role('billing') };
      const key = await this.#key(tx, id, { id: owner.id, name: owner.name }, { role_id: roles.admin });
      return { id, division: division.id, roles, key };
    });
    const { id, key } = founded;
    const admin = this.#clientOf(key);
    await eventually(async () => expect((await admin.get(`/tenants/${id}`)).status).toBe(200));
    const path = `/tenants/${id}`;
    const divisionPath = `${path}/divisions/${founded.division}`;
    const callers = this.#on.replicas.map(({ url }) => client(url, key));
    return {
      ...founded,
      owner,
      path,
      divisionPath,
      admin,
      add: async (at, body) => {
        const answer = await admin.post(at, body);
        if (answer.status >= 300) throw new Error(`POST ${at}: ${refusal(answer)}`);
        return Number(answer.body['id']);
      },
      starter: (more) => admin.post(`${divisionPath}/deployments/starter`, { ...place, ...more }),
      race: async (send, times = 2) => {
        const requests = Array.from({ length: times }, (_, position) => () => {
          return send(callers[position % callers.length] ?? admin, position);
        });
        return (await this.atOnce(id, requests)).map(refusal).sort();
      },
      with: (permissions, divisionId) => this.#client(id, owner, permissions, divisionId),
      member: async (permissions) => {
        const role = await this.#parts.work(origin, (tx) =>
          insertRole(tx, {
            tenant_id: id,
            name: randomUUID(),
            permissions: rolePermissionsSchema.parse(permissions),
          }),
        );
        const person = await this.#person(id, [role.id]);
        return this.#clientOf(await person.token({ permissions }));
      },
      person: (roleIds) => this.#person(id, roleIds),
    };
  }

  get #parts(): Opened {
    if (!this.#opened) throw new Error('There are no tenants before the fixture is open.');
    return this.#opened;
  }

  #clientOf(key: string): Client {
    return client(this.#on.replica().url, key);
  }

  async #user(tx: Transaction, name: string) {
    const email = `${randomUUID()}@example.com`;
    return { ...(await ensureUser(tx, { name, email })), email };
  }

  async #person(tenantId: TenantId, roleIds: RoleId[]): Promise<TestPerson> {
    const origin = { cause: { ...system.cause, correlation_id: randomUUID() } };
    const user = await this.#parts.work(origin, async (tx) => {
      const made = await this.#user(tx, 'Member');
      await insertMember(tx, tenantId, made.id, roleIds);
      return made;
    });
    return { ...user, token: (role) => this.#workingKey(tenantId, user, role) };
  }

  async #client(
    tenantId: TenantId,
    user: Ref<UserId>,
    permissions: RolePermissionsInput,
    divisionId?: DivisionId,
  ): Promise<Client> {
    const input = { permissions, ...(divisionId !== undefined && { division_id: divisionId }) };
    return this.#clientOf(await this.#workingKey(tenantId, user, input));
  }

  /** The token of a new key, once the replica accepts it. */
  async #workingKey(
    tenantId: TenantId,
    { id, name }: Ref<UserId>,
    input: KeyRole & { division_id?: DivisionId },
  ): Promise<string> {
    const user = { id, name };
    const origin = { cause: { author: user, api_key: null, correlation_id: randomUUID() } };
    const key = await this.#parts.work(origin, (tx) => this.#key(tx, tenantId, user, input));
    const context = `/tenants/${tenantId}/api_keys/context`;
    await eventually(async () => expect((await this.#clientOf(key).get(context)).status).toBe(200));
    return key;
  }

  async #key(
    tx: Transaction,
    tenantId: TenantId,
    user: Ref<UserId>,
    input: { role_id?: RoleId; permissions?: RolePermissionsInput; division_id?: DivisionId },
  ): Promise<string> {
    const expiry_at = new Date(Date.now() + 60 * 60 * 1000).toISOString();
    const core = { catalogue: this.#parts.catalogue, now: () => new Date() };
    const tenant = await lockTenant(tx, tenantId);
    const { token } = await addApiKey(tx, core, tenant, adminCaller(tenantId, user), {
      name: `key ${randomUUID()}`,
      expiry_at,
      validate_ip: false,
      ...input,
    });
    return token;
  }
}

function adminCaller(tenant_id: TenantId, user: Ref<UserId>): Caller {
  const grant = {
    tenant_id,
    user,
    api_key: null,
    owner: true,
    permissions: compileRole(systemRoles.admin),
    division_id: null,
    allowed_ips: null,
    expires_at: new Date().toISOString(),
  };
  return callerOf(grant, newContext());
}
