import { randomUUID } from 'node:crypto';
import {
  compileRole,
  mailAddressSchema,
  systemRoleNames,
  systemRoles,
  topology,
  type Ref,
  type TenantId,
  type UserId,
} from '@sluice/contracts';
import { callerOf } from '@sluice/grants';
import type { UnitOfWork } from '@sluice/messaging';
import {
  createLog,
  createPool,
  databaseUrl,
  migrate,
  unlimited,
  newContext,
  system,
  readConfig,
} from '@sluice/service';
import { z } from 'zod';
import { loadCatalogue } from '@sluice/catalogue/catalogue';
import { mainApiEnvironment } from './config.ts';
import type { Core } from './core.ts';
import { migrations, openDataSource } from './data-source.ts';
import type { Database, Granting, Transaction } from '@sluice/main-store/database';
import { addApiKey } from './features/access/api-keys/api-keys.service.ts';
import { offlineUnitOfWork } from '@sluice/grant-publication/publication/offline-work';
import { addDivision } from './features/organization/divisions/divisions.service.ts';
import { addMember } from './features/organization/members/membership.ts';
import { publishFeatures } from './features/organization/subscription/plan-features.ts';
import { createTenant } from './features/organization/tenants/tenant-creation.ts';
import { findFirstDivision } from '@sluice/main-store/divisions.store';
import { findRoleByName } from '@sluice/main-store/roles.store';
import { findTenantOf, lockTenant } from '@sluice/main-store/tenants.store';
import { ensureUser, findUserByEmail } from '@sluice/main-store/users.store';

/**
 * Creates a tenant, such as the first of an installation: a user, a tenant of theirs, a division and an admin key. Runs
 * before main-api or beside it, which sends and publishes what it stores. Prints one line of JSON,
 * `{"tenant_id", "division_id", "api_key"}`; when the owner has a tenant already only its ids, with `SEED_NEW_KEY=true`
 * also another key. With `SEED_MEMBER_EMAIL` another person becomes a member of it.
 */
const seedEnvironment = mainApiEnvironment
  .pick({
    DATABASE_URL: true,
    DATABASE_TLS_CA_FILE: true,
    NATS_NAMESPACE: true,
    CATALOGUE_FILE: true,
    LOG_LEVEL: true,
  })
  .extend({
    SEED_TENANT_NAME: z.string().trim().min(1).max(100).describe("the tenant's name"),
    SEED_OWNER_EMAIL: mailAddressSchema.describe(
      "the owner's address, also the tenant's; the owner is found by it again, so it follows a change of the account's address",
    ),
    SEED_OWNER_NAME: z.string().trim().min(1).max(100).describe("the owner's name"),
    SEED_NEW_KEY: z.enum(['true', 'false']).default('false').describe('make another admin key'),
    SEED_MEMBER_EMAIL: mailAddressSchema
      .optional()
      .describe('the address of a person who becomes a member, unless they have an account already'),
    SEED_MEMBER_NAME: z.string().trim().min(1).max(100).default('Member').describe("the person's name"),
    SEED_MEMBER_ROLE: z.enum(systemRoleNames).default('viewer').describe('what the person may do'),
  });
type SeedEnvironment = z.infer<typeof seedEnvironment>;
const yearMilliseconds = 365 * 24 * 60 * 60 * 1000;

interface Seeded {
  tenant_id: number;
  division_id: number;
  api_key?: string;
}

async function seed(environment: SeedEnvironment): Promise<Seeded> {
  const log = createLog('main-api-seed', environment.LOG_LEVEL, 'stderr');
  const pool = createPool(databaseUrl(environment), 1, log, unlimited);
  try {
    await migrate(pool, migrations);
  } finally {
    await pool.end();
  }
  const dataSource = await openDataSource(databaseUrl(environment), 1, log);
  try {
    const work = offlineUnitOfWork(dataSource, topology(environment.NATS_NAMESPACE));
    return await seedDatabase(environment, work);
  } finally {
    await dataSource.destroy();
  }
}

