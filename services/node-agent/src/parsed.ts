import type { z } from 'zod';

/** What a file of the node holds; null where there is none, or it is damaged or half written. */
export function parsed<T>(schema: z.ZodType<T>, text: string | null): T | null {
  try {
    return text === null ? null : schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
