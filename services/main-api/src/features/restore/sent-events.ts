import { eventSchema, rightsEventTypes, type Event, type Topology } from '@sluice/contracts';
import { knownMessages, PermanentError, type SenderOf, type SentPosition } from '@sluice/messaging';
import type { Log, Sql } from '@sluice/service';
import { JetStreamApiCodes, JetStreamApiError, jetstreamManager, type StoredMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

export interface SentEventsOptions {
  database: Sql;
  nats: NatsConnection;
  topology: Topology;
  /** finds the sender of a message */
  senderOf: SenderOf;
  log: Log;
}

type Known = Pick<SentPosition, 'stream_created' | 'sequence' | 'message_id'>;

/** events whose ids are looked up at a time */
const batchSize = 500;

/**
 * Hands on the events about rights that main-api has sent since the copy that its database was restored from, in their order: those that
 * stand in the stream after what the copy knows, and that the database does not know.
 * @param known up to where the copy knows the stream; null: it knows none of it
 * @returns whether these are all of them, each understood
 * @throws Error when NATS does not answer
 */
export async function readEventsSince(
  options: SentEventsOptions,
  known: Known | null,
  take: (event: Event) => void,
): Promise<boolean> {
  const { nats, topology } = options;
  const stream = topology.streams.events.name;
  const { streams } = await jetstreamManager(nats, { checkAPI: false, timeout: 5_000 });
  const { created, state } = await streams.info(stream);
  const continues = known?.stream_created === created;
  const after = continues ? known.sequence : 0;
  const get = (seq: number, subject?: string) => found(streams.getMessage(stream, queryOf(seq, subject)));

  let isWhole = await hasAllSince(get, known, continues, state.first_seq);
  let batch: StoredMsg[] = [];
  const takeBatch = async () => {
    if (!(await takeUnknown(options, batch, take))) isWhole = false;
    batch = [];
  };
  for await (const message of inOrder(get, topology, after, state.last_seq))
    if (batch.push(message) === batchSize) await takeBatch();
  await takeBatch();
  return isWhole;
}

async function hasAllSince(
  get: (seq: number) => Promise<StoredMsg | undefined>,
  known: Known | null,
  continues: boolean,
  first: number,
): Promise<boolean> {
  if (!known) return first <= 1;
  if (!continues) return false;
  // a stream that was restored as well may end before, and other messages have got these places since
  const last = await get(known.sequence);
  return last ? last.header.get('Nats-Msg-Id') === known.message_id : first === known.sequence + 1;
}

/** The client's types lack the second, which the server has known since 2.2. */
const queryOf = (seq: number, next_by_subj?: string) => ({ seq, ...(next_by_subj && { next_by_subj }) });

async function found(asking: Promise<StoredMsg | null>): Promise<StoredMsg | undefined> {
  try {
    return (await asking) ?? undefined;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.NoMessageFound)
      return undefined;
    throw error;
  }
}

/** The messages of the types that matter, of all tenants: one is read ahead of each type. */
async function* inOrder(
  get: (seq: number, subject: string) => Promise<StoredMsg | undefined>,
  { subjects }: Topology,
  after: number,
  last: number,
): AsyncGenerator<StoredMsg> {
  const ofTypes = rightsEventTypes.map((type) => subjects.eventsOf('main-api', type));
  const heads = new Map<string, StoredMsg>();
  const advance = async (subject: string, seq: number) => {
    const next = seq > last ? undefined : await get(seq, subject);
    if (next && next.seq <= last) heads.set(subject, next);
    else heads.delete(subject);
  };
  for (const subject of ofTypes) await advance(subject, after + 1);
  while (heads.size > 0) {
    const [subject, message] = [...heads].reduce((one, other) => (other[1].seq < one[1].seq ? other : one));
    yield message;
    await advance(subject, message.seq + 1);
  }
}

/** @returns whether all of them were understood */
async function takeUnknown(
  { database, senderOf, log }: SentEventsOptions,
  messages: readonly StoredMsg[],
  take: (event: Event) => void,
): Promise<boolean> {
  const ids = messages.map(({ header }) => header.get('Nats-Msg-Id')).filter((id) => isUuid.test(id));
  const known = new Set(await knownMessages(database, ids));
  let isUnderstood = true;
  for (const message of messages) {
    const { subject, header: headers, time, data, seq } = message;
    if (known.has(headers.get('Nats-Msg-Id'))) continue;
    try {
      await senderOf({ subject, headers, time, data, json: <T>() => message.json<T>() });
      take(eventSchema.parse(message.json()));
    } catch (error) {
      // what main-api cannot have sent is no evidence, and none is missing for it
      if (!(error instanceof PermanentError)) isUnderstood = false;
      log.error('an event in the stream cannot be used as evidence', { sequence: seq, error });
    }
  }
  return isUnderstood;
}

const isUuid = /^[0-9a-f-]{36}$/;
