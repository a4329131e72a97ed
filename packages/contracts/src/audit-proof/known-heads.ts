import type { ChainHead } from '../audit-text.ts';

/** What is known of a log from elsewhere. */
export interface KnownHead extends ChainHead {
  tenant_id: number;
  /** the key that it is signed with and when it was published, where that was checked */
  signed?: { by: string; at: string };
}

export interface KnownHeads {
  heads: KnownHead[];
  /** lines that are no heads */
  unreadable: string[];
  /** lines of heads that audit has not signed with the keys that were given */
  refused: string[];
}
