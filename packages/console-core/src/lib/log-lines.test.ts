import type { StoredLine } from '@sluice/client';
import { LogBuffer, logText } from './log-lines.ts';

const line = (message: string): StoredLine => ({
  at: '2026-03-14T09:26:53.589Z',
  node_id: 90,
  runtime: 'broker',
  connector_instance_id: null,
  level: 'warn',
  message,
});

test('a buffer keeps the newest lines only, and numbers all', () => {
  const buffer = new LogBuffer(3);
  buffer.add([line('one'), line('two')]);
  buffer.add([line('three'), line('four')]);
  expect(buffer.lines.map(({ key, message }) => [key, message])).toEqual([
    [1, 'two'],
    [2, 'three'],
    [3, 'four'],
  ]);
  expect(buffer.count).toBe(4);
});

test('each line of a file is one line of the log', () => {
  expect(logText([line('begins\nand goes on'), line('ends')], (id) => `node-${id}`)).toBe(
    [
      String.raw`2026-03-14T09:26:53.589Z WARN  broker node-90 begins\nand goes on`,
      '2026-03-14T09:26:53.589Z WARN  broker node-90 ends',
      '',
    ].join('\n'),
  );
});
