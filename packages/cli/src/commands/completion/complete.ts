import type { JetStreamManager } from '@nats-io/jetstream';
import { script } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { visible } from '@sluice/terminal/escape';
import type { PlaceKind } from '../../places.ts';

/** how long names may take: a shell waits for them */
const patienceMs = 2_000;

/** Writes the script that asks `complete` for what can come next. */
export function scriptFor(shell: string): string {
  const lines: string[] = [];
  const { log } = console;
  // the library prints it
  console.log = (text: string) => void lines.push(text);
  try {
    script(shell, 'sluice', 'sluice');
  } finally {
    console.log = log;
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Writes what can come next on a command line, for the script of a shell.
 * @param program with the commands of the chosen noun
 * @param words those after `sluice`, the last one begun
 */
export async function complete(cli: Cli, program: Command, words: readonly string[]): Promise<void> {
  const root = tab(program);
  const operands = words.slice(0, -1).filter((word) => !word.startsWith('-'));
  const isChosen = (path: string) => path.split(' ').every((name, at) => name === operands[at]);
  const chosen = [...root.commands.values()]
    .filter(({ value }) => isChosen(value))
    .sort((one, other) => other.value.length - one.value.length)[0];
  // the library's own commands
  for (const path of root.commands.keys()) if (/^complete\b/.test(path)) root.commands.delete(path);
  for (const [name, option] of root.options) chosen?.options.set(name, option);
  const before = words.at(-2) ?? '';
  for (const [name, option] of (chosen ?? root).options) {
    const names = before === `--${name}` ? await namesFor(cli, name) : undefined;
    if (names) option.handler = (add) => names.forEach((value) => add(value, ''));
  }
  for (const [name, argument] of before.startsWith('--') ? [] : (chosen?.arguments ?? [])) {
    const names = await namesFor(cli, chosen?.value.startsWith('context ') ? 'context' : name, operands);
    if (names) argument.handler = (add) => names.forEach((value) => add(value, ''));
  }
  root.parse([...words]);
}

/** Names of what an option or an argument takes. @returns undefined where it takes no names; none where they cannot be read */
async function namesFor(
  cli: Cli,
  name: string,
  operands: readonly string[] = [],
): Promise<string[] | undefined> {
  if (name === 'context') return (await (await cli.contexts()).list()).map((context) => context.name);
  if (name === 'operation') return (await import('../../operations.ts')).allOperations.map(({ id }) => id);
  if (name === 'place') return placesOf(cli, ['division', 'environment', 'deployment']);
  if (['division', 'environment', 'deployment'].includes(name)) return placesOf(cli, [name as PlaceKind]);
  if (name === 'stream') return namesAtBroker(cli, ({ streams }) => streams.names());
  // of the stream before it
  if (name === 'consumer')
    return namesAtBroker(cli, (manager) => consumersOf(manager, operands.at(-1) ?? ''));
  return undefined;
}

async function* consumersOf({ consumers }: JetStreamManager, stream: string): AsyncGenerator<string> {
  for await (const { name } of consumers.list(stream)) yield name;
}

/** Names at the broker of the place that the context has, or of the only one. */
async function namesAtBroker(
  cli: Cli,
  list: (manager: JetStreamManager) => AsyncIterable<string>,
): Promise<string[]> {
  const [{ withStreams }, { openSession }] = await Promise.all([
    import('../broker/broker.ts'),
    import('../../session.ts'),
  ]);
  const quiet = { ...cli, signal: AbortSignal.timeout(patienceMs), say: () => {} };
  const opened = openSession(quiet);
  try {
    return await withStreams({ ...quiet, session: () => opened }, undefined, {}, async ({ manager }) => {
      const names = [];
      for await (const name of list(manager)) names.push(visible(name));
      return names;
    });
  } catch {
    return [];
  }
}

async function placesOf(cli: Cli, kinds: readonly PlaceKind[]): Promise<string[]> {
  const { openSession } = await import('../../session.ts');
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const { places } = await openSession({ ...cli, signal, say: () => {} });
    const found = await Promise.all(kinds.map((kind) => places.list(kind)));
    return found.flat().map(({ path }) => visible(path));
  } catch {
    return [];
  }
}
