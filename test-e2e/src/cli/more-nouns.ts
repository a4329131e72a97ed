import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '@sluice/testing';
import type { Program } from './program.ts';

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const containing = (text: string): unknown => expect.stringContaining(text);

/** what is refused: the command line, its exit code, and what stderr says */
const refusals: readonly (readonly [line: string, code: number, said: RegExp])[] = [
  ['configs show nope nouns', 5, /sluice configs list default\/nouns\/nouns/],
  ['configs edit broker nouns', 2, /--file/],
  ['configs edit broker@7 nouns --file /dev/null', 5, /sluice configs list/],
  ['configs edit 7 nouns --file /dev/null', 2, /by its name/],
  ['configs edit other nouns --file list.yaml', 7, /has to be an object/],
  ['configs edit other nouns --file bad.yaml', 7, /neither YAML nor JSON/],
  ['configs edit other nouns --file unknown.yaml', 7, /NO_SUCH_KEY: is not a key/],
  ['configs diff broker nouns --with broker@1 --file list.yaml', 2, /--with or --file/],
  ['configs rollback nouns --kind connector:sink:nope', 5, /\S/],
  ['connectors activate http nouns', 2, /sink\/http/],
  ['connectors activate nope nouns', 5, /sluice connectors catalogue/],
  ['connectors configure nope nouns --on', 5, /sluice connectors list/],
  ['connectors configure nope nouns --on --off', 2, /--off/],
  ['network create peering x nouns', 2, /--peer-vpc-id, --peer-owner-id, --peer-vpc-cidr/],
  ['network create peering x nouns --peer-vpc-name x', 2, /no --peer-vpc-name/],
  ['network create tunnel x nouns', 2, /private-link/],
  ['network show x nouns', 5, /sluice network list/],
  ['nodes show x nouns', 5, /sluice nodes list/],
  ['nodes accept-loss node-1 nouns', 2, /--yes/],
  ['nodes accept-loss node-1 nouns --yes', 6, /Request: /],
  ['byoc setup default/nouns --cloud cloud_a', 2, /--region/],
  ['byoc validate default/nouns --cloud cloud_a --region us-east-1 --account-id 1', 2, /--identity-arn/],
  [
    'byoc create default/nouns/own --cloud cloud_b --region us-central1 --tier small --vpc-id x',
    2,
    /no --vpc-id/,
  ],
  ['certificates show nope', 5, /sluice deployments list/],
  [
    'cloud-accounts create x --cloud cloud_a --account-id 123456789012 --vpc-network x',
    2,
    /no --vpc-network/,
  ],
  ['cloud-accounts create x --cloud cloud_a --account-id 1', 7, /--account-id/],
  ['cloud-accounts edit nope --name x', 5, /sluice cloud-accounts list/],
  ['channels create email x', 2, /--email/],
  ['channels create webhook x --url-file insecure.txt', 7, /destination/],
  ['channels edit nope --on', 5, /sluice channels list/],
  ['subscriptions list nope', 5, /sluice channels list/],
  ['subscriptions delete nope x --yes', 2, /by its id/],
  ['subscriptions create nope --types consumer_lag_high --lag 5', 2, /100, 1000, 10000/],
  ['join-requests approve nobody@example.com', 5, /join-requests list --pending/],
  ['roles create x', 2, /--file/],
  ['roles create x --file list.yaml', 7, /has to be an object/],
  ['roles edit viewer --name x', 4, /Request: /],
  ['roles explain nowhere', 5, /nowhere/],
  ['roles explain --member a --key b', 2, /--member or --key/],
  ['plan change gold', 2, /enterprise/],
  ['audit verify nope.ndjson', 2, /ENOENT/],
  ['audit verify list.yaml', 1, /is no entry/],
  ['audit verify --partial', 2, /--partial/],
  ['audit tail -o json', 2, /ndjson/],
  ['audit sink show', 5, /sluice audit sink edit/],
  ['audit sink delete --yes', 5, /\S/],
];

const files = {
  'list.yaml': '- 1\n',
  'bad.yaml': '{',
  'unknown.yaml': 'NO_SUCH_KEY: 1\n',
  'insecure.txt': 'http://hooks.example.com\n',
};

