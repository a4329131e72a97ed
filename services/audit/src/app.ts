import { consumerOf } from '@sluice/contracts';
import {
  createApi,
  createApp,
  keyAuthorizer,
  loadApiDocument,
  trackKeyUsage,
  reportKeyUsage,
  type Handlers,
} from '@sluice/http';
import { startRuntime, whenThere } from '@sluice/runtime';
import { type Log, type RunningService } from '@sluice/service';
import { kyselyTransactions, openKysely } from '@sluice/service/kysely';
import type { AuditEnvironment } from './config.ts';
import type { Tables } from './database/tables.ts';
import { writerOf } from './database/writer.ts';
import { deletedTenantsService } from './features/deleted-tenants/deleted-tenants.service.ts';
import { locateEntries } from './features/entries/entry-location.ts';
import { entriesOperations } from './features/entries/entries.operations.ts';
import { entriesService } from './features/entries/entries.service.ts';
import { Counts } from './features/audit-log/counts.ts';
import { openHeads } from './features/heads/index.ts';
import { retention } from './features/audit-log/retention.ts';
import { auditLogService } from './features/audit-log/audit-log.service.ts';
import { plansService } from './features/plans/plans.service.ts';
import { verificationOperations } from './features/verification/verification.operations.ts';
import { verificationService } from './features/verification/verification.service.ts';
import { exportOperations } from './features/export/export.operations.ts';
import { exportService } from './features/export/export.service.ts';
import { startSinks } from './features/sinks/index.ts';
import { sinksOperations } from './features/sinks/sinks.operations.ts';
import { senderClocks } from './features/entries/sender-clocks.ts';
import type { operations } from './generated/api.ts';
import { scheduleJobs } from './jobs.ts';

/** Starts the audit service: its consumer of all events and the Audit API. */
export async function startAudit(environment: AuditEnvironment, log: Log): Promise<RunningService> {
  const migrations = new URL('../migrations/', import.meta.url);
  const runtime = await startRuntime('audit', environment, migrations, log, {
    writer: writerOf(environment, log),
  });
  const { grants, metrics, now, readiness, service, leaving } = runtime;
  const database = openKysely<Tables>(runtime.pool);
  const work = runtime.unitOfWork(kyselyTransactions(database));
  runtime.prune(retention(database, log));
  const plans = plansService({ database, now });
  const counts = new Counts(database);
  runtime.prune(counts.pruning);
  const auditLog = auditLogService({ database, counts, now });
  await whenThere('PostgreSQL', () => auditLog.makeAhead(), log);
  const deletedTenants = deletedTenantsService(auditLog);
  runtime.prune(deletedTenants.pruning);
  const clocks = senderClocks({ metrics, log });
  const entries = entriesService({ database, clocks, auditLog, deletedTenants, plans });

  await runtime.consume({
    ...consumerOf(runtime.topology, 'audit'),
    recovers: true,
    inOrder: true,
    work,
    handle: (_message, tx, received) => entries.record(tx, received),
    handleMany: () => entries.recordMany(),
  });

  const heads = await openHeads(runtime, environment, database);
  scheduleJobs(runtime.schedule, { counts, auditLog, heads });
  const verification = verificationService({
    database,
    now,
    restoredAt: runtime.databaseRestoredAt,
    published: heads && ((tenant) => heads.published(tenant)),
  });

  const { stopping } = runtime;
  const exports = exportService({ database, plans, stopping });
  const sinks = await startSinks(runtime, environment, { database, work, plans });
  const handlers: Handlers<operations> = {
    ...entriesOperations(entries),
    ...exportOperations(exports),
    ...verificationOperations(verification),
    ...sinksOperations(sinks),
  };
  const usage = trackKeyUsage({ store: reportKeyUsage(work), everyMilliseconds: 60_000, now, log });
  runtime.onStop(() => usage.stop());
  const document = await loadApiDocument(new URL('../openapi/', import.meta.url));
  const api = createApi({
    document,
    handlers,
    authorize: usage.through(
      keyAuthorizer({ grants, now, publicUrl: environment.PUBLIC_URL, locate: locateEntries }),
    ),
    validateResponses: environment.VALIDATE_RESPONSES,
    refused: runtime.recordRefusals(work),
    ...runtime.guards,
  });
  const trustedProxies = environment.TRUSTED_PROXIES;
  const { limit } = runtime.guards;
  const app = createApp({
    document,
    routers: [api],
    limit,
    readiness,
    metrics,
    service,
    log,
    trustedProxies,
    leaving,
  });
  return runtime.serve(app);
}
