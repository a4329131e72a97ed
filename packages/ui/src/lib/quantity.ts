const prefixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];

/** `1.5 MiB` */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), prefixes.length - 1);
  const value = bytes / 1024 ** step;
  return `${step === 0 ? value : value.toPrecision(3)} ${prefixes[step]}B`;
}

/** `12,345`. Not by `Intl`, whose first use takes a phone 50 ms. */
export const formatCount = (count: number): string =>
  String(count).replaceAll(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');

/** `1 node`, `2 nodes` */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
