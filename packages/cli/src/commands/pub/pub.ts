import type { PubAck } from '@nats-io/jetstream';
import type { MsgHdrs } from '@nats-io/transport-node';
import { withBroker, type Broker, type BrokerFlags } from '../broker/broker.ts';
import { showRequest } from '../broker/dry-run.ts';
import { messageJson } from '@sluice/streams';
import { patienceMs } from '../broker/server-info.ts';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes, notFound } from '@sluice/terminal/errors';
import type { View } from '@sluice/terminal/output';
import { payloads, type PayloadFlags } from './payloads.ts';

interface PubFlags extends BrokerFlags, PayloadFlags {
  deployment?: string;
  header?: string[];
  id?: string;
  ack: boolean;
}

/** what the streams have said */
interface Published {
  subject: string;
  messages: number;
  /** null without acknowledgements */
  stream: string | null;
  /** of the last message */
  sequence: number | null;
  /** messages that the stream had already */
  duplicates: number | null;
}

const view: View<Published> = {
  name: ({ sequence, subject }) => String(sequence ?? subject),
  columns: [],
  fields: ({ subject, messages, stream, sequence, duplicates }) => [
    ['Subject', subject],
    ['Messages', messages],
    ['Stream', stream],
    ['Sequence', sequence],
    ['Duplicates', duplicates],
  ],
};

/** so many acknowledgements are waited for at a time */
const openAtOnce = 64;
/** what a dry run reads, as no broker says its own limit */
const dryBytes = 2 ** 20;
const idHeader = 'Nats-Msg-Id';

export async function publish(
  cli: Cli,
  subject: string,
  message: string | undefined,
  flags: PubFlags,
): Promise<void> {
  if (!/^[^\s.*>]+(\.[^\s.*>]+)*$/.test(subject))
    throw new CliError({
      exitCode: exitCodes.badInput,
      message: `${JSON.stringify(subject)} is no subject for a message.`,
      next: 'write it without spaces and wildcards, such as orders.new',
    });
  const given = (flags.header ?? []).map(headerOf);
  if (cli.options.dryRun) return dryRun(cli, subject, message, flags, given);
  await withBroker(cli, flags.deployment, flags, async (broker) => {
    const mostBytes = broker.connection.info?.max_payload ?? dryBytes;
    const all = payloads(cli, message, flags, mostBytes);
    const headersOf = await headerMaker(given, flags);
    const published = flags.ack
      ? await acknowledged(broker, subject, all, headersOf)
      : await unacknowledged(broker, subject, all, headersOf);
    await cli.output.item(published, view);
  });
}

type Header = readonly [name: string, value: string];

function headerOf(text: string): Header {
  const [, name, value = ''] = /^([!-9;-~]+):\s*(.*)$/.exec(text) ?? [];
  if (name !== undefined) return [name, value];
  throw new CliError({
    exitCode: exitCodes.usage,
    message: `--header: ${JSON.stringify(text)} is no header.`,
    next: 'write it as "Name: value"',
  });
}

/** Makes the headers of a message by its number, from 0 on. */
async function headerMaker(given: readonly Header[], { id, count, lines = false }: PubFlags) {
  const { headers } = await import('@nats-io/transport-node');
  return (at: number): MsgHdrs => {
    const all = headers();
    for (const [name, value] of given) all.append(name, value);
    if (id !== undefined) all.set(idHeader, count > 1 || lines ? `${id}-${at + 1}` : id);
    return all;
  };
}

/** Publishes and waits until each is stored. @throws CliError which says how many are, where not all can be */
export async function acknowledged(
  { connection, place }: Broker,
  subject: string,
  all: AsyncIterable<Uint8Array>,
  headersOf: (at: number) => MsgHdrs,
): Promise<Published> {
  const { jetstream } = await import('@nats-io/jetstream');
  const client = jetstream(connection, { timeout: patienceMs });
  let last: PubAck | undefined;
  let [sent, stored, duplicates] = [0, 0, 0];
  const open: Promise<PubAck>[] = [];
  const settle = async () => {
    const results = await Promise.allSettled(open.splice(0));
    for (const result of results) {
      if (result.status === 'rejected') continue;
      last = result.value;
      stored++;
      if (last.duplicate) duplicates++;
    }
    const failure = results.find((result) => result.status === 'rejected');
    if (failure) throw failure.reason;
  };
  try {
    for await (const payload of all) {
      const answer = client.publish(subject, payload, { headers: headersOf(sent++) });
      // it can fail while input is waited for
      answer.catch(() => undefined);
      open.push(answer);
      if (open.length >= openAtOnce) await settle();
    }
    await settle();
  } catch (error) {
    // what is on its way is stored or not, also after an error
    await settle().catch(() => undefined);
    throw failed(place, subject, stored, error);
  }
  return { subject, messages: stored, stream: last?.stream ?? null, sequence: last?.seq ?? null, duplicates };
}

/** Why a message is not stored, where some before it are. */
function failed(place: string, subject: string, stored: number, reason: unknown): unknown {
  const isUntaken = reason instanceof Error && reason.name === 'JetStreamNotEnabled';
  if (stored === 0 && isUntaken)
    return notFound(
      `No stream of ${place} takes the subject ${subject}.`,
      `sluice streams create <stream> ${place} --subjects ${subject}, or pass --no-ack`,
    );
  if (stored === 0) return reason;
  return new CliError({
    exitCode: exitCodes.partlyApplied,
    message: `${stored} messages are stored, and then one is not: ${(reason as Error).message.replace(/\.$/, '')}.`,
    next: 'with --id the command can be run again: what is stored is not stored twice',
  });
}

async function unacknowledged(
  { connection }: Broker,
  subject: string,
  all: AsyncIterable<Uint8Array>,
  headersOf: (at: number) => MsgHdrs,
): Promise<Published> {
  let messages = 0;
  for await (const payload of all) {
    connection.publish(subject, payload, { headers: headersOf(messages++) });
    if (messages % openAtOnce === 0) await connection.flush();
  }
  await connection.flush();
  return { subject, messages, stream: null, sequence: null, duplicates: null };
}

async function dryRun(
  cli: Cli,
  subject: string,
  message: string | undefined,
  flags: PubFlags,
  given: readonly Header[],
): Promise<void> {
  const { places } = await cli.session();
  const { path: place } = await places.find('deployment', flags.deployment);
  const headersOf = await headerMaker(given, flags);
  const headers = Object.fromEntries(headersOf(0));
  for await (const data of payloads(cli, message, flags, dryBytes)) {
    const { data: text, data_base64 } = messageJson({ subject, time: '', headers, data });
    await showRequest(cli, { place }, { subject, headers, body: text ?? { base64: data_base64 } });
  }
}
