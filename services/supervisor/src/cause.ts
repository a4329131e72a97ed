import type { Cause } from '@sluice/contracts';
import { correlationId, type Call } from '@sluice/service-kit';

/** On whose behalf a request changes something. */
export function causeOf({ principal, context }: Pick<Call, 'principal' | 'context'>): Cause {
  return {
    author: principal.user,
    api_key: principal.apiKey,
    correlation_id: correlationId(context),
  };
}
