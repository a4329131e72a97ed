import { z } from 'zod';
import type { DeclaredOperation } from './document.ts';

const declarationSchema = z
  .strictObject({ since: z.iso.date(), sunset: z.iso.date().optional() })
  .refine(({ since, sunset }) => sunset === undefined || sunset > since, 'the sunset has to come after');

/**
 * The headers by which an operation with `x-deprecated: {since, sunset}` warns its clients: `Deprecation` (RFC 9745), and `Sunset`
 * (RFC 8594) once it is known when the operation goes.
 * @throws Error when the declaration says what cannot be
 */
export function deprecationHeadersOf({ path, method, operation }: DeclaredOperation): Record<string, string> {
  const { 'x-deprecated': said } = operation;
  if (said === undefined) return {};
  const result = declarationSchema.safeParse(said);
  if (!result.success)
    throw new Error(
      `${method.toUpperCase()} ${path} has no valid x-deprecated: ${result.error.issues[0]?.message}`,
    );
  const { since, sunset } = result.data;
  return {
    deprecation: `@${new Date(since).getTime() / 1_000}`,
    ...(sunset !== undefined && { sunset: new Date(sunset).toUTCString() }),
  };
}
