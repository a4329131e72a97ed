import * as client from '@platformatic/kafka';
import type { CompressionAlgorithmValue, MessageRecord } from '@platformatic/kafka';
import { forwardOnly } from './kafka-batches.ts';
import { recordsOf } from './kafka-records.ts';

const mostBytes = 1_048_576;
const compressions = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;

function aBatch(values: readonly Buffer[], compression: CompressionAlgorithmValue): Buffer {
  const records = values.map((value, n): MessageRecord => {
    const headers = new Map([[Buffer.from('n'), Buffer.from(String(n))]]);
    return { topic: 'orders', key: Buffer.from(`k${n}`), value, headers, timestamp: 1_700_000_000_000n };
  });
  return client.createRecordsBatch(records, { compression }).buffer;
}

function read(sent: Buffer, offset = 0n) {
  const place = { topic: 'orders', partition: 0, offset };
  const records = recordsOf(client, place, { sent, aborted: [] }, mostBytes);
  const texts: string[] = [];
  for (let one = records.next(); ; one = records.next()) {
    if (one.done) return { texts, end: one.value };
    texts.push(`${one.value.record.headers?.n} ${Buffer.from(one.value.record.payload).toString()}`);
  }
}

describe.each(compressions)('records compressed by %s', (compression) => {
  test('are read, from the offset on that was asked for', () => {
    const values = ['one', 'two two two two', 'x'.repeat(200_000)];
    const sent = aBatch(
      values.map((value) => Buffer.from(value)),
      compression,
    );
    expect(read(sent)).toEqual({ texts: values.map((value, n) => `${n} ${value}`), end: 3n });
    expect(read(sent, 1n).texts).toHaveLength(2);
    // a broker may end its answer in the middle of a batch
    expect(read(Buffer.concat([sent, sent.subarray(0, sent.length - 1)])).texts).toHaveLength(3);
  });

  test('that are mixed and do not repeat are read', () => {
    const values = Array.from(
      { length: 2_000 },
      (_, n) => `${(n * 7919) % 1_000} ${'ab'.repeat(n % 9)} ${n}`,
    );
    const sent = aBatch(
      values.map((value) => Buffer.from(value)),
      compression,
    );
    expect(read(sent).texts).toEqual(values.map((value, n) => `${n} ${value}`));
  });
});

test.each(compressions.slice(1))(
  'a batch that %s expands to more than the bound is refused',
  (compression) => {
    const sent = aBatch([Buffer.alloc(mostBytes)], compression);
    expect(sent.length).toBeLessThan(mostBytes / 10);
    expect(() => read(sent)).toThrow(/larger than 1048576 bytes|too many bytes/);
  },
);

test('a bound holds for each batch: many batches are read one after the other', () => {
  const sent = aBatch([Buffer.alloc(mostBytes / 2)], 'zstd');
  const numbered = Array.from({ length: 50 }, (_, n) => {
    const copy = Buffer.from(sent);
    copy.writeBigInt64BE(BigInt(n), 0);
    return copy;
  });
  expect(read(Buffer.concat(numbered)).end).toBe(50n);
});

describe('what is no batch', () => {
  const compressed = (compression: CompressionAlgorithmValue, data: Buffer) => {
    const sent = Buffer.concat([aBatch([Buffer.from('x')], 'none').subarray(0, 61), data]);
    sent.writeInt32BE(sent.length - 12, 8);
    sent.writeInt16BE(client.compressionsAlgorithms[compression].bitmask, 21);
    return sent;
  };

  test.each([
    ['lz4', 'is cut off in a length', '04224d18 60 70 73 05000000 f0', 'out of range'],
    ['lz4', 'has fewer literals than it says', '04224d18 60 70 73 02000000 50 61 00000000', 'no LZ4'],
    ['lz4', 'repeats what is before its begin', '04224d18 60 70 73 04000000 10 61 0200 00000000', 'no LZ4'],
    ['lz4', 'repeats from nowhere', '04224d18 60 70 73 04000000 10 61 0000 00000000', 'no LZ4'],
    ['lz4', 'has a block of two gigabytes', '04224d18 60 70 73 ffffff7f 00', 'out of range'],
    [
      'lz4',
      'has a block that is larger than blocks may be',
      `04224d18 60 40 73 31010000 1f 61 0100 ${'ff'.repeat(300)} 00 00000000`,
      'too many bytes',
    ],
    ['lz4', 'is something else', '00000000 60 70 73', 'no LZ4'],
    ['snappy', 'says that it has four gigabytes', 'ffffffff0f00', 'too many bytes'],
    [
      'snappy',
      'says so in a part',
      '82534e4150505900 00000001 00000001 00000005 ffffffff0f',
      'too many bytes',
    ],
    ['gzip', 'is cut off', '1f8b', 'unexpected end'],
    ['zstd', 'is cut off', '28b52ffd', 'end'],
  ] as const)('%s that %s is refused', (compression, _, hex, reason) => {
    const data = Buffer.from(hex.replaceAll(' ', ''), 'hex');
    expect(() => read(compressed(compression, data))).toThrow(reason);
  });

  test('lengths below zero end the reading', () => {
    const sent = aBatch([Buffer.from('one')], 'none');
    // the length of the value, as a number that is doubled
    sent[sent.indexOf(Buffer.from('k0')) + 2] = 0x0f;
    expect(() => read(sent)).toThrow('out of range');
    const reader = forwardOnly(client.Reader.from(Buffer.from([0xff, 0x00, 1, 2])));
    expect(() => reader.readString(false)).toThrow('out of range');
  });
});
