import { Gauge, type Registry } from '@prometheus-io/client';

/** How a gauge is called. */
export interface Figure {
  name: string;
  help: string;
  labelNames?: readonly string[];
}

/** What a gauge shows: one number, or one for each set of labels. */
export type FigureValue = number | readonly { labels: Record<string, string>; value: number }[];

/** for how long a reading is reused, in milliseconds: several scrape, and each replica is scraped */
const keptMilliseconds = 5_000;

/**
 * Gauges that are read together, when they are asked for, and not more often than every five seconds. What cannot be read is left out at
 * all: the number of before would be taken for the one of now, and a 0 for a good sign.
 * @param kept milliseconds for which a reading is reused
 */
export function figures<Key extends string>(
  registry: Registry,
  gauges: Readonly<Record<Key, Figure>>,
  read: () => Promise<Record<Key, FigureValue>>,
  kept = keptMilliseconds,
): void {
  let latest: { at: number; values: Promise<Record<Key, FigureValue> | undefined> } | undefined;
  const values = () => {
    if (!latest || performance.now() - latest.at >= kept)
      latest = { at: performance.now(), values: read().catch(() => undefined) };
    return latest.values;
  };
  for (const key of Object.keys(gauges) as Key[]) {
    const { labelNames = [], ...figure } = gauges[key];
    new Gauge({
      ...figure,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        show(this, (await values())?.[key], labelNames.length > 0);
      },
    });
  }
}

function show(gauge: Gauge<string>, value: FigureValue | undefined, isLabelled: boolean): void {
  if (typeof value === 'number') return gauge.set(value);
  // reset, it would show 0
  if (!isLabelled) return gauge.remove();
  gauge.reset();
  for (const one of value ?? []) gauge.set(one.labels, one.value);
}
