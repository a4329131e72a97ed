import type { Foundation, SecretBox, UnitOfWork } from '@sluice/service-kit';
import type { SupervisorEnvironment } from './configuration.ts';
import type { Database, Tx } from './database.ts';

/** What all parts of the supervisor share. */
export interface Core {
  foundation: Foundation;
  environment: SupervisorEnvironment;
  database: Database;
  work: UnitOfWork<Tx>;
  secrets: SecretBox;
}
