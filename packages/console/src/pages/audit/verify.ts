import type { AuditHead } from '@sluice/client';
import {
  entriesOfText,
  followEntries,
  type PlacedEntry,
  type Verified,
} from '@sluice/contracts/audit-proof/anywhere';

export { Broken, type Verified } from '@sluice/contracts/audit-proof/anywhere';

const encoder = new TextEncoder();

/** SHA-256 by WebCrypto, in hex. */
async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', encoder.encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The pieces of a text that comes as bytes. */
export async function* textOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  yield decoder.decode();
}

interface Expected {
  tenantId: number;
  /** heads that the log has to have: that which the service names, and those that were kept */
  heads: readonly AuditHead[];
}

/**
 * Computes the chain of an export anew, by the same program as `sluice audit verify`.
 * @param onProgress with the number of entries so far
 * @throws Broken at the first entry that does not fit, or where a head is not the log's
 */
export async function verifyExport(
  pieces: AsyncIterable<string>,
  { tenantId, heads }: Expected,
  onProgress: (entries: number) => void,
): Promise<Verified> {
  async function* counted(entries: AsyncIterable<PlacedEntry>) {
    let count = 0;
    for await (const entry of entries) {
      yield entry;
      if (++count % 500 === 0) onProgress(count);
    }
  }
  const known = heads.map(({ seq, hash }) => ({ tenant_id: tenantId, seq, hash }));
  const entries = counted(entriesOfText(pieces, 'the export'));
  return await followEntries(entries, { partial: false, heads: known, sha256 });
}

/** The head in a text such as one that was copied from here. @returns undefined for what is none */
export function headIn(text: string): AuditHead | undefined {
  try {
    const { seq, hash } = JSON.parse(text) as Partial<AuditHead>;
    const isHead = Number.isSafeInteger(seq) && typeof hash === 'string' && /^[\da-f]{64}$/.test(hash);
    return isHead ? { seq: seq as number, hash } : undefined;
  } catch {
    return undefined;
  }
}
