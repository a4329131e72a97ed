import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wantedOf } from '../src/document/wanted.ts';
import { read, wanted } from './fixtures/given.ts';

const invalid = (faults: unknown[]) => ({ name: 'InvalidDocument', faults });
const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

test('faults name file, line and column, all of them at once', async () => {
  const text = `divisions:
  - name: payments
    colour: red
    environments:
      - name: dev
        deployments:
          - name: orders
            backups: { cron: '0 3 * * *', keep: many }
`;
  await expect(read({ 'a.yaml': text, 'b.yaml': 'set: [' })).rejects.toMatchObject(
    invalid([
      matching(/^a\.yaml:3:13: \/divisions\/0\/colour: is not known here$/),
      matching(/^a\.yaml:8:\d+: \/divisions\/0\/environments\/0\/deployments\/0\/backups\/keep: /),
      matching(/^b\.yaml:1:\d+: /),
    ]),
  );
});

test('secrets come from the environment or a file beside the document, are never shown, and not written out', async () => {
  const sink = (value: string) =>
    `audit_sink: { https: { url: 'https://log.example', headers: { Authorization: ${value} } } }`;
  await expect(read({ 'a.yaml': sink('Bearer-abc') })).rejects.toMatchObject(
    invalid([matching(/a\.yaml:1:\d+: .*Authorization: .*\$\{env:NAME\}/)]),
  );
  await expect(read({ 'a.yaml': sink("'Bearer ${env:TOKEN}'") })).rejects.toMatchObject(
    invalid([matching(/TOKEN is not set/)]),
  );
  const { documents, secrets } = await read({ 'a.yaml': sink("'Bearer ${env:TOKEN}'") }, { TOKEN: 's3cret' });
  const [entry] = wantedOf(documents).entries.values();
  expect(entry?.fields).toMatchObject({ https: { headers: { Authorization: 'Bearer s3cret' } } });
  expect(secrets.masked(entry?.fields)).toMatchObject({ https: { headers: { Authorization: '(secret)' } } });

  const folder = join((await read({ 'a.yaml': '{}' })).folder, 'nested');
  await mkdir(folder);
  await writeFile(join(folder, 'token'), 'from-file\n');
  expect(secrets.resolve('${file:token}', folder)).toBe('from-file');
});

test('a chat without a reference is refused: its address is a secret', async () => {
  const chat = "channels: [{ name: chat, channel: chat, destination: 'https://hooks.example/T0' }]";
  await expect(read({ 'a.yaml': chat })).rejects.toMatchObject(invalid([matching(/destination: .*secret/)]));
});

test('several documents are one: places are shared, what is in them is not', async () => {
  const one = 'set: shop\ndivisions: [{ name: payments, environments: [{ name: dev, description: First }] }]';
  const two = 'divisions: [{ name: payments, description: Money, environments: [{ name: live }] }]';
  const { set, entries } = await wanted(one, two);
  expect(set).toBe('shop');
  expect([...entries.keys()]).toEqual([
    'division payments',
    'environment payments/dev',
    'environment payments/live',
  ]);
  expect(entries.get('division payments')?.fields).toEqual({ name: 'payments', description: 'Money' });

  await expect(wanted(one, one.replace('First', 'Second'))).rejects.toMatchObject(
    invalid([
      matching(
        /1\.yaml:2:\d+: the environment payments\/dev is in .*0\.yaml:2:\d+ already with another description/,
      ),
    ]),
  );
  await expect(wanted(one, one.replace('shop', 'other'))).rejects.toMatchObject(
    invalid([matching(/several sets/)]),
  );
});
