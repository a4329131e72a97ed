import type { TenantId } from '@sluice/contracts';
import { firstAfter, queryInstant, type QueryOf } from '@sluice/http';
import { problem, type Problem } from '@sluice/service';
import type { operations } from '../../generated/api.ts';
import type { EntryFilter } from '../audit-log/entry-filter.ts';
import { isAuditType } from './audit-types.ts';

/**
 * Reads the filters of a query (interface, 4.15).
 * @throws Problem `invalid_request` for what the OpenAPI document cannot rule out
 */
export function filterOf(
  tenant: TenantId,
  query: Omit<QueryOf<operations['listAuditEntries']>, 'q'>,
): EntryFilter {
  const { author, user, division, environment, deployment, types, correlation_id: correlationId } = query;
  const from = query.from === undefined ? undefined : queryInstant('from', query.from);
  const to = query.to === undefined ? undefined : queryInstant('to', query.to);
  if (from && to && from > to) throw badParameter('from', 'too_large', 'must not be later than `to`');
  const after = query.after === undefined ? undefined : firstAfter('after', query.after);
  const before = query.before === undefined ? undefined : queryInstant('before', query.before);
  for (const type of types ?? []) checkType(type);
  const time = { from: later(from, after), to: earlier(to, before) };
  return { tenant, ...time, author, user, division, environment, deployment, types, correlationId };
}

function checkType(type: string): void {
  if (type === '') throw badParameter('types', 'empty', 'has an empty element');
  if (!isAuditType(type)) {
    throw badParameter('types', 'not_allowed', `'${type}' is not a type of /audit/types`);
  }
}

const later = (one: Date | undefined, other: Date | undefined) =>
  one && other ? (one > other ? one : other) : (one ?? other);
const earlier = (one: Date | undefined, other: Date | undefined) =>
  one && other ? (one < other ? one : other) : (one ?? other);

export function badParameter(parameter: string, code: string, message: string): Problem {
  return problem('invalid_request', { fieldIssues: [{ path: `/query/${parameter}`, code, message }] });
}
