import { sha256 } from '../audit-chain.ts';
import { followEntries, type PlacedEntry, type VerifyOptions } from './verify-entries.ts';

/** Verifies exports of an audit log with nothing but Node. `anywhere.ts` is the part of it that a browser has as well. */
export { Broken } from './broken.ts';
export { conclusions, type Verified } from './conclusions.ts';
export { entriesIn, entriesOf } from './entries.ts';
export type { KnownHead } from './known-heads.ts';
export { headKeysOf, knownHeads } from './signed-heads.ts';
export type { PlacedEntry } from './verify-entries.ts';

/** `followEntries` with the SHA-256 of Node. @throws Broken likewise */
export const verifyEntries = (entries: AsyncIterable<PlacedEntry>, options: VerifyOptions) =>
  followEntries(entries, { ...options, sha256 });
