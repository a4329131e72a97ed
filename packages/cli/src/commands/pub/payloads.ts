import type { Cli } from '../../cli.ts';
import { CliError, exitCodes, usageError } from '@sluice/terminal/errors';
import { openInput } from '../../files.ts';
import { sizeOf } from '../broker/quantities.ts';

export interface PayloadFlags {
  file?: string;
  lines?: boolean;
  count: number;
}

/** The payloads of a command line, one after the other. @throws CliError where there is none, or one is larger than the broker takes */
export async function* payloads(
  cli: Cli,
  message: string | undefined,
  { file, lines = false, count }: PayloadFlags,
  mostBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (message !== undefined && (file !== undefined || lines))
    throw usageError('The message is given twice.', 'pass it, or --file, or stdin');
  if (message === undefined && file === undefined && cli.io.stdin.isTTY)
    throw usageError('What is published?', 'pass a message or --file, or send it to stdin');
  const input = message === undefined ? openInput(cli, file ?? '-', '--file') : [Buffer.from(message)];
  if (lines) {
    if (count !== 1) throw usageError('--count and --lines cannot be combined.');
    return yield* linesOf(input, mostBytes);
  }
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of input) {
    pieces.push(piece);
    length += piece.length;
    if (length > mostBytes) throw tooLarge(mostBytes);
  }
  if (message === undefined && file === undefined && length === 0)
    throw usageError('stdin is empty.', "pass '' as the message to publish an empty one");
  const payload = Buffer.concat(pieces);
  for (let published = 0; published < count; published++) yield payload;
}

async function* linesOf(input: AsyncIterable<Buffer> | Iterable<Buffer>, mostBytes: number) {
  let rest = Buffer.alloc(0);
  for await (const piece of input) {
    rest = Buffer.concat([rest, piece]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield checked(rest.subarray(0, rest[end - 1] === 13 ? end - 1 : end), mostBytes);
      rest = rest.subarray(end + 1);
    }
    checked(rest, mostBytes);
  }
  if (rest.length > 0) yield checked(rest, mostBytes);
}

function checked(payload: Buffer, mostBytes: number): Buffer {
  if (payload.length > mostBytes) throw tooLarge(mostBytes);
  return payload;
}

const tooLarge = (mostBytes: number) =>
  new CliError({
    exitCode: exitCodes.badInput,
    message: `The broker takes messages of ${sizeOf(mostBytes)} at most.`,
    next: 'BROKER_MESSAGE_MAX_SIZE of its configuration sets that',
  });
