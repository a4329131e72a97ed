import { hash } from 'node:crypto';
import {
  textInPlace,
  textOfEntry,
  type ChainedEntry,
  type ChainPlace,
  type EntryText,
} from './audit-text.ts';

export * from './audit-text.ts';

/**
 * The hash of an entry, in hex: SHA-256 of its canonical JSON (RFC 8785) together with the hash of the one before it, so that
 * changing, removing or adding one changes all hashes after it.
 */
export function hashOfEntry(entry: ChainedEntry, previous: string): string {
  return hashInPlace(textOfEntry(entry), entry, previous);
}

export function hashInPlace(text: EntryText, place: ChainPlace, previous: string): string {
  return sha256(textInPlace(text, place, previous));
}

/** SHA-256 of a text, in hex. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');
