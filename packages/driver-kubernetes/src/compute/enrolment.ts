import { createHash } from 'node:crypto';
import type { ApiObject } from './api-object.ts';
import { annotations } from './labels.ts';

/** Marks that tell enrolment tokens from one another. */

export const digestOf = (token: string) => createHash('sha256').update(token).digest('hex').slice(0, 16);

export function tokenIn(secret: ApiObject | undefined): string | undefined {
  const { token } = (secret?.['data'] ?? {}) as { token?: string };
  return token === undefined ? undefined : Buffer.from(token, 'base64').toString();
}

interface Template {
  template?: { metadata?: { annotations?: Record<string, string> } };
}

/** The mark of the token that the node's pod was made with last. */
export function enrolmentIn(statefulSet: ApiObject | undefined): string {
  const spec: Template | undefined = statefulSet?.spec;
  return spec?.template?.metadata?.annotations?.[annotations.enrolment] ?? '';
}
