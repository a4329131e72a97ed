import { client } from '@sluice/testing';
import { supervisor } from '#test/region.ts';

const region = supervisor({
  replicas: 1,
  environment: {
    TRUSTED_PROXIES: '127.0.0.1',
    ADDRESS_RATE_LIMIT_PER_SECOND: '0.1',
    ADDRESS_RATE_LIMIT_BURST: '10',
  },
});
const token = `a.${Buffer.from(JSON.stringify({ sub: '1' })).toString('base64url')}.c`;

/** Asks 20 times from an address. @returns the statuses */
async function statuses(method: string, path: string, address: string, body?: object) {
  const headers = { 'x-forwarded-for': address, authorization: `Bearer ${token}` };
  const answers = [];
  for (let i = 0; i < 20; i++)
    answers.push(await client(region.replica().url).request(method, path, body, headers));
  const last = answers.at(-1);
  if (last?.status === 429) expect(Number(last.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  return answers.map(({ status }) => status);
}
const limited = (refusal: number) => [...Array<number>(10).fill(refusal), ...Array<number>(10).fill(429)];

test('whoever is refused too often is not looked at any more', async () => {
  expect(await statuses('GET', '/agent/v1/desired?wait=0', '198.51.100.1')).toEqual(limited(401));
  expect(await statuses('POST', '/agent/v1/heartbeats', '198.51.100.1', {})).toEqual(
    Array<number>(20).fill(429),
  );
  expect(await statuses('POST', '/agent/v1/heartbeats', '198.51.100.2', {})).toEqual(limited(401));
});

test('whoever guesses enrolment tokens is limited as well', async () => {
  const body = { token: 'enr_x', public_key: { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) } };
  expect(await statuses('POST', '/agent/v1/enrol', '198.51.100.3', body)).toEqual(limited(401));
  expect(await statuses('DELETE', '/agent/v1/enrol', '198.51.100.4')).toEqual(limited(405));
});

test('agents from elsewhere are', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.1', authorization: `Bearer ${token}` };
  const ask = () =>
    client(region.replica().url).request('GET', '/agent/v1/desired?wait=0', undefined, headers);
  expect((await ask()).status).toBe(401);
});
