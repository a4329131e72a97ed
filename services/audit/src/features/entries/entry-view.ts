import type { Ref } from '@sluice/contracts';
import type { components } from '../../generated/api.ts';
import type { Entry } from './entries.store.ts';
import { knownTypes } from './audit-types.ts';
import { isUnderstood } from './event.ts';

/** An entry as clients see it (interface, 2.16). */
export function entryView(entry: Entry): components['schemas']['AuditEntry'] {
  return {
    type: entry.type,
    name: knownTypes.get(entry.type)?.name ?? entry.type,
    author: refOf(entry.author_id, entry.author_name),
    user: refOf(entry.user_id, entry.user_name),
    division: refOf(entry.division_id, entry.division_name),
    environment: refOf(entry.environment_id, entry.environment_name),
    deployment: refOf(entry.deployment_id, entry.deployment_name),
    api_key: refOf(entry.api_key_id, entry.api_key_name),
    data: entry.data,
    correlation_id: entry.correlation_id,
    timestamp: entry.occurred_at.toISOString(),
    // a release that came later may understand it
    ...(entry.as_sent !== null && !isUnderstood(entry.as_sent) && { unvalidated: true }),
  };
}

const refOf = <Kind extends number>(id: Kind | null, name: string | null): Ref<Kind> | null =>
  id === null || name === null ? null : { id, name };
