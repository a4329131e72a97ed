import type { Change } from './changes.store.ts';

/** Changes may be missing: the client has to read again what it shows. */
export interface Reset {
  reset: 'unknown_id' | 'too_old' | 'too_many' | 'too_slow' | 'rights_changed';
}

export const resetEvent = (reason: Reset['reset'], id: string): string =>
  `event: reset\nid: ${id}\ndata: ${JSON.stringify({ reason })}\n\n`;

/** Of several changes of an object the last one, as what they are together. */
export function latestOfEach(changes: readonly Change[]): Change[] {
  const latest = new Map<string, Change>();
  for (const change of changes) {
    const name = `${change.kind} ${change.object_id} ${change.deployment_id}`;
    const before = latest.get(name);
    const isNew = before?.change === 'created' && change.change === 'updated';
    latest.delete(name);
    latest.set(name, isNew ? { ...change, change: 'created' } : change);
  }
  return [...latest.values()];
}

/** The id comes with the last event: a client that has not got so far begins before the first one again. */
export function textOfChanges(changes: readonly Change[], id: string): string {
  const events = changes.map((change) => `event: change\ndata: ${JSON.stringify(view(change))}\n`);
  return events.length === 0 ? '' : `${events.join('\n')}id: ${id}\n\n`;
}

const view = ({ kind, object_id, change, revision, changed_at, ...place }: Change) => ({
  kind,
  id: object_id,
  change,
  revision,
  division_id: place.division_id,
  environment_id: place.environment_id,
  deployment_id: place.deployment_id,
  changed_at: new Date(changed_at).toISOString(),
});
