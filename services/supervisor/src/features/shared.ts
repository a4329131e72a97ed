import type { Outgoing, UnitOfWork } from '@sluice/messaging';
import type { Log } from '@sluice/service';
import type { SecretBox } from '@sluice/system/secrets';
import type { Registry } from '@prometheus-io/client';
import type { Database, Transaction } from '@sluice/region-store/tables';
import type { HeartbeatGrace } from '@sluice/region-store/silence.store';

/** What features work with. */
export interface Shared {
  database: Database;
  work: UnitOfWork<Transaction>;
  secrets: SecretBox;
  heartbeatGrace: HeartbeatGrace;
  metrics: Registry;
  log: Log;
  now: () => Date;
}

/** A unit of work: rows, events and reports that commit together. */
export type Tx = Transaction & Outgoing;
