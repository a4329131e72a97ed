import { randomUUID } from 'node:crypto';
import { jetstream, jetstreamManager, type ConsumerInfo, type JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { emptyChain, hashOfEntry, type ChainedEntry } from '@sluice/contracts/audit-chain';
import { eventually } from '@sluice/testing';
import { entries, type AuditService, type EventMessage, type Replica } from './audit-service.ts';

/** The durable name of the service's consumer. */
export const consumerName = 'audit';

/** An event of tenant 1, a second after the one before unless it says when. */
export function anEvent(more: Partial<EventMessage> = {}): EventMessage {
  clock += 1_000;
  return {
    id: randomUUID(),
    type: 'division_created',
    occurred_at: new Date(clock).toISOString(),
    tenant_id: 1,
    division: { id: 3, name: 'Payments' },
    environment: null,
    deployment: null,
    author: { id: 7, name: 'Ada' },
    user: null,
    api_key: { id: 9, name: 'key' },
    data: { name: 'Payments' },
    correlation_id: randomUUID(),
    ...more,
  };
}

let clock = Date.parse('2026-03-01T12:00:00.000Z');

export const named = (name: string) => anEvent({ data: { name } });
export const nameOf = ({ data }: { data: unknown }) => (data as { name: string }).name;

/** The names in the data of tenant 1's entries, oldest first. */
export async function namesOf(replica: Replica, token: string): Promise<string[]> {
  return (await entries(replica, token)).items.map(nameOf).reverse();
}

export async function publishAll(on: AuditService, names: readonly string[]): Promise<void> {
  for (const name of names) await on.publish(named(name));
}

/** Checks that entries are chained behind what was last. @returns what is last then */
export function linked(
  entries: readonly (ChainedEntry & { hash: string; prev_hash: string })[],
  last: { seq: number; hash: string } = emptyChain,
) {
  for (const { hash, prev_hash, ...entry } of entries) {
    expect({ seq: entry.seq, prev_hash }).toEqual({ seq: last.seq + 1, prev_hash: last.hash });
    expect(hash).toBe(hashOfEntry(entry, prev_hash));
    last = { seq: entry.seq, hash };
  }
  return last;
}

/** The dead letters, as they came. */
export async function deadLetters({ nats, topology: { streams } }: AuditService): Promise<string[]> {
  const { state } = await (await jetstreamManager(nats)).streams.info(streams.deadLetters.name);
  const stream = await jetstream(nats).streams.get(streams.deadLetters.name);
  const found: string[] = [];
  for (let seq = 1; seq <= state.last_seq; seq++)
    found.push((await stream.getMessage({ seq }))?.string() ?? '');
  return found;
}

/** Publishes the events and waits until they are handled. */
export async function record(on: AuditService, ...events: EventMessage[]): Promise<void> {
  for (const event of events) await on.publish(event);
  await allHandled(on);
}

/** Waits until every event that was published has been handled for good. */
export async function allHandled(on: AuditService): Promise<void> {
  const manager = await managerOf(on);
  await eventually(
    async () => {
      const { state } = await manager.streams.info(on.topology.streams.events.name);
      expect((await consumerState(on)).ack_floor.stream_seq).toBe(state.last_seq);
    },
    { timeoutMs: 60_000 },
  );
}

/** What NATS knows of the service's consumer. */
export async function consumerState(on: AuditService): Promise<ConsumerInfo> {
  return (await managerOf(on)).consumers.info(on.topology.streams.events.name, consumerName);
}

/** Shortens the time after which NATS delivers again what a replica has not acknowledged. */
export async function redeliverAfter(on: AuditService, milliseconds: number): Promise<void> {
  const change = { ack_wait: nanos(milliseconds) };
  await (await managerOf(on)).consumers.update(on.topology.streams.events.name, consumerName, change);
}

/** A request that is made before a lost connection has come back gets no answer: it is made again. */
function managerOf({ nats }: AuditService): Promise<JetStreamManager> {
  return eventually(() => jetstreamManager(nats, { timeout: 500 }));
}

let version = 0;

/** Says what the plan of a tenant allows. */
export async function allowExport(on: AuditService, tenant = 1, allowed = true): Promise<void> {
  const features = { audit_retention_days: 365, audit_export_enabled: allowed };
  const data = { version: ++version, features };
  await record(on, anEvent({ type: 'tenant_features_updated', tenant_id: tenant, data }));
}
