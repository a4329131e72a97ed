import type { Block } from './blocks.ts';

/** Blocks that define what later ones use, of their own document and, those of `kubernetes`, of all. */
const definitions = [
  'kubernetes: Commands',
  'kubernetes: On one machine',
  'backup-and-restore: Restore one service',
  'rotate-keys: What is stored',
  'rotate-keys: Keys of nodes',
  'remove-a-region: Remove a region',
  'maintenance: Maintain a machine',
  'billing: Billing',
  'alerts: Where to look',
  'alerts: Where to look (2)',
];

/** What is defined in place of others, where a person wants it: `keys-by-a-job.test.ts` runs it. */
const alternatives = ['kubernetes: Keys by a Job'];

export const isDefinition = ({ name }: Pick<Block, 'name'>) =>
  definitions.includes(name) || alternatives.includes(name);

/** The blocks that a person runs, without those that only define something. */
export const commandsOf = (blocks: readonly Block[]) =>
  blocks.filter((block) => block.language === 'sh' && !isDefinition(block));

/**
 * A block as a script: behind what its document, and the page about Kubernetes, define before it.
 * @param values of the variables that a person fills in
 * @param more what is defined last, in place of what the documents define
 */
export function scriptOf(
  block: Block,
  blocks: readonly Block[],
  values: Readonly<Record<string, string>> = {},
  more = '',
): string {
  const before = blocks.slice(0, blocks.indexOf(block));
  const defined = blocks.filter(
    (one) =>
      definitions.includes(one.name) &&
      (one.document === 'kubernetes' || (one.document === block.document && before.includes(one))),
  );
  const ofPages = defined.toSorted(
    (one, other) => Number(other.document === 'kubernetes') - Number(one.document === 'kubernetes'),
  );
  const filledIn = Object.entries(values).map(
    ([name, value]) => `${name}='${value.replaceAll("'", String.raw`'\''`)}'`,
  );
  return [...ofPages.map(({ text }) => text), ...filledIn, more, block.text].join('\n');
}
