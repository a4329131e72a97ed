import { randomInt } from 'node:crypto';

/** Crockford's base32: no i, l, o and u, which are easily misread. In lower case, since it is part of a domain. */
const crockford = '0123456789abcdefghjkmnpqrstvwxyz';

const adjectives = `
  amber bold brave brisk calm clear crisp deep eager early fair fleet fresh gentle glad grand
  green keen kind light lively lucky mellow mild noble proud quick quiet rapid ready silver
  smooth steady swift warm wide`
  .trim()
  .split(/\s+/);
const nouns = `
  bay beck bridge brook canal cascade cove creek current delta eddy ferry fjord ford gull harbor
  heron inlet lagoon lake lock mill otter pier pond quay rapids reed river shore spring stream
  surf tide wave weir`
  .trim()
  .split(/\s+/);

const pick = (choices: string | readonly string[]) => choices[randomInt(choices.length)] ?? '';
const digits = (count: number) => Array.from({ length: count }, () => pick(crockford)).join('');

/** A deployment's code: 35 bits, so that two hardly ever meet. */
export const newCode = (): string => digits(7);

/** A name for a deployment that was given none, such as `brisk-otter-7k`. */
export const readableName = (): string => `${pick(adjectives)}-${pick(nouns)}-${digits(2)}`;
