import type { Labels } from '@sluice/contracts';

export { changeOf, changesTo } from '@sluice/service';

/** Compares a locked row with the `If-Match` of the request. @throws Problem `changed_meanwhile` */
export type Check<Row> = (row: Row) => void;

/** The labels of something new, as its event has them. */
export const labelsOf = ({ labels }: { labels: Labels }) =>
  Object.keys(labels).length > 0 ? { labels } : {};

/** A document as it is stored: what is null in it is left out. */
export const withoutNulls = <Value>(given: Value): Value =>
  JSON.parse(JSON.stringify(given, (_, value: unknown) => value ?? undefined)) as Value;
