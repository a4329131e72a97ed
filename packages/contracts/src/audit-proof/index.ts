/** Verifies exports of an audit log with nothing but Node. */
export { Broken } from './broken.ts';
export { conclusions, type Verified } from './conclusions.ts';
export { entriesIn, entriesOf } from './entries.ts';
export { headKeysOf, knownHeads, type KnownHead } from './signed-heads.ts';
export { verifyEntries, type PlacedEntry } from './verify-entries.ts';
