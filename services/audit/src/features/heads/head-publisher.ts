import { appendFile, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublishedHead, TenantId } from '@sluice/contracts';
import { z } from 'zod';

/** Keeps heads of logs out of the reach of the database's owner, and reads them. */
export interface HeadPublisher {
  /** Resolves when they are stored. */
  publish(heads: readonly PublishedHead[], signal: AbortSignal): Promise<void>;
  /** What was published of a tenant; undefined for what cannot be read. Nothing is said of signatures. */
  publishedOf(tenant: TenantId): AsyncIterable<PublishedHead | undefined>;
  close(): void;
}

const headSchema = z.object({
  tenant_id: z.int().positive(),
  seq: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.string().max(40),
  recorded_at: z.string().max(40),
  signature: z.string().max(1_000),
});

/** A folder with a file for each tenant, to which a line is added for each head. It has to be there for all replicas, or each has its own. */
export function headsInFolder(folder: string): HeadPublisher {
  const fileOf = (tenant: number) => join(folder, `${tenant}.ndjson`);
  return {
    async publish(heads) {
      await mkdir(folder, { recursive: true });
      for (const head of heads)
        // the line before may have ended in its middle, with the machine
        await appendFile(fileOf(head.tenant_id), `\n${JSON.stringify(head)}\n`, { flush: true });
    },

    async *publishedOf(tenant) {
      const file = await open(fileOf(tenant)).catch(unlessMissing);
      if (!file) return;
      try {
        for await (const line of file.readLines()) if (line !== '') yield headOf(line);
      } finally {
        await file.close();
      }
    },

    close() {},
  };
}

/** Each head in all of the places; what one of them lacks, another has. */
export function headsInAll(places: readonly HeadPublisher[]): HeadPublisher {
  return {
    async publish(heads, signal) {
      const kept = await Promise.allSettled(places.map((place) => place.publish(heads, signal)));
      const errors = kept.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
      if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
    },

    async *publishedOf(tenant) {
      for (const place of places) yield* place.publishedOf(tenant);
    },

    close() {
      for (const place of places) place.close();
    },
  };
}

/** What was published as this text; undefined where it is no head. */
export function headOf(text: string): PublishedHead | undefined {
  try {
    return headSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
