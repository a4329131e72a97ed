/** The ranges that charts can show, as they stand in addresses. */
export const metricRanges = ['1h', '6h', '24h', '7d', '30d'] as const;
export type MetricRange = (typeof metricRanges)[number];

const hourMs = 3_600_000;

const lengths: Record<MetricRange, number> = {
  '1h': hourMs,
  '6h': 6 * hourMs,
  '24h': 24 * hourMs,
  '7d': 168 * hourMs,
  '30d': 720 * hourMs,
};

export const rangeNames: Record<MetricRange, string> = {
  '1h': 'Last hour',
  '6h': 'Last 6 hours',
  '24h': 'Last day',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};

/** The times that a range is about, until now. */
export const timesOf = (range: MetricRange, now: Date): { from: string; to: string } => ({
  from: new Date(now.getTime() - lengths[range]).toISOString(),
  to: now.toISOString(),
});

/** How often the numbers of a range are worth reading again: samples come every half minute, summed-up ones every five minutes. */
export const refreshOf = (range: MetricRange): number => (lengths[range] > 6 * hourMs ? 300_000 : 30_000);
