import type { Cli } from '../../cli.ts';
import { first } from '@sluice/terminal/options';
import { requireLines } from '../entries/endless.ts';
import type { View } from '@sluice/terminal/output';
import { followLayers, type Told } from './layers.ts';

interface EventFlags {
  follow?: boolean;
  limit?: number;
  kind?: string[];
}

const view: View<Told> = { name: (told) => `${told.layer}`, columns: [] };

export async function events(
  cli: Cli,
  { follow = false, limit = follow ? undefined : 1, kind }: EventFlags,
): Promise<void> {
  if (follow) requireLines(cli, '--follow');
  const isWanted = (told: Told) => told.type === 'reset' || !kind || kind.includes(told.kind);
  const ended = new AbortController();
  const signal = AbortSignal.any([cli.signal, ended.signal]);
  try {
    await show(cli, first(some(followLayers(cli, signal), isWanted), limit));
  } finally {
    ended.abort();
  }
}

async function* some<T>(items: AsyncIterable<T>, isWanted: (item: T) => boolean) {
  for await (const item of items) if (isWanted(item)) yield item;
}

async function show(cli: Cli, all: AsyncIterable<Told>): Promise<void> {
  if (!cli.output.isForPeople) return cli.output.list(all, view);
  for await (const told of all) {
    if (told.type === 'reset') {
      cli.say(`${told.layer}: changes may be missing here (${told.reason}).`);
      continue;
    }
    const { changed_at: at, change, kind, layer } = told;
    const style = change === 'deleted' ? 'red' : change === 'created' ? 'green' : 'dim';
    const places = (['division', 'environment', 'deployment'] as const).flatMap((name) => {
      const id = told[`${name}_id`];
      return id === null || name === kind ? [] : [`${name} ${id}`];
    });
    const what = [kind, ...(told.id === null ? [] : [told.id])].join(' ');
    const where = places.length > 0 ? ` in ${places.join(', ')}` : '';
    await cli.output.raw(`${at} ${layer} ${cli.io.paint(style, change)} ${what}${where}\n`);
  }
}
