import { eventually } from '@sluice/testing';
import type { Program } from './program.ts';

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const withFields = (fields: object): unknown => expect.objectContaining(fields);

type Refused = (args: string[], code: number, said: RegExp) => Promise<void>;

/** `sluice deployments rotate-key`, with an encrypted deployment of its own beside `nouns`, which is not encrypted. */
export function rotateKeyTests(program: () => Program, refused: Refused): void {
  const place = 'default/nouns/sealed';
  const rotate = (...args: string[]) => ['deployments', 'rotate-key', 'sealed', ...args];

  test('rotate-key: what is stored stays, several at once do not meet, and what has no key is refused', async () => {
    const sluice = program();
    await refused(['deployments', 'rotate-key', 'nope'], 5, /sluice deployments list/);
    await refused(['deployments', 'rotate-key', 'nouns'], 6, /not encrypted[^]*Request: /);
    const where = [place, '--cloud', 'cloud_a', '--region', 'us-east-1', '--tier', 'small'];
    const created = await sluice.json('deployments', 'create', ...where, '--encrypted', '--wait');
    expect(created).toMatchObject({ status: 'initialized' });
    await sluice.json('access', 'add', 'sealed', '--me', '--for', '1h');
    const stream = ['streams', 'create', 'KEPT', 'sealed', '--subjects', 'kept'];
    // a new rule takes a moment to reach the node
    await eventually(async () => expect(await sluice.run(stream)).toMatchObject({ code: 0 }), {
      timeoutMs: 30_000,
    });
    expect(await sluice.run(['pub', 'kept', 'before', '--deployment', 'sealed'])).toMatchObject({ code: 0 });

    expect(await sluice.json(...rotate('--dry-run'))).toMatchObject({
      method: 'POST',
      url: matching(/\/encryption\/rotate$/),
    });
    const viewer = ['keys', 'create', 'reads', '--role', 'viewer', '--query', 'token'];
    const env = { SLUICE_API_KEY: (await sluice.run(viewer)).stdout.trim() };
    expect(await sluice.run(rotate(), { env })).toMatchObject({
      code: 4,
      stdout: '',
      stderr: matching(/deployment:manage/),
    });

    // whether they meet is up to the machine: each makes a version of its own, or is refused while another is under way
    const several = await Promise.all(Array.from({ length: 5 }, () => sluice.run(rotate())));
    const made = several.filter(({ code }) => code === 0);
    for (const one of made)
      expect(one).toMatchObject({ stdout: '', stderr: `${place} gets a new version of its key.\n` });
    for (const one of several.filter((each) => !made.includes(each)))
      expect(one).toMatchObject({
        code: 6,
        stdout: '',
        stderr: matching(/newest version of the key[^]*Request: /),
      });
    expect(made.length).toBeGreaterThan(0);
    const conditions = ['--query', "live.conditions[?type=='Encrypted'].status"];
    const isEncrypted = async () =>
      (await sluice.run(['deployments', 'show', 'sealed', ...conditions])).stdout;
    await eventually(async () => expect(await isEncrypted()).toBe('True\n'), { timeoutMs: 60_000 });

    expect(await sluice.run(rotate('--wait'))).toMatchObject({
      code: 0,
      stdout: '',
      stderr: matching(/is encrypted with the new version of its key\.\n$/),
    });
    expect(await isEncrypted()).toBe('True\n');
    expect(await sluice.json('messages', 'list', 'KEPT', 'sealed')).toEqual([withFields({ sequence: 1 })]);
    const audited = ['--types', 'deployment_encryption_key_rotated', '--deployment', 'sealed'];
    const newestFirst = Array.from({ length: made.length + 1 }, (_, at) => made.length + 2 - at);
    await eventually(async () => {
      const entries = await sluice.json<{ data: { version: number } }[]>('audit', 'list', ...audited);
      expect(entries.map(({ data }) => data.version)).toEqual(newestFirst);
    });

    await sluice.json('deployments', 'stop', 'sealed', '--wait');
    await sluice.run(['deployments', 'wait', 'sealed', '--for', 'stopped']);
    await refused(rotate(), 6, /stopped, not initialized/);
    expect(await sluice.run(['deployments', 'delete', 'sealed', '--yes', '--wait'])).toMatchObject({
      code: 0,
    });
  }, 240_000);
}
