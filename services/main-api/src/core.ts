import type { SecretBox, UnitOfWork } from '@sluice/service-kit';
import type { Catalogue } from './catalogue/catalogue.ts';
import type { Database } from './database.ts';
import type { ProtectionCodes } from './protection-codes.ts';
import type { SessionTimes } from './features/identity/sessions/sessions.service.ts';

/** What the services of all features are made with. */
export interface Core {
  /** for reading outside of a transaction */
  database: Database;
  /**
   * For every change. One that changes grants answers only when they are in force on all layers.
   * @throws Problem `unavailable` when that cannot be known; the change is stored all the same
   */
  work: UnitOfWork<Database>;
  catalogue: Catalogue;
  baseDomain: string;
  /** where people sign in */
  consoleUrl: string;
  protectionCodes: ProtectionCodes;
  /** seals what mails say */
  mailBox: SecretBox;
  sessionTimes: SessionTimes;
  now: () => Date;
}
