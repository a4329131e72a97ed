import type { AccessRule, ProtocolRules } from '@sluice/client';

export type Protocol = keyof ProtocolRules;
type Rule = Pick<AccessRule, 'rules' | 'cidr_blocks' | 'valid_to'>;
/** first and last address, as numbers */
type Range = readonly [first: number, last: number];

/** The addresses of an IPv4 block, or of one address; undefined for anything else. */
export function rangeOf(block: string): Range | undefined {
  const found = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\/(\d{1,2}))?$/.exec(block);
  if (!found) return undefined;
  const parts = found.slice(1, 5).map(Number);
  const prefix = Number(found[5] ?? 32);
  if (prefix > 32 || parts.some((part) => part > 255)) return undefined;
  const address = parts.reduce((all, part) => all * 256 + part, 0);
  const size = 2 ** (32 - prefix);
  const first = Math.floor(address / size) * size;
  return [first, first + size - 1];
}

/** A block as the API takes it: one address gets its prefix. */
const blockOf = (text: string): string => (text.includes('/') ? text : `${text}/32`);

/** The blocks of a text in which they stand one per line, or with commas or spaces between. */
export const blocksIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,;]+/)
      .filter((one) => one !== '')
      .map(blockOf),
  ),
];

export const isInForce = ({ valid_to: end }: Pick<Rule, 'valid_to'>, now: Date): boolean =>
  end === null || new Date(end) > now;

export interface Cut {
  block: string;
  protocols: Protocol[];
  /** whether other rules let some of its addresses in */
  isPartial: boolean;
}

/**
 * What is let in by a rule and by no other once the rule is changed, or gone.
 * @param others the rules that stay as they are
 * @param after what the rule becomes; undefined when it is removed
 */
export function cutBy(before: Rule, after: Rule | undefined, others: readonly Rule[], now: Date): Cut[] {
  if (!isInForce(before, now)) return [];
  const left = [...others, ...(after ? [after] : [])].filter((rule) => isInForce(rule, now));
  const isOf = (rule: Rule) => (protocol: Protocol) => rule.rules[protocol];
  const protocols = (Object.keys(before.rules) as Protocol[]).filter(isOf(before));
  return before.cidr_blocks.flatMap((block) => {
    const range = rangeOf(block);
    if (!range) return [];
    const size = range[1] - range[0] + 1;
    const lost = protocols.map((protocol) => ({
      protocol,
      size: uncovered(
        range,
        left.filter((rule) => rule.rules[protocol]).flatMap((rule) => rule.cidr_blocks),
      ),
    }));
    const cut = lost.filter((one) => one.size > 0);
    return cut.length === 0
      ? []
      : [
          {
            block,
            protocols: cut.map(({ protocol }) => protocol),
            isPartial: cut.every((one) => one.size < size),
          },
        ];
  });
}

/** How many addresses of a range are in none of the blocks. */
function uncovered([first, last]: Range, blocks: readonly string[]): number {
  const ranges = blocks
    .flatMap((block) => {
      const range = rangeOf(block);
      return range && range[0] <= last && range[1] >= first ? [range] : [];
    })
    .toSorted(([one], [other]) => one - other);
  let next = first;
  let open = 0;
  for (const [from, to] of ranges) {
    if (from > next) open += from - next;
    next = Math.max(next, to + 1);
  }
  return open + Math.max(0, last - next + 1);
}

/** Whether an address is in one of the blocks. */
export function isIn(address: string, blocks: readonly string[]): boolean {
  const own = rangeOf(address);
  return (
    own !== undefined &&
    blocks.some((block) => {
      const range = rangeOf(block);
      return range !== undefined && range[0] <= own[0] && range[1] >= own[1];
    })
  );
}
