/** Verifies an export of an audit log where there is no Node: the caller brings SHA-256 and the text. */
export { Broken } from './broken.ts';
export type { Verified } from './conclusions.ts';
export { entriesOfText } from './text-entries.ts';
export { followEntries, type PlacedEntry } from './verify-entries.ts';
