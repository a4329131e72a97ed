import { runReseal } from '@sluice/service';
import { sealedColumns } from './sealed-columns.ts';

/** `node services/supervisor/src/reseal.ts`, with the service's database and `SECRETS_KEYS`: seals what is stored under the newest key. */
await runReseal(sealedColumns);
