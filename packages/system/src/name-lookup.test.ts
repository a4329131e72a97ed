import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  eventually,
  testFolder,
  testNameServer,
  type NameAnswer,
  type TestNameServer,
} from '@sluice/testing';
import { NameLookup, type LookupOutcome } from './name-lookup.ts';

let answers: Record<string, NameAnswer> = {};
let server: TestNameServer;
beforeAll(async () => {
  server = await testNameServer(({ name }) => answers[name] ?? (/hang/.test(name) ? 'hang' : 'unknown'));
});
afterAll(() => server.stop());
beforeEach(() => {
  answers = {};
  server.asked.length = 0;
});

const outcomes: LookupOutcome[] = [];
const aLookup = (more: Partial<ConstructorParameters<typeof NameLookup>[0]> = {}) =>
  new NameLookup({
    ...{ servers: [server.address], searches: false, ...more },
    onLookup: (outcome) => outcomes.push(outcome),
  });
const addresses = async (name: string, lookup = aLookup()) =>
  (await lookup.find(name, 'a')).map(({ address }) => address);
const asked = (name: string) => server.asked.filter((question) => question.name === name).length;

beforeEach(() => void outcomes.splice(0));

test('a name has its addresses of both families, also by TCP and by another name', async () => {
  answers['both.example'] = { addresses: ['192.0.2.1', '2001:db8::1'] };
  answers['alias.example'] = { addresses: ['192.0.2.2'], alias: 'real.example' };
  answers['long.example'] = { addresses: ['192.0.2.3'], truncated: true };
  expect(await addresses('both.example')).toEqual(['192.0.2.1', '2001:db8::1']);
  expect(await addresses('ALIAS.example.')).toEqual(['192.0.2.2']);
  expect(await addresses('long.example')).toEqual(['192.0.2.3']);
});

test('a family that is not answered, or wrongly, leaves the other', async () => {
  for (const broken of ['hang', 'failure', 'wrong id', 'garbage', 'unknown'] as const) {
    const half = await testNameServer(({ type }) =>
      type === 'AAAA' ? broken : { addresses: ['192.0.2.1'] },
    );
    const lookup = aLookup({ servers: [half.address] });
    expect([broken, await addresses('half.example', lookup)]).toEqual([broken, ['192.0.2.1']]);
    await half.stop();
  }
});

test('a name with thousands of addresses fails, and is not asked for again for minutes', async () => {
  const many = Array.from({ length: 3_000 }, (_, i) => `10.0.${i >> 8}.${i & 255}`);
  answers['many.example'] = { addresses: many };
  answers['few.example'] = { addresses: many.slice(0, 20) };
  const lookup = aLookup();
  for (let i = 0; i < 2; i++)
    await expect(addresses('many.example', lookup)).rejects.toThrow('has too many addresses');
  expect(outcomes).toEqual(['oversized', 'remembered']);
  expect(await addresses('few.example')).toHaveLength(16);
});

test('a lookup that fails ends within its two seconds, and is not made again at once', async () => {
  const kinds: Record<string, [answer: NameAnswer, code: string]> = {
    hang: ['hang', 'EAI_AGAIN'],
    id: ['wrong id', 'EAI_AGAIN'],
    garbage: ['garbage', 'EAI_AGAIN'],
    failure: ['failure', 'EAI_AGAIN'],
    late: [{ addresses: ['192.0.2.1'], afterMilliseconds: 10_000 }, 'EAI_AGAIN'],
    unknown: ['unknown', 'ENOTFOUND'],
    none: [{ addresses: [] }, 'ENOTFOUND'],
    loop: [{ addresses: [], alias: 'loop.example' }, 'ENOTFOUND'],
  };
  const lookup = aLookup();
  const failureOf = (name: string) =>
    lookup.find(name, name).then(
      () => undefined,
      ({ code }: { code: string }) => code,
    );
  const begun = performance.now();
  await Promise.all(
    Object.entries(kinds).map(async ([kind, [answer, code]]) => {
      const name = `${kind}.example`;
      answers[name] = answer;
      expect([kind, await failureOf(name)]).toEqual([kind, code]);
      const questions = asked(name);
      expect([kind, await failureOf(name.toUpperCase())]).toEqual([kind, code]);
      expect([kind, asked(name)]).toEqual([kind, questions]);
    }),
  );
  // two seconds, and what a busy machine adds
  expect(performance.now() - begun).toBeLessThan(6_000);
  expect(outcomes.toSorted()).toEqual(
    [Array(8).fill('remembered'), Array(5).fill('unanswered'), Array(3).fill('unknown')].flat().toSorted(),
  );
  answers['hang.example'] = { addresses: ['192.0.2.9'] };
  await eventually(async () => expect(await addresses('hang.example', lookup)).toEqual(['192.0.2.9']), {
    timeoutMs: 20_000,
  });
}, 30_000);

