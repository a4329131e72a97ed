import type { SluiceClient } from '@sluice/client';
import type { Existing, Ids } from '../entries.ts';
import type { turns } from '../turns.ts';

/** What reads share. */
export interface Reader {
  client: SluiceClient;
  signal: AbortSignal;
  tenantId: number;
  ids: Ids;
  /** what its id was given for, by `kind id` */
  placeOf: Map<string, string>;
  turn: ReturnType<typeof turns>;
  add: (entry: Existing) => void;
}
