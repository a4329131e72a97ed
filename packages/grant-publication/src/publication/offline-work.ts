import type { Topology } from '@sluice/contracts';
import { createUnitOfWork, type UnitOfWork } from '@sluice/messaging';
import type { DataSource } from 'typeorm';
import { transactionsOf, type Database, type Granting } from '@sluice/main-store/database';
import { grantingWork } from './granting-work.ts';

/** Units of work of a program beside main-api, without NATS: a running main-api sends and publishes what they store. */
export function offlineUnitOfWork(
  dataSource: DataSource,
  topology: Topology,
): UnitOfWork<Database & Granting> {
  const work = createUnitOfWork({
    transaction: transactionsOf(dataSource),
    topology,
    sender: 'main-api',
    now: () => new Date(),
  });
  const tellMainApi = async () => void (await dataSource.query("SELECT pg_notify('grants', '')"));
  return grantingWork(work, { settle: tellMainApi, settleRemovals: tellMainApi });
}
