import { generateKeyPairSync } from 'node:crypto';
import { createAuthority, createKey, issueCertificate } from '@sluice/system/authority';
import type { Account } from './account.ts';
import { findRoot, readChain } from './chain.ts';
import type { HttpAnswer } from './http.ts';
import { openChallenges, readOrder, type Authorization } from './orders.ts';
import { AcmeProblem, readRetryAfter } from './problem.ts';

/** What an authority says is somebody else's word. */

const now = new Date();
const validity = { from: now, days: 30 };
const names = ['orders.example', 'node-1.orders.example'];
const answer = (body: unknown, headers: Record<string, string> = {}): HttpAnswer => ({
  status: 429,
  body: JSON.stringify(body),
  header: (name) => headers[name],
});

describe('a chain', () => {
  const made = async (days = 30) => {
    const root = await createAuthority('Example', validity);
    const pair = await issueCertificate(root, { dns: names, addresses: [] }, { from: now, days });
    return { root: root.certificate, ...pair };
  };

  test('is taken with a root that is known, and with no other', async () => {
    const { root, certificate, private_key } = await made();
    const chain = readChain(certificate, private_key, names, now);
    expect(chain.certificate).toBe(certificate);
    expect(findRoot(chain, [(await made()).root, root])).toBe(root);
    expect(() => findRoot(chain, [])).toThrow('root is not known here (ACME_ROOTS): CN=Example');
    expect(findRoot(readChain(`${certificate}${root}`, private_key, names, now), [root])).toBe(root);
  });

  test('is refused when it is not what was asked for', async () => {
    const { certificate, private_key } = await made();
    const read = (text: string, key = private_key, wanted = names, at = now) => {
      return () => readChain(text, key, wanted, at);
    };
    const other = await made();
    const otherKey = await createKey();
    expect(read('')).toThrow('has sent 0 certificates');
    expect(read(certificate.repeat(11))).toThrow('has sent 11 certificates');
    expect(read(certificate, otherKey)).toThrow('for another key');
    expect(read(certificate, private_key, [...names, 'node-2.orders.example'])).toThrow(
      'not for node-2.orders.example',
    );
    expect(read(`${certificate}${other.root}`)).toThrow('lead nowhere');
    const later = new Date(now.getTime() + 31 * 86_400_000);
    expect(read(certificate, private_key, names, later)).toThrow('has ended');
  });
});

test('a record is set for no name that was not ordered', async () => {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const account = { signer: { key, url: 'https://ca.example/1' } } as Account;
  const of = (value: string, type = 'dns-01'): Authorization => ({
    status: 'pending',
    identifier: { type: 'dns', value },
    challenges: [{ type, status: 'pending', url: 'https://ca.example/2', token: 'token' }],
    retryAfterSeconds: undefined,
  });
  const [open] = await openChallenges(account, [of('Orders.example')], names);
  expect(open?.record.fqdn).toBe('_acme-challenge.orders.example.');
  await expect(openChallenges(account, [of('www.example')], names)).rejects.toThrow('was not ordered');
  await expect(openChallenges(account, [of('orders.example', 'http-01')], names)).rejects.toThrow(
    'takes no DNS record as a proof of orders.example',
  );
});

test('what is long, unknown or no order at all does no harm', () => {
  const endless = { type: 'urn:ietf:params:acme:error:rateLimited', detail: 'x'.repeat(10_000) };
  expect(new AcmeProblem(answer(endless), now).message.length).toBeLessThan(400);
  expect(new AcmeProblem(answer('<html>'), now).message).toBe('the authority refuses: status 429');
  const week = 7 * 86_400;
  for (const [said, seconds] of [
    ['120', 120],
    ['99999999', week],
    ['Fri, 01 Jan 2100 00:00:00 GMT', week],
    ['Fri, 01 Jan 2010 00:00:00 GMT', 0],
    ['soon', undefined],
  ] as const)
    expect(readRetryAfter(answer({}, { 'retry-after': said }), now)).toBe(seconds);
  const order = { status: 'pending', identifiers: [], authorizations: [], finalize: 'https://ca.example/3' };
  const read = (json: unknown) => () =>
    readOrder('https://ca.example/4', {
      ...{ status: 200, json, text: '', location: undefined, retryAfterSeconds: undefined },
    });
  expect(read(order)().status).toBe('pending');
  for (const wrong of [
    { status: 'won' },
    { finalize: 'http://ca.example/3' },
    { finalize: 'file:///etc/passwd' },
    { authorizations: Array.from({ length: 201 }, () => 'https://ca.example/5') },
  ])
    expect(read({ ...order, ...wrong })).toThrow('answers what the protocol does not know');
});