async function seedDatabase(
  environment: SeedEnvironment,
  work: UnitOfWork<Database & Granting>,
): Promise<Seeded> {
  const correlation_id = randomUUID();
  const { SEED_OWNER_NAME: name, SEED_OWNER_EMAIL: email } = environment;
  const owner = await work({ cause: { ...system.cause, correlation_id } }, (tx) =>
    ensureUser(tx, { name, email }),
  );
  const core = { catalogue: await loadCatalogue(environment.CATALOGUE_FILE), now: () => new Date() };
  return await work({ cause: { author: owner, api_key: null, correlation_id } }, async (tx) => {
    // two runs at once take turns; the second finds what the first has made
    await tx.query("SELECT pg_advisory_xact_lock(hashtext('main-api seed'))");
    const existing = await findTenantOf(tx, owner.id);
    if (!existing) await createFirst(tx, core, environment, owner);
    const tenant = existing ?? (await findTenantOf(tx, owner.id));
    const division = tenant && (await findFirstDivision(tx, tenant.id));
    if (!tenant || !division) throw new Error('the tenant has no division');
    await addPerson(tx, core, tenant.id, environment);
    const ids = { tenant_id: tenant.id, division_id: division.id };
    if (existing && environment.SEED_NEW_KEY === 'false') return ids;
    const name = existing ? `admin ${new Date().toISOString()}` : 'admin';
    return { ...ids, api_key: await addAdminKey(tx, core, tenant.id, owner, name) };
  });
}

async function createFirst(
  tx: Transaction,
  core: Pick<Core, 'catalogue'>,
  environment: SeedEnvironment,
  owner: Ref<UserId>,
): Promise<void> {
  const { SEED_TENANT_NAME: name, SEED_OWNER_EMAIL: email } = environment;
  const tenant = await createTenant(tx, { name, email, owner });
  const terms = await lockTenant(tx, tenant.id);
  await publishFeatures(tx, core, terms);
  await addDivision(tx, core, terms, { name: 'default' });
}

/** Who has an account already may have left the tenant, or was removed. */
async function addPerson(
  tx: Transaction,
  core: Pick<Core, 'catalogue'>,
  tenantId: TenantId,
  { SEED_MEMBER_EMAIL: email, SEED_MEMBER_NAME: name, SEED_MEMBER_ROLE: roleName }: SeedEnvironment,
): Promise<void> {
  if (email === undefined || (await findUserByEmail(tx, email))) return;
  const user = await ensureUser(tx, { name, email });
  const tenant = await lockTenant(tx, tenantId);
  const role = await findRoleByName(tx, tenantId, roleName);
  if (!role) throw new Error(`the tenant has no role ${roleName}`);
  await addMember(tx, core, tenant, user.id, [role.id]);
  const about = { tenant_id: tenantId, user };
  tx.emit('member_joined', about, { email, roles: [roleName], tenant: tenant.name });
}

/** A key with the role admin that acts as the owner, valid for a year. @returns its token */
async function addAdminKey(
  tx: Transaction,
  core: Pick<Core, 'catalogue' | 'now'>,
  tenantId: TenantId,
  owner: Ref<UserId>,
  name: string,
): Promise<string> {
  const admin = await findRoleByName(tx, tenantId, 'admin');
  if (!admin) throw new Error('the tenant has no role admin');
  const grant = {
    tenant_id: tenantId,
    user: owner,
    api_key: null,
    owner: true,
    permissions: compileRole(systemRoles.admin),
    division_id: null,
    allowed_ips: null,
    expires_at: core.now().toISOString(),
  };
  const caller = callerOf(grant, newContext());
  const expiry_at = new Date(core.now().getTime() + yearMilliseconds).toISOString();
  const input = { name, role_id: admin.id, expiry_at, validate_ip: false };
  return (await addApiKey(tx, core, await lockTenant(tx, tenantId), caller, input)).token;
}

try {
  const environment = readConfig(seedEnvironment);
  process.stdout.write(`${JSON.stringify(await seed(environment))}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
}
