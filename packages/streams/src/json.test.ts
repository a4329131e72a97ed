import { messageJson, textOfBytes } from './json.ts';

const json = (data: Uint8Array) => messageJson({ time: 't', subject: 's', headers: {}, data });

test('a message as JSON has its members in the order of exports, and none that is empty', () => {
  const whole = messageJson({
    ...{ sequence: 7, time: 't', subject: 's', reply: 'r', headers: { trace: ['a', 'b'] } },
    data: Buffer.from('hi'),
  });
  expect(JSON.stringify(whole)).toBe(
    '{"sequence":7,"time":"t","subject":"s","reply":"r","headers":{"trace":["a","b"]},"size":2,"data":"hi"}',
  );
  expect(JSON.stringify(json(Buffer.from('\ufeff')))).toBe(
    '{"time":"t","subject":"s","size":3,"data":"\ufeff"}',
  );
});

test('bytes that are no text are base64, also in parts', () => {
  for (const length of [1, 2, 3, 12_287, 12_288, 12_289, 40_000]) {
    const data = Buffer.alloc(length, 0xff);
    expect(json(data).data_base64).toBe(data.toString('base64'));
  }
});

test('what is cut within a character is text, and the next bytes begin anew', () => {
  const cut = Buffer.from('aü').subarray(0, 2);
  expect(textOfBytes(cut, true)).toBe('a');
  expect(textOfBytes(cut)).toBeUndefined();
  expect(textOfBytes(Buffer.from('b'), true)).toBe('b');
});
