import { followLogs, listLogLines, paginate, type ListLogLinesData, type StoredLine } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';
import { first } from '@sluice/terminal/options';
import { visible } from '@sluice/terminal/escape';
import type { View } from '@sluice/terminal/output';
import { requireLines } from '../entries/endless.ts';
import { inDeployment, type DeploymentCall } from '../entries/entries.ts';

type Query = NonNullable<ListLogLinesData['query']>;

interface LogFlags extends Pick<Query, 'level' | 'runtime' | 'node'> {
  follow?: boolean;
  since?: Date;
  search?: string;
  limit?: number;
}

const defaultLines = 100;
/** so many are held to be shown oldest first */
const mostLines = 20_000;

export async function logs(
  cli: Cli,
  at: string | undefined,
  { follow = false, since, search, limit, ...filters }: LogFlags,
): Promise<void> {
  if (follow) requireLines(cli, '--follow');
  if ((limit ?? 0) > mostLines)
    throw usageError(`--limit: ${mostLines} lines at most.`, 'take a range with --since');
  const call = await inDeployment(cli, at);
  const query: Query = { ...filters, ...(search !== undefined && { message: search }) };
  const count = limit ?? (since ? mostLines : follow ? 0 : defaultLines);
  const isStreamed = follow && since !== undefined && limit === undefined;
  const now = new Date();
  const stored = isStreamed
    ? []
    : await newest(
        call,
        { ...query, ...(since && { from: since.toISOString() }), to: now.toISOString() },
        count,
      );
  if (!follow) {
    if (stored.length === mostLines) cli.say(`These are the newest ${mostLines} lines.`);
    if (stored.length === 0) cli.say('There is no such line.');
    return show(cli, stored);
  }
  await show(cli, stored);
  const lines = followLogs({
    ...call,
    query,
    since: isStreamed ? since : now,
    onReconnect: ({ detail }) => cli.say(`The stream has broken off: ${detail} It is made again.`),
  });
  await show(cli, lines);
  cli.say('The deployment is deleted.');
}

/** The newest lines, oldest first. */
async function newest(call: DeploymentCall, query: Query, count: number): Promise<StoredLine[]> {
  const found: StoredLine[] = [];
  for await (const line of first(backwards(call, query), count)) found.push(line);
  return found.reverse();
}

/** All lines of a range, newest first: a search of the server may end before the range does. */
async function* backwards(call: DeploymentCall, query: Query): AsyncGenerator<StoredLine, void, undefined> {
  let to: string | undefined = query.to;
  while (to !== undefined) {
    let searchedFrom: string | null = null;
    const read = async (options: Parameters<typeof listLogLines<true>>[0]) => {
      const answer = await listLogLines(options);
      searchedFrom = answer.data.searched_from;
      return answer;
    };
    // lines can be the same
    yield* paginate(read, { ...call, query: { ...query, to } }, { key: (line) => line });
    to = searchedFrom ?? undefined;
  }
}

const view: View<StoredLine> = { name: ({ at }) => at, columns: [] };

/** Lines as a terminal shows them, or as data. */
async function show(cli: Cli, lines: Iterable<StoredLine> | AsyncIterable<StoredLine>): Promise<void> {
  if (!cli.output.isForPeople) return cli.output.list(lines, view);
  for await (const line of lines) {
    const { at, level, node_id: node, runtime, connector_instance_id: instance, message } = line;
    const style = level === 'error' ? 'red' : level === 'warn' ? 'yellow' : 'dim';
    const source = `${runtime}/${node}${instance === null ? '' : `/${instance}`}`;
    const text = message.split('\n').map(visible).join('\n    ');
    await cli.output.raw(`${at} ${cli.io.paint(style, level.padEnd(5))} ${source} ${text}\n`);
  }
}
