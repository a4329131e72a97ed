import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '@nats-io/transport-node';
import { natsUsers, newNatsSeed, ownNats, testFolder, type OwnServer } from '@sluice/testing';
import { natsOptions, type NatsEnvironment } from './nats-options.ts';

const file = (name: string) => fileURLToPath(new URL(`../test/tls/${name}`, import.meta.url));
const client = { NATS_TLS_CERT_FILE: file('server.pem'), NATS_TLS_KEY_FILE: file('server.key') };
const { users, environmentOf } = natsUsers(['audit']);

let secured: OwnServer;
let plain: OwnServer;
beforeAll(async () => {
  const tls = {
    ...{ cert_file: file('server.pem'), key_file: file('server.key'), ca_file: file('ca.pem') },
    ...{ verify: true, handshake_first: 'auto' },
  };
  [secured, plain] = await Promise.all([ownNats(users, { tls }), ownNats(users)]);
});
afterAll(async () => {
  await Promise.all([secured.remove(), plain.remove()]);
});

/** Whether the sender comes in. */
async function comesIn(environment: NatsEnvironment): Promise<boolean> {
  const options = { ...(await natsOptions(environment, 'audit')), reconnect: false, timeout: 5_000 };
  try {
    await (await connect(options)).close();
    return true;
  } catch {
    return false;
  }
}

test.each([
  ['the CA and a certificate of its own', { NATS_TLS_CA_FILE: file('ca.pem'), ...client }, true],
  ['another CA', { NATS_TLS_CA_FILE: file('other-ca.pem'), ...client }, false],
  ['no certificate where the server asks for one', { NATS_TLS_CA_FILE: file('ca.pem') }, false],
  ['no TLS where the server wants it', {}, false],
])('a sender with %s', async (_what, settings, expected) => {
  expect(await comesIn({ NATS_URL: secured.url, ...environmentOf('audit'), ...settings })).toBe(expected);
});

test('tls:// makes TLS mandatory, by a public authority', async () => {
  const known = environmentOf('audit');
  for (const { url } of [secured, plain])
    expect(await comesIn({ NATS_URL: url.replace('nats://', 'tls://'), ...known })).toBe(false);
});

test('a sender that wants TLS tells a server without it nothing', async () => {
  const known = environmentOf('audit');
  expect(await comesIn({ NATS_URL: plain.url, ...known })).toBe(true);
  expect(await comesIn({ NATS_URL: plain.url, ...known, NATS_TLS_CA_FILE: file('ca.pem') })).toBe(false);
});

test('a sender with a credentials file shows itself by that', async () => {
  const path = join(await testFolder(), 'audit.creds');
  const jwt = randomBytes(20).toString('base64url');
  const block = (title: string, text: string) =>
    `-----BEGIN ${title}-----\n${text}\n------END ${title}------\n\n`;
  const seed = newNatsSeed();
  await writeFile(path, block('NATS USER JWT', jwt) + block('USER NKEY SEED', seed));
  const { authenticator } = await natsOptions({ NATS_URL: plain.url, NATS_CREDENTIALS_FILE: path }, 'audit');
  if (typeof authenticator !== 'function') throw new Error('there is no authenticator');
  expect(authenticator('nonce')).toMatchObject({ jwt, sig: expect.any(String) as string });
});

test.each<[string, Partial<NatsEnvironment>, RegExp]>([
  ['two identities', { NATS_NKEY_SEED: newNatsSeed(), NATS_CREDENTIALS_FILE: '/x' }, /both set/],
  ['a file that is not there', { NATS_CREDENTIALS_FILE: '/does/not/exist' }, /ENOENT/],
  ['half a certificate', { NATS_TLS_CERT_FILE: file('server.pem') }, /go together/],
])('%s are refused', async (_what, settings, reason) => {
  await expect(natsOptions({ NATS_URL: plain.url, ...settings }, 'audit')).rejects.toThrow(reason);
});
