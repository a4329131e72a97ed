import { createClient, startDeviceSignIn } from '@sluice/client';
import type { ServerResponse } from 'node:http';
import { answerJson, answerProblem, faultyServer } from './fixtures/faulty-server.ts';

const codes = {
  device_code: 'secret',
  user_code: 'WDJB-MJHT',
  verification_uri: 'https://api.example.com/device',
  verification_uri_complete: 'https://api.example.com/device?user_code=WDJB-MJHT',
  expires_in: 600,
  interval: 0.01,
};

/** A sign-in whose polls are answered one after the other, the last again and again. */
async function begun(...polls: ((answer: ServerResponse) => void)[]) {
  return begunFor(codes.expires_in, polls);
}

async function begunFor(expires_in: number, polls: ((answer: ServerResponse) => void)[]) {
  const server = await faultyServer((answer, { url }, number) => {
    if (url === '/account/device') return answerJson(answer, 200, { ...codes, expires_in });
    polls[Math.min(number, polls.length) - 1]?.(answer);
  });
  const client = createClient({ url: server.url });
  return { server, signIn: await startDeviceSignIn({ client, machine: 'laptop' }) };
}

test('asks until the person has approved, through answers that fail', async () => {
  const { server, signIn } = await begun(
    (answer) => answerProblem(answer, 400, 'authorization_pending'),
    (answer) => answerProblem(answer, 503, 'unavailable'),
    (answer) => answer.destroy(),
    (answer) => answerJson(answer, 200, { access_token: 'svt_x', token_type: 'svc-session', expires_in: 60 }),
  );
  expect(signIn).toMatchObject({
    userCode: 'WDJB-MJHT',
    verificationUriComplete: codes.verification_uri_complete,
  });
  let pending = 0;
  expect(await signIn.wait({ onPending: () => pending++ })).toBe('svt_x');
  await server.close();
  expect(pending).toBe(3);
  expect(server.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    { machine: 'laptop' },
    ...Array.from({ length: 4 }, () => ({ device_code: 'secret' })),
  ]);
});

test('ends with the refusal, and when it is aborted, also in a pause that a server has made longer', async () => {
  const denied = await begun((answer) => answerProblem(answer, 400, 'access_denied'));
  await expect(denied.signIn.wait()).rejects.toMatchObject({ code: 'access_denied' });
  await denied.server.close();

  const slow = await begun((answer) => answerProblem(answer, 400, 'slow_down'));
  const abort = new AbortController();
  const waiting = slow.signIn.wait({
    signal: abort.signal,
    onPending: () => abort.abort(new Error('enough')),
  });
  await expect(waiting).rejects.toThrow('enough');
  await slow.server.close();
  expect(slow.server.requests).toHaveLength(2);
});

test('ends with what fails when the code is too old', async () => {
  const { server, signIn } = await begunFor(0.05, [(answer) => answerProblem(answer, 503, 'unavailable')]);
  await expect(signIn.wait()).rejects.toMatchObject({ code: 'unavailable' });
  await server.close();
});
