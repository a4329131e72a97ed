import { newApiToken } from '@sluice/contracts';
import { redact } from './log.ts';
import { correlationId, newContext } from './request-context.ts';

test('named secrets, tokens and passwords in addresses are taken out, however deep', () => {
  const token = newApiToken();
  const line = {
    user: 'ada',
    password: 'hunter2',
    nested: [{ api_key: token, note: `called with ${token}` }],
    url: 'postgresql://sluice:hunter2@db/main',
    error: new Error(`cannot reach nats://user:hunter2@nats`),
    jwt: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  };
  const text = JSON.stringify(redact(line));
  expect(text).toContain('ada');
  expect(text).toContain('cannot reach');
  for (const secret of ['hunter2', token, 'eyJ']) expect(text).not.toContain(secret);
});

test('the correlation id is the request id as a UUID, and leads back to it', () => {
  const context = newContext();
  expect(context.requestId).toMatch(/^[0-9a-f]{32}$/);
  expect(correlationId(context)).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(newContext(undefined, correlationId(context)).requestId).toBe(context.requestId);
});

test('a trace is continued with a new span, a malformed one replaced', () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`;
  expect(newContext(traceparent).traceparent).toMatch(/^00-a{32}-(?!b{16})[0-9a-f]{16}-00$/);
  expect(newContext(`00-${'0'.repeat(32)}-${'b'.repeat(16)}-00`).traceparent).toMatch(
    /^00-(?!0{32})[0-9a-f]{32}-/,
  );
});