/** Further nouns, on the stack and the deployment `default/nouns/nouns` of those before. */
export function moreNouns(program: () => Program): void {
  const folder = () => join(program().config, '..');

  test('what is refused says why, with its exit code, and without data on stdout', async () => {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder(), name), text);
    const waiting = [...refusals];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [line, code, said] = next;
        const ended = await program().shell(`sluice ${line}`);
        expect({ line, ...ended }).toEqual({ line, code, stdout: '', stderr: matching(said) });
      }
    };
    await Promise.all([work(), work(), work()]);
  }, 180_000);

  test('a configuration that was changed while an editor was open is not overwritten', async () => {
    const sluice = program();
    const store = (text: string) => `echo '${text}' | sluice configs edit concurrent nouns --file -`;
    expect(await sluice.shell(store('BROKER_MESSAGE_MAX_SIZE: 1MiB'))).toMatchObject({ code: 0 });
    const editor = join(folder(), 'editor.sh');
    const other = join(folder(), 'other.yaml');
    await writeFile(other, 'BROKER_MESSAGE_MAX_SIZE: 512KiB\n');
    const inEditor = `'${process.execPath}' '${sluice.path}' configs edit concurrent nouns --file '${other}' > /dev/null`;
    await writeFile(editor, `stat -c %a "$1"\n${inEditor}\necho 'BROKER_MESSAGE_MAX_SIZE: 256KiB' > "$1"\n`);
    const edit = ['configs', 'edit', 'concurrent', 'nouns'];
    const late = await sluice.terminal(edit, 200, [], { EDITOR: `sh '${editor}'` });
    expect(late).toMatchObject({ code: 6, stdout: matching(/^600\r?$/m) });
    const [, kept = ''] = /--file (\S+\.yaml)/.exec(late.stdout) ?? [];
    expect(await readFile(kept, 'utf8')).toContain('256KiB');
    expect(await sluice.json('configs', 'show', 'concurrent', 'nouns')).toMatchObject({ version: 2 });
    expect(await sluice.run([...edit, '--file', kept, '-o', 'name'])).toMatchObject({
      stdout: 'concurrent@3\n',
    });
    expect(await sluice.run([...edit, '--file', kept])).toMatchObject({
      stdout: '',
      stderr: containing('Nothing is different'),
    });
  }, 60_000);

  test('the examples of the pages give what the pages say', async () => {
    const names = (await readdir(join(repository, 'packages/cli/examples'))).sort();
    const [owner] = await program().json<{ email: string }[]>('members', 'list');
    // what is exported or peered with needs the plan, and a subscription its channel
    for (const name of [...new Set(['plan.txt', ...names])]) {
      const text = await readFile(join(repository, 'packages/cli/examples', name), 'utf8');
      const own = text
        .replaceAll('payments/dev', 'default/nouns')
        .replaceAll(/\b(dev|orders)\b/g, 'nouns')
        .replaceAll('owner@example.com', owner?.email ?? '');
      for (const example of own.split(/^\$ /m).slice(1)) {
        const [line = '', ...lines] = example.trimEnd().split('\n');
        const { stdout } = await program().shell(line);
        expect([line, stdout]).toEqual([line, matching(patternOf(lines))]);
      }
    }
  }, 240_000);

  test('an entry of the log that was changed, moved or added is named; new ones are shown as they come', async () => {
    const sluice = program();
    const log = (await sluice.run(['audit', 'export'])).stdout.trimEnd().split('\n');
    const [a = '', b = '', c = '', ...rest] = log;
    const cases: [lines: string[], said: RegExp][] = [
      [[a, b.replace(/"name":"[^"]*"/, '"name":"x"'), c], /line 2: entry 2 was changed/],
      [[a, c, b, ...rest], /line 3: entry 2 was moved: it stands behind entry 3/],
      [[a, b, b, c], /line 3: entry 2 does not belong behind 2/],
    ];
    for (const [lines, said] of cases) {
      await writeFile(join(folder(), 'log.ndjson'), `${lines.join('\n')}\n`);
      expect(await sluice.shell('sluice audit verify log.ndjson')).toEqual({
        code: 1,
        stdout: '',
        stderr: matching(said),
      });
    }
    const tail = await sluice.stopped(['audit', 'tail', '--since', '1h', '-o', 'ndjson']);
    expect(tail.code).toBe(130);
    expect(JSON.parse(tail.stdout.split('\n')[0] ?? '')).toMatchObject({ type: 'tenant_created' });
  });
}

/**
 * `…` is anything within a line, and as a line of its own any lines; widths of columns follow from what is in them. A number alone, or
 * as a first column, is an id: other tests of the stack take some, too.
 */
function patternOf(lines: readonly string[]): RegExp {
  const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const parts = lines.map((line) => {
    if (line === '…') return '(?:.*\n)*';
    const text = escaped(line.trimEnd()).replace(/^\d+(?= {2}|$)/, String.raw`\d+`);
    return `${text.replaceAll('…', '.*').replaceAll(/ +/g, ' +')} *\n`;
  });
  return new RegExp(`^${parts.join('')}$`);
}
