/** Where to begin: a sequence, or a time. */
export type Position = { sequence: number } | { time: Date };

/** Reads `1200`, `2026-03-14`, `2026-03-14T09:26:53Z` or `2h` (ago). @returns undefined for what is none */
export function positionOf(text: string, now = new Date()): Position | undefined {
  const trimmed = text.trim();
  if (/^\d{1,15}$/.test(trimmed)) return { sequence: Number(trimmed) };
  const [, count, unit] = /^(\d{1,6})\s*([smhd])$/.exec(trimmed) ?? [];
  if (count !== undefined) {
    const seconds = { s: 1, m: 60, h: 3600, d: 86_400 }[unit as 's' | 'm' | 'h' | 'd'];
    return { time: new Date(now.getTime() - Number(count) * seconds * 1000) };
  }
  if (!/^\d{4}-\d{2}-\d{2}([T ][\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/.test(trimmed)) return undefined;
  const time = new Date(trimmed);
  return Number.isNaN(time.getTime()) ? undefined : { time };
}
