import { eventTypes } from '@sluice/contracts';
import type { components } from '../../generated/api.ts';

type EventType = (typeof eventTypes)[keyof typeof eventTypes];

/** By their slug. One that is not here comes from a newer version of another service, during an upgrade. */
export const knownTypes: ReadonlyMap<string, EventType> = new Map(Object.entries(eventTypes));

/** The types of event that are recorded, with their labels. */
export const auditTypes: components['schemas']['AuditType'][] = [...knownTypes]
  .filter(([, { audit }]) => audit)
  .map(([type, { name }]) => ({ type, name }));

export const isAuditType = (type: string) => knownTypes.get(type)?.audit === true;
