import type { Block } from '../runbooks/blocks.ts';
import { scriptOf } from '../runbooks/scripts.ts';

/** How an installation is changed where a document changes an overlay and applies it. */
export type Way =
  | { kind: 'kustomize' }
  | {
      kind: 'release';
      /** in place of changes of overlays */
      apply: string;
      /** the regions that there are */
      regions: readonly string[];
    };

/** Lines that change an overlay, or apply it. */
const ofOverlay = /\$\{?overlays\b/;

/** A block for an installation without overlays: the first line that changes or applies one becomes `apply`, as docs/operations/helm.md has it. */
export function withoutOverlays(text: string, apply: string): string {
  let applied = false;
  return text
    .split('\n')
    .flatMap((line) => {
      if (!ofOverlay.test(line)) return [line];
      if (applied) return [];
      applied = true;
      return [apply];
    })
    .join('\n');
}

/** The block behind its definitions; keys are made by the Job where there are no overlays. */
export function blockScript(
  block: Block,
  blocks: readonly Block[],
  values: Readonly<Record<string, string>>,
  way: Way,
): string {
  if (way.kind === 'kustomize') return scriptOf(block, blocks, values);
  const byJob = blocks.find(({ name }) => name === 'kubernetes: Keys by a Job')?.text ?? '';
  const more = [
    `regions=(${way.regions.join(' ')})`,
    'folders=("${regions[@]//[_\\/]/-}")',
    byJob,
    'trap \'rm -rf "$keys"\' EXIT',
  ];
  const own = { ...block, text: withoutOverlays(block.text, way.apply) };
  const among = blocks.map((one) => (one === block ? own : one));
  return scriptOf(own, among, values, more.join('\n'));
}

const shownLines = 4;

/** A block as the transcript has it: where it stands, and its first commands. */
export function shownOf({ name, text }: Block, way: Way): string {
  const [document = '', heading = ''] = name.split(': ');
  const place = `# ${document}: ${heading.replace(/ \(\d+\)$/, '')}`;
  const commands = (way.kind === 'kustomize' ? text : withoutOverlays(text, way.apply))
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const more = commands.length - shownLines;
  return [
    place,
    ...commands.slice(0, more > 1 ? shownLines : commands.length),
    ...(more > 1 ? [`… ${more} lines more`] : []),
  ].join('\n');
}
