import { randomBytes } from 'node:crypto';
import { testNats } from '@sluice/testing';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import winston from 'winston';
import { z } from 'zod';
import { Problem, problem } from '@sluice/service';
import { secretBox, type SecretBox } from '@sluice/system/secrets';
import { answerRequests, requester, type RequestHandlers } from './requests.ts';

const requests = {
  double: { asks: z.object({ value: z.int() }), answers: z.object({ value: z.int() }) },
  repeat: { asks: z.object({ text: z.string() }), answers: z.object({ text: z.string() }) },
} as const;

const log = winston.createLogger({ silent: true });
const newBox = () => secretBox(new Map([['test', new Uint8Array(randomBytes(32))]]));
const { url, namespace } = testNats();
const subject = `${namespace}.requests.test`;
let nats: NatsConnection;
let box: SecretBox;
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  nats = await connect({ servers: url });
  box = newBox();
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
afterAll(() => nats.close());

function answer(handlers: Partial<RequestHandlers<typeof requests>> = {}, most = 10, by = box): void {
  const all: RequestHandlers<typeof requests> = {
    double: ({ value }) => Promise.resolve({ value: value * 2 }),
    repeat: ({ text }) => Promise.resolve({ text: text.repeat(2) }),
    ...handlers,
  };
  ends.push(answerRequests({ nats, subject, box: by, requests, queue: 'test', handlers: all, most, log }));
}

const ask = (milliseconds?: number) => requester({ nats, subject, box, requests }, milliseconds);

/** The code of what it is refused with. */
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: unknown) => (error instanceof Problem ? error.code : error),
  );

test('a question is answered by one of those who share them, and nobody else can read either', async () => {
  const seen: string[] = [];
  const reader = nats.subscribe('>', { callback: (_error, message) => void seen.push(message.string()) });
  let answered = 0;
  const double = ({ value }: { value: number }) => {
    answered++;
    return Promise.resolve({ value: value * 2 });
  };
  answer({ double });
  answer({ double });
  expect(await ask()('double', { value: 123_456_789 })).toEqual({ value: 246_913_578 });
  await nats.flush();
  reader.unsubscribe();
  expect(answered).toBe(1);
  expect(seen.join()).toMatch(/eyJ/);
  expect(seen.join()).not.toMatch(/123456789|246913578|double/);
});

test('a refusal is thrown where it was asked, with all that it says', async () => {
  const extras = { detail: 'no', headers: { 'retry-after': '7' }, extensions: { limit: 3 } };
  answer({ double: () => Promise.reject(problem('limit_reached', extras)) });
  await expect(ask()('double', { value: 1 })).rejects.toMatchObject({ code: 'limit_reached', extras });
});

test('what fails inside is told as no more than that', async () => {
  answer({ double: () => Promise.reject(new Error('secret')) });
  await expect(ask()('double', { value: 1 })).rejects.toMatchObject({ code: 'internal', extras: {} });
});

describe('it is unavailable, to be tried again', () => {
  test('when nobody answers', async () => {
    expect(await codeOf(ask()('double', { value: 1 }))).toBe('unavailable');
  });

  test('when the answer does not come in time', async () => {
    const held = Promise.withResolvers<{ value: number }>();
    answer({ double: () => held.promise });
    expect(await codeOf(ask(100)('double', { value: 1 }))).toBe('unavailable');
    held.resolve({ value: 1 });
  });

  test('when too many ask at the same time', async () => {
    const held = Promise.withResolvers<{ value: number }>();
    answer({ double: () => held.promise }, 2);
    const asked = Array.from({ length: 5 }, () => codeOf(ask()('double', { value: 1 })));
    await nats.flush();
    setTimeout(() => held.resolve({ value: 1 }), 200);
    expect((await Promise.all(asked)).sort()).toEqual([
      ...['answered', 'answered'],
      ...['unavailable', 'unavailable', 'unavailable'],
    ]);
  });

  test('when they do not have the same key', async () => {
    answer({}, 10, newBox());
    expect(await codeOf(ask(200)('double', { value: 1 }))).toBe('unavailable');
  });
});

test('what is too long is refused before it is sent, and an answer that is too long is none', async () => {
  answer({ repeat: () => Promise.resolve({ text: 'x'.repeat(2_000_000) }) });
  expect(await codeOf(ask()('repeat', { text: 'x'.repeat(2_000_000) }))).toBe('payload_too_large');
  expect(await codeOf(ask(500)('repeat', { text: 'x' }))).toBe('unavailable');
});

test('what makes no sense ends nothing: the next question is answered', async () => {
  answer();
  nats.publish(subject, 'nonsense');
  nats.publish(subject, await box.seal('{"name":1}'));
  expect(await codeOf(ask()('double', { value: 'x' } as never))).toBe('internal');
  expect(await ask()('double', { value: 2 })).toEqual({ value: 4 });
});
