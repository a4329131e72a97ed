import { blocksIn, cutBy, isIn, rangeOf } from './access.ts';

const now = new Date('2026-03-14T09:26:53Z');
const tcp = { broker_tcp: true, broker_http: false, broker_websocket: false, broker_udp: false };
const rule = (cidr_blocks: string[], rules: typeof tcp = tcp, valid_to: string | null = null) => ({
  cidr_blocks,
  rules,
  valid_to,
});

test('blocks are ranges of addresses', () => {
  expect(rangeOf('10.0.0.0/30')).toEqual([167_772_160, 167_772_163]);
  expect(rangeOf('0.0.0.0/0')).toEqual([0, 4_294_967_295]);
  expect(rangeOf('10.0.0.300')).toBeUndefined();
  expect(rangeOf('::1')).toBeUndefined();
});

test('a text gives its blocks once, and an address is a block', () => {
  expect(blocksIn(' 192.0.2.1, 10.0.0.0/8\n192.0.2.1')).toEqual(['192.0.2.1/32', '10.0.0.0/8']);
  expect(blocksIn('')).toEqual([]);
});

test('a rule that goes cuts off what no other lets in', () => {
  const before = rule(['192.0.2.0/24', '10.0.0.0/8']);
  expect(cutBy(before, undefined, [rule(['10.0.0.0/7'])], now)).toEqual([
    { block: '192.0.2.0/24', protocols: ['broker_tcp'], isPartial: false },
  ]);
});

test('two rules together can cover a block, and one of them a part', () => {
  const before = rule(['192.0.2.0/24']);
  const halves = [rule(['192.0.2.0/25']), rule(['192.0.2.128/25'])];
  expect(cutBy(before, undefined, halves, now)).toEqual([]);
  expect(cutBy(before, undefined, halves.slice(1), now)).toMatchObject([{ isPartial: true }]);
});

test('protocols count apart, and rules that have ended do not count', () => {
  const before = rule(['192.0.2.0/24'], { ...tcp, broker_websocket: true });
  const ended = rule(['192.0.2.0/24'], tcp, '2026-03-14T09:00:00Z');
  expect(cutBy(before, rule(['192.0.2.0/24']), [], now)).toEqual([
    { block: '192.0.2.0/24', protocols: ['broker_websocket'], isPartial: false },
  ]);
  expect(cutBy(before, undefined, [ended], now)[0]?.protocols).toEqual(['broker_tcp', 'broker_websocket']);
  expect(cutBy(ended, undefined, [], now)).toEqual([]);
});

test('an address is found in its block', () => {
  expect(isIn('192.0.2.7', ['10.0.0.0/8', '192.0.2.0/24'])).toBe(true);
  expect(isIn('192.0.3.7', ['192.0.2.0/24'])).toBe(false);
  expect(isIn('::1', ['0.0.0.0/0'])).toBe(false);
});
