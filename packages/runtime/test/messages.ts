import { idOf, type DivisionId, type TenantId, type UserId } from '@sluice/contracts';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { eventually } from '@sluice/testing';
import type { Consumer, Envelope, Outgoing } from '@sluice/messaging';
import type { RuntimeConsumerOptions } from '@sluice/runtime';
import type { Origin, Sql } from '@sluice/service';
import type { WidgetService } from './widget-service.ts';

/** What tests of messages do with a widget service: send, look at what NATS has stored, consume. */

export const origin: Origin = {
  cause: { author: { id: idOf<UserId>(7), name: 'Ada' }, api_key: null, correlation_id: null },
};

/** Inserts a widget and tells of it, in one unit of work. */
export async function make(widgets: WidgetService, name: string): Promise<void> {
  await widgets.work(origin, async (tx) => {
    await tx.query('INSERT INTO widgets (name) VALUES ($1)', [name]);
    emitNamed(tx, name);
  });
}

/** Emits an event that `namesOf` tells by its name; those of one tenant share their ordering key. */
export function emitNamed(tx: Outgoing, name: string, tenant = 1): void {
  const about = { tenant_id: idOf<TenantId>(tenant), division: { id: idOf<DivisionId>(3), name } };
  tx.emit('division_created', about, { name });
}

interface NamedEvent {
  tenant_id: number;
  data: { name: string };
}

/** All events that NATS has stored, in its order. */
export async function storedEvents({ runtime: { nats, topology } }: WidgetService): Promise<NamedEvent[]> {
  const { state } = await (await jetstreamManager(nats)).streams.info(topology.streams.events.name);
  const stream = await jetstream(nats).streams.get(topology.streams.events.name);
  const events: NamedEvent[] = [];
  for (let seq = Math.max(state.first_seq, 1); seq <= state.last_seq; seq++) {
    const message = await stream.getMessage({ seq });
    if (message) events.push(message.json());
  }
  return events;
}

/** The names of all stored events; with `tenant`, of its events only. */
export async function namesOf(widgets: WidgetService, tenant?: number): Promise<string[]> {
  return (await storedEvents(widgets))
    .filter(({ tenant_id }) => tenant === undefined || tenant_id === tenant)
    .map(({ data }) => data.name);
}

export type Handle = (message: Envelope, tx: Sql & Outgoing) => Promise<void>;

export async function consume(
  { runtime, work }: WidgetService,
  handle: Handle,
  more: Partial<RuntimeConsumerOptions<Sql>> = {},
): Promise<Consumer<Sql>> {
  const stream = runtime.topology.streams.events;
  return runtime.consume({ stream, name: 'reader', work, handle, ...more });
}

export const nameOf = (message: Envelope) => (message['data'] as { name: string }).name;

/** An effect that is had as often as this runs. */
export async function sight(message: Envelope, tx: Sql): Promise<void> {
  await tx.query('INSERT INTO sightings (name) VALUES ($1)', [nameOf(message)]);
}

/** What has been sighted, in the order in which it was. */
export async function sighted({ runtime }: WidgetService): Promise<string[]> {
  const { rows } = await runtime.pool.query<{ name: string }>('SELECT name FROM sightings ORDER BY id');
  return rows.map(({ name }) => name);
}

/** The first dead letter, or another one, once it is there. */
export async function deadLetter({ runtime: { nats, topology } }: WidgetService, seq = 1) {
  const stream = await jetstream(nats).streams.get(topology.streams.deadLetters.name);
  return eventually(async () => {
    const message = await stream.getMessage({ seq });
    if (!message) throw new Error('there is no dead letter yet');
    return message;
  });
}
