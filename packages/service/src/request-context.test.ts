import { correlationId, newContext } from './request-context.ts';

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
