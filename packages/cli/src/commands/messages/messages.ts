import { withStreams, type BrokerFlags } from '../broker/broker.ts';
import { messageView, previewed } from '../broker/message-view.ts';
import { sizeOf } from '../broker/quantities.ts';
import { position, rangeOf, type RangeFlags } from '../broker/positions.ts';
import { messageJson, newestMessages, readMessage, storedMessages, type MessageQuery } from '@sluice/streams';
import type { Cli } from '../../cli.ts';
import { notFound, usageError } from '@sluice/terminal/errors';
import { writeSecretFile } from '../../files.ts';
import { first } from '@sluice/terminal/options';
import { visibleJson } from '@sluice/terminal/escape';

interface SelectFlags extends BrokerFlags, RangeFlags {
  subject?: string;
}

/** a list is for people: more is exported */
const mostListed = 10_000;
/** bytes of payloads */
const mostHeld = 64 * 2 ** 20;

export async function list(
  cli: Cli,
  name: string,
  at: string | undefined,
  { limit, subject, ...flags }: SelectFlags & { limit: number },
): Promise<void> {
  if (limit > mostListed)
    throw usageError(`--limit: ${mostListed} at most.`, 'sluice messages export has no limit');
  await withStreams(cli, at, flags, async (broker) => {
    const stream = await broker.manager.streams.info(name);
    const range = { ...(await rangeOf(broker, stream, flags)), ...(subject !== undefined && { subject }) };
    // where they begin: their payloads are not held
    const [newest] = flags.from === undefined ? await newestMessages(broker, stream, range, limit, 0) : [];
    const start = flags.from === undefined ? (newest?.sequence ?? range.last + 1) : range.first;
    const found = storedMessages(broker, stream, { ...range, first: start });
    const shown = cli.output.isForPeople ? previewed : <T>(message: T) => message;
    const isHeld = !cli.output.isForPeople && cli.options.output !== 'ndjson';
    async function* messages() {
      let bytes = 0;
      for await (const message of first(found, limit)) {
        bytes += message.data.length;
        if (isHeld && bytes > mostHeld)
          throw usageError(
            `These messages have more than ${sizeOf(mostHeld)}, which this format holds in memory.`,
            'use -o ndjson, or sluice messages export',
          );
        yield shown(messageJson(message));
      }
    }
    await cli.output.list(messages(), messageView);
  });
}

export async function get(
  cli: Cli,
  name: string,
  which: string,
  at: string | undefined,
  { subject, raw = false, ...flags }: BrokerFlags & { subject?: string; raw?: boolean },
): Promise<void> {
  const query = queryOf(which, subject);
  await withStreams(cli, at, flags, async (broker) => {
    const message = await readMessage(broker, name, query);
    if (message === null) {
      const { state } = await broker.manager.streams.info(name);
      throw notFound(
        `There is no such message in the stream ${name} of ${broker.place}: ${state.messages === 0 ? 'it is empty' : `it has ${state.first_seq} to ${state.last_seq}`}.`,
        `sluice messages list ${name} ${broker.place}`,
      );
    }
    if (!raw) return cli.output.item(messageJson(message), messageView);
    await cli.output.pieces(pieceOf(message.data));
  });
}

async function* pieceOf(data: Uint8Array) {
  yield data;
}

function queryOf(which: string, subject: string | undefined): MessageQuery {
  const next_by_subj = subject ?? '>';
  if (which === 'last') return { last_by_subj: next_by_subj };
  if (which === 'first') return { seq: 1, next_by_subj };
  let place;
  try {
    place = position(which);
  } catch {
    throw usageError(`${JSON.stringify(which)} is no message.`, 'give a sequence, first, last or a time');
  }
  if (typeof place === 'number') return { seq: place, ...(subject !== undefined && { next_by_subj }) };
  return { start_time: place.toISOString(), next_by_subj };
}

export async function exportMessages(
  cli: Cli,
  name: string,
  at: string | undefined,
  { out, subject, ...flags }: SelectFlags & { out?: string },
): Promise<void> {
  await withStreams(cli, at, flags, async (broker) => {
    const stream = await broker.manager.streams.info(name);
    const range = { ...(await rangeOf(broker, stream, flags)), ...(subject !== undefined && { subject }) };
    let count = 0;
    async function* lines() {
      for await (const message of storedMessages(broker, stream, range)) {
        yield Buffer.from(`${visibleJson(JSON.stringify(messageJson(message)))}\n`);
        count++;
      }
    }
    if (out === undefined) await cli.output.pieces(lines());
    else await writeSecretFile(out, lines());
    cli.say(
      `${count} messages of the stream ${name} of ${broker.place}${out === undefined ? '' : ` are in ${out}`}.`,
    );
  });
}
