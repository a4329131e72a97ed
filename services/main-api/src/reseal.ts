import { runReseal } from '@sluice/service';
import { sealedColumns } from './sealed-columns.ts';

/** `node services/main-api/src/reseal.ts`, with the service's database and `SECRETS_KEYS`: seals what is stored under the newest key. */
await runReseal(sealedColumns);
