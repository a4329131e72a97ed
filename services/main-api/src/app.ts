import {
  Consumer,
  createApi,
  createApp,
  GrantLeases,
  keyAuthorizer,
  startRuntime,
  loadApiDocument,
  problem,
  trackKeyUsage,
  secretBox,
  type ServiceRuntime,
  type Log,
  type RunningService,
  type UnitOfWork,
} from '@sluice/service-kit';
import type { DataSource } from 'typeorm';
import { loadCatalogue } from './catalogue/catalogue.ts';
import type { MainApiEnvironment } from './config.ts';
import type { Core } from './core.ts';
import { databaseOf, migrations, openDataSource, transactionsOf, type Database } from './database.ts';
import { peopleOperations } from './handlers.ts';
import { apiKeyOperations } from './features/access/api-keys/api-keys.operations.ts';
import { apiKeysService } from './features/access/api-keys/api-keys.service.ts';
import { republishGrants } from './features/access/grants/key-grants.ts';
import { noteUse } from './stores/api-keys.store.ts';
import { deploymentOperations } from './features/deployments/deployments.operations.ts';
import { deploymentsService } from './features/deployments/deployments.service.ts';
import { takeReport } from './features/regions/reports.ts';
import { discoveryOperations } from './features/catalogue/discovery.operations.ts';
import { discoveryService } from './features/catalogue/discovery.service.ts';
import { divisionOperations } from './features/organization/divisions/divisions.operations.ts';
import { divisionsService } from './features/organization/divisions/divisions.service.ts';
import { environmentOperations } from './features/organization/environments/environments.operations.ts';
import { environmentsService } from './features/organization/environments/environments.service.ts';
import { invitationOperations } from './features/organization/invitations/invitations.operations.ts';
import { invitationsService } from './features/organization/invitations/invitations.service.ts';
import { memberOperations } from './features/organization/members/members.operations.ts';
import { membersService } from './features/organization/members/members.service.ts';
import { protectionCodes } from './protection-codes.ts';
import { protectionOperations } from './features/organization/protection/protection.operations.ts';
import { protectionService } from './features/organization/protection/protection.service.ts';
import { roleOperations } from './features/access/roles/roles.operations.ts';
import { rolesService } from './features/access/roles/roles.service.ts';
import { republishSessionGrants } from './features/access/grants/session-grants.ts';
import { keepSessions } from './features/identity/sessions/session-maintenance.ts';
import { sessionTimesOf } from './features/identity/sessions/sessions.service.ts';
import { tenantConfigOperations } from './features/organization/tenant-config/tenant-config.operations.ts';
import { tenantConfigService } from './features/organization/tenant-config/tenant-config.service.ts';
import { tenantOperations } from './features/organization/tenants/tenants.operations.ts';
import { tenantsService } from './features/organization/tenants/tenants.service.ts';

type Relay = ServiceRuntime['relay'];
const sentWithinMilliseconds = 10_000;

/** Starts main-api: connects, migrates, takes in reports, and answers. `clock` is for tests of what time brings about. */
export async function startMainApi(
  environment: MainApiEnvironment,
  log: Log,
  clock?: () => Date,
): Promise<RunningService> {
  const catalogue = await loadCatalogue(environment.CATALOGUE_FILE);
  const document = await loadApiDocument(new URL('../openapi/', import.meta.url));
  const runtime = await startRuntime('main-api', environment, migrations, log, { now: clock });
  const { DATABASE_URL, DATABASE_POOL_SIZE } = environment;
  const dataSource = await openDataSource(DATABASE_URL, DATABASE_POOL_SIZE, log);
  runtime.onStop(() => dataSource.destroy());

  const core: Core = {
    database: databaseOf(dataSource.manager),
    work: await unitOfWork(runtime, dataSource, environment.GRANT_LEASE_SECONDS),
    catalogue,
    baseDomain: environment.BASE_DOMAIN,
    consoleUrl: environment.CONSOLE_URL ?? environment.PUBLIC_URL,
    protectionCodes: protectionCodes(environment.PROTECTION_KEY),
    mailBox: secretBox(environment.MAIL_KEYS),
    sessionTimes: sessionTimesOf(environment),
    now: runtime.now,
  };
  await republishGrants(core, runtime.grants, log);
  await republishSessionGrants(core, runtime.grants, log);
  await takeInReports(runtime, core);

  const uses = trackKeyUsage({
    store: (noted) => noteUse(core.database, noted),
    everyMilliseconds: 5_000,
    now: core.now,
    log,
  });
  runtime.onStop(() => uses.stop());
  const sessions = keepSessions(core, log);
  runtime.onStop(() => sessions.stop());
  const { now, grants, readiness, metrics, stopping } = runtime;
  const api = createApi({
    document,
    handlers: { ...handlersOf(core), ...peopleOperations(core, environment, log) },
    authorize: sessions.through(uses.through(keyAuthorizer({ grants, now }))),
    validateResponses: environment.VALIDATE_RESPONSES,
    ...runtime.guards,
  });
  return await runtime.serve(
    createApp({
      document: { ...document, servers: [{ url: environment.PUBLIC_URL }] },
      routers: [api],
      readiness,
      metrics,
      log,
      trustedProxies: environment.TRUSTED_PROXIES,
      stopping,
    }),
  );
}

/** How everything is changed: where grants change with it, the answer waits until they are in force everywhere. */
async function unitOfWork(
  runtime: ServiceRuntime,
  dataSource: DataSource,
  leaseSeconds: number,
): Promise<UnitOfWork<Database>> {
  const { topology, relay, nats } = runtime;
  const leases = new GrantLeases(nats, topology, leaseSeconds);
  await leases.open();
  runtime.onStop(() => leases.close());
  return runtime.unitOfWork(transactionsOf(dataSource), async ({ outboxIds, grantsChanged }) => {
    if (grantsChanged) await rightsInForce(relay, leases, outboxIds);
  });
}

/** Resolves when the grants among these messages hold wherever requests are checked. */
async function rightsInForce(relay: Relay, leases: GrantLeases, outboxIds: number[]): Promise<void> {
  if (!(await relay.sent(outboxIds, sentWithinMilliseconds)))
    throw problem('unavailable', {
      detail: 'The change is stored but not yet known to be in force everywhere.',
    });
  await leases.settled();
}

async function takeInReports(runtime: ServiceRuntime, { work }: Core): Promise<void> {
  const { nats, topology, metrics, log } = runtime;
  const reports = new Consumer<Database>({
    nats,
    topology,
    stream: topology.streams.reports,
    name: 'main-api',
    work,
    handle: takeReport,
    metrics,
    log,
  });
  await reports.start();
  runtime.onStop(() => reports.stop());
}

function handlersOf(core: Core) {
  return {
    ...tenantOperations(tenantsService(core)),
    ...tenantConfigOperations(tenantConfigService(core)),
    ...protectionOperations(protectionService(core)),
    ...divisionOperations(divisionsService(core)),
    ...environmentOperations(environmentsService(core)),
    ...roleOperations(rolesService(core)),
    ...memberOperations(membersService(core)),
    ...invitationOperations(invitationsService(core), core.now),
    ...apiKeyOperations(apiKeysService(core)),
    ...discoveryOperations(discoveryService(core)),
    ...deploymentOperations(deploymentsService(core)),
  };
}
