import { eventTypes, type EventTypeName } from '@sluice/contracts';
import { z } from 'zod';
import type { DeclaredOperation } from './document.ts';
import { isForAgents } from './operation-errors.ts';

/**
 * What the audit log tells of an operation, as `x-audit` declares it in the OpenAPI document (interface, 6.3):
 * - the audited type of event that each effect of it is recorded as
 * - a list of them, where it depends on the request which it is, or where one effect is recorded as several
 * - `none`, with the reason in `x-audit-reason`, for what changes nothing of anybody's
 * Every operation of people and their keys has to say so, unless it reads. One that reads says so where reading itself is recorded, as
 * that of a secret is.
 */
export type Audited = { types: readonly [EventTypeName, ...EventTypeName[]] } | { reason: string };

const auditedType = z.custom<EventTypeName>(isAudited, 'it has to name audited types of event, or none');
const auditSchema = z.union([
  z.literal('none'),
  auditedType.transform((type): [EventTypeName] => [type]),
  z.tuple([auditedType], auditedType),
]);

/**
 * Reads an operation's `x-audit`; undefined for one that reads, or is for node agents.
 * @throws Error when it is missing, names what is not recorded, or says `none` without a reason
 */
export function auditOf(declared: DeclaredOperation): Audited | undefined {
  const { path, method, operation } = declared;
  const name = `${method.toUpperCase()} ${path}`;
  const { 'x-audit': said, 'x-audit-reason': reason } = operation;
  if (method === 'get' && said === 'none') throw new Error(`${name} needs no x-audit: a GET changes nothing`);
  if (said === undefined && (method === 'get' || isForAgents(declared))) return undefined;
  const result = auditSchema.safeParse(said);
  if (!result.success) throw new Error(`${name} has no valid x-audit: it says ${JSON.stringify(said)}`);
  if (result.data !== 'none') {
    if (reason !== undefined) throw new Error(`${name} is recorded, and needs no x-audit-reason`);
    return { types: result.data };
  }
  if (typeof reason !== 'string' || reason === '')
    throw new Error(`${name} has x-audit: none, and no x-audit-reason`);
  return { reason };
}

function isAudited(type: unknown): type is EventTypeName {
  return (
    typeof type === 'string' && Object.hasOwn(eventTypes, type) && eventTypes[type as EventTypeName].audit
  );
}