test('an owner whose name servers hang waits for itself, and no other owner does', async () => {
  const lookup = aLookup();
  answers['good.example'] = { addresses: ['192.0.2.1'] };
  const ended: string[] = [];
  const find = (name: string, owner: string) =>
    lookup.find(name, owner).then(
      () => ended.push('good'),
      (error: { code: string }) => ended.push(error.code),
    );
  const hanging = Array.from({ length: 200 }, (_, i) => find(`hang-${i}.example`, 'hanging'));
  await eventually(() => expect(new Set(server.asked.map(({ name }) => name)).size).toBe(8));
  await Promise.all(Array.from({ length: 50 }, (_, i) => find('good.example', `other ${i % 10}`)));
  expect(ended).toEqual(Array(50).fill('good'));
  await Promise.all(hanging);
  expect(ended.slice(50)).toEqual(Array(200).fill('EAI_AGAIN'));
  // those that had no turn in time are not remembered as failed
  expect(outcomes.filter((outcome) => outcome === 'crowded')).toHaveLength(192);
});

test('hanging lookups of many owners occupy no thread of the process', async () => {
  const lookup = aLookup();
  const order: string[] = [];
  const hanging = Array.from({ length: 200 }, (_, i) =>
    lookup.find(`hang-${i}.example`, `owner ${i}`).catch(() => order.push('hung')),
  );
  await eventually(() => expect(server.asked.length).toBeGreaterThanOrEqual(200));
  for (let i = 0; i < 20; i++) {
    // files are read by the threads that getaddrinfo would hold
    await writeFile(join(await testFolder(), 'file'), 'content');
    order.push('written');
  }
  expect(order).toEqual(Array(20).fill('written'));
  await Promise.all(hanging);
});

test('the hosts file and the names of this machine go before name servers', async () => {
  const hosts = join(await testFolder(), 'hosts');
  await writeFile(hosts, '# 192.0.2.9 broker\n192.0.2.7\tBroker broker.lan # ours\n2001:db8::7 broker\n');
  const lookup = aLookup({ files: { hosts, resolver: '/nonexistent' } });
  expect(await addresses('broker', lookup)).toEqual(['192.0.2.7', '2001:db8::7']);
  expect(await addresses('broker.LAN.', lookup)).toEqual(['192.0.2.7']);
  expect(await addresses('some.localhost', lookup)).toEqual(['127.0.0.1', '::1']);
  expect(server.asked).toEqual([]);
});

test('search domains complete short names, where they are heeded', async () => {
  const resolver = join(await testFolder(), 'resolv.conf');
  await writeFile(resolver, 'nameserver 192.0.2.53\nsearch a.local b.local\noptions edns0 ndots:3\n');
  answers['db.b.local'] = { addresses: ['10.0.0.1'] };
  answers['one.two.three.example'] = { addresses: ['10.0.0.2'] };
  const files = { hosts: '/nonexistent', resolver };
  const searching = aLookup({ searches: true, files });
  expect(await addresses('db', searching)).toEqual(['10.0.0.1']);
  expect(await addresses('one.two.three.example', searching)).toEqual(['10.0.0.2']);
  expect(asked('one.two.three.example.a.local')).toBe(0);
  await expect(addresses('db.', searching)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await expect(addresses('db', aLookup({ files }))).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('a name server that is no address is refused at the start', () => {
  expect(() => aLookup({ servers: ['ns.example'] })).toThrow();
});
