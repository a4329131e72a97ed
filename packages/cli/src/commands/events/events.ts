import type { Cli } from '../../cli.ts';
import { first } from '@sluice/terminal/options';
import { requireLines } from '../entries/endless.ts';
import type { View } from '@sluice/terminal/output';
import { followLayers, type LayerChange } from './layers.ts';

interface EventFlags {
  follow?: boolean;
  limit?: number;
  kind?: string[];
}

const view: View<LayerChange> = { name: (change) => `${change.layer}`, columns: [] };

export async function events(
  cli: Cli,
  { follow = false, limit = follow ? undefined : 1, kind }: EventFlags,
): Promise<void> {
  if (follow) requireLines(cli, '--follow');
  const isWanted = (change: LayerChange) => change.type === 'reset' || !kind || kind.includes(change.kind);
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

async function show(cli: Cli, all: AsyncIterable<LayerChange>): Promise<void> {
  if (!cli.output.isForPeople) return cli.output.list(all, view);
  for await (const one of all) {
    if (one.type === 'reset') {
      cli.say(`${one.layer}: changes may be missing here (${one.reason}).`);
      continue;
    }
    const { changed_at: at, change, kind, layer } = one;
    const style = change === 'deleted' ? 'red' : change === 'created' ? 'green' : 'dim';
    const places = (['division', 'environment', 'deployment'] as const).flatMap((name) => {
      const id = one[`${name}_id`];
      return id === null || name === kind ? [] : [`${name} ${id}`];
    });
    const what = [kind, ...(one.id === null ? [] : [one.id])].join(' ');
    const where = places.length > 0 ? ` in ${places.join(', ')}` : '';
    await cli.output.raw(`${at} ${layer} ${cli.io.paint(style, change)} ${what}${where}\n`);
  }
}
