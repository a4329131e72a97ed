import { usageError } from '@sluice/terminal/errors';

/** By the name that Commander keeps an option under the field that it sets; `*` marks one that is required. */
export type FieldTable = Readonly<Record<string, string>>;

/** `peerVpcId` is `--peer-vpc-id`. */
const flagOf = (option: string): string =>
  `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * Fields of a request from options of which each kind takes others.
 * @param title such as `peering on cloud_a`
 * @throws CliError 2 for an option that is lacking, or is of another kind
 */
export function fieldsOf(
  title: string,
  table: FieldTable,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const options = Object.entries(given).filter(([, value]) => value !== undefined);
  const foreign = options.find(([option]) => table[option] === undefined);
  if (foreign)
    throw usageError(
      `A ${title} has no ${flagOf(foreign[0])}.`,
      `it takes ${Object.keys(table).map(flagOf).join(', ')}`,
    );
  const lacking = Object.keys(table).filter(
    (option) => table[option]?.endsWith('*') && given[option] === undefined,
  );
  if (lacking.length > 0) throw usageError(`A ${title} needs ${lacking.map(flagOf).join(', ')}.`);
  return Object.fromEntries(
    options.map(([option, value]) => [(table[option] ?? '').replace('*', ''), value] as const),
  );
}
