import { spawnSync } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBlocks, type Block } from '../runbooks/blocks.ts';
import { readOptions } from './options.ts';
import { blockScript, shownOf, withoutOverlays } from './scripts.ts';
import { keptLines, pageOf } from './transcript.ts';

/** What of an operator's day needs no cluster. */

const apply = 'helm upgrade sluice sluice-1.1.1.tgz';
const way = { kind: 'release', apply, regions: ['cloud_a/us-east-1', 'cloud_b/us-central1'] } as const;
let blocks: readonly Block[];
beforeAll(async () => void (blocks = await readBlocks()));

/** The names of blocks in the sources of the day. */
async function named(): Promise<string[]> {
  const names: string[] = [];
  for await (const file of glob('*.ts', { cwd: import.meta.dirname })) {
    const text = await readFile(join(import.meta.dirname, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/day\.block\('([^']+)'/g)) names.push(name);
    for (const [, name = ''] of text.matchAll(/await rotation\('([^']+)'/g))
      names.push(`rotate-keys: ${name}`);
  }
  return names;
}

test('the documents have the commands of the day, and a chart takes the place of overlays in them', async () => {
  const names = await named();
  expect(names.length).toBeGreaterThan(25);
  for (const name of names) {
    const block = blocks.find((one) => one.name === name);
    expect([name, block?.language]).toEqual([name, 'sh']);
    if (!block) continue;
    const script = blockScript(block, blocks, {}, way);
    expect([name, spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' }).stderr]).toEqual([name, '']);
    const own = withoutOverlays(block.text, apply);
    expect([name, own.includes('$overlays'), own.split(apply).length - 1]).toEqual([
      ...[name, false],
      block.text.includes('$overlays') ? 1 : 0,
    ]);
  }
});

test('every kind of key of the page is rotated', async () => {
  const rotated = (await named()).filter((name) => name.startsWith('rotate-keys: '));
  // definitions, what shows key ids, and a list of what is there
  const others = [
    'What is stored',
    'What is stored (3)',
    'Keys of nodes',
    'Operators and routes of NATS (2)',
  ];
  const wanted = blocks
    .filter(({ document, language }) => document === 'rotate-keys' && language === 'sh')
    .map(({ name }) => name)
    .filter((name) => !others.includes(name.replace('rotate-keys: ', '')));
  expect(wanted.filter((name) => !rotated.includes(name))).toEqual([]);
});

test('a transcript has times, the first commands of a block, and the lines that matter', () => {
  const block = blocks.find(({ name }) => name === 'kubernetes: A new region')!;
  const text = shownOf(block, way);
  expect(text.split('\n').slice(0, 3)).toEqual([
    '# kubernetes: A new region',
    apply,
    'regions+=(cloud_b/us-east4) folders+=(cloud-b-us-east4)',
  ]);
  expect(text).toMatch(/\n… \d+ lines more$/);
  expect(keptLines('one\n\ntwo  \ntwo\n', [/^t/])).toEqual(['two']);
  const lines = [
    { kind: 'command' as const, at: '11:45:03', text: 'secrets', seconds: 12 },
    { kind: 'output' as const, text: 'All Secrets are there.' },
  ];
  const facts = { date: '2026-11-26', versions: ['1.1.0', '1.1.1'], cluster: 'Kubernetes v1.35.4' };
  const page = pageOf([{ name: 'Keys', lines }], { ...facts, missing: ['Compose'] });
  expect(page).toContain('\nNot run that day: Compose.\n');
  expect(page).toContain(
    '## Keys\n\n```\n11:45:03 $ secrets   (12 s)\n         All Secrets are there.\n```\n',
  );
});

test('options are read, and a missing one is named', () => {
  expect(readOptions(['--registry', 'localhost:5000', '--only', 'Helm,An alert'])).toMatchObject({
    ...{ registry: 'localhost:5000', only: ['Helm', 'An alert'], pause: 100 },
  });
  expect(() => readOptions([])).toThrow(/registry/);
  expect(() => readOptions(['--registry', 'localhost:5000', '--pause', 'long'])).toThrow(/pause/);
});
