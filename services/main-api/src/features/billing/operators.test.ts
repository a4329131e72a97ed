import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runAdmin } from '@sluice/admin';
import { idOf, type DeploymentId, type ReportData } from '@sluice/contracts';
import { client, eventually, testFolder } from '@sluice/testing';
import { parse, stringify } from 'yaml';
import { mainApi } from '#test/main-api.ts';
import { catalogueFile } from '#test/settings.ts';
import type { Catalogue } from '@sluice/catalogue/catalogue';

const on = mainApi({ replicas: 1 });
const region = on.region();
const a = on.tenants();

const admin = (...args: string[]) => runAdmin(['billing', ...args], on.environment);
const refused = async (...args: string[]) => {
  await expect(admin(...args)).rejects.toThrow();
  return await admin(...args).catch((error: unknown) => (error as Error).message);
};

/** A catalogue file with another price of local storage. */
async function aFile(local_ssd: string): Promise<string> {
  const catalogue = parse(await readFile(catalogueFile, 'utf8')) as Catalogue;
  catalogue.prices.storage_gb.local_ssd = local_ssd;
  const file = join(await testFolder(), 'catalogue.yaml');
  await writeFile(file, stringify(catalogue));
  return file;
}

const inHours = (hours: number) =>
  new Date(Math.ceil(Date.now() / 1000) * 1000 + hours * 3_600_000).toISOString();

describe('prices', () => {
  test('are compared, tried, published for all or a tenant, and taken back', async () => {
    const acme = await a.tenant();
    expect(await admin('prices', 'diff', '--file', catalogueFile)).toBe(
      'The file says what the valid list 1 says.',
    );
    const file = await aFile('0.15');
    expect(await admin('prices', 'diff', '--file', file)).toMatch(
      /^Against list 1, which is valid:\nPRICE +BEFORE +AFTER\nprices\.storage_gb\.local_ssd +0\.14 +0\.15$/,
    );
    const from = inHours(24);
    const publish = ['prices', 'publish', '--from', from];
    expect(await admin(...publish, '--file', file, '--dry-run')).toMatch(/^List 2 would be valid from /);
    const announced = async () =>
      ((await client(on.replica().url).get('/pricing')).body as { announced: { list: number }[] }).announced;
    expect(await announced()).toEqual([]);
    expect(await admin(...publish, '--file', file)).toContain('for all tenants without a list of their own');
    await eventually(async () => expect(await announced()).toMatchObject([{ list: 2, valid_from: from }]));
    await eventually(() =>
      expect(region.eventsOf('prices_announced', { tenant_id: acme.id })).toMatchObject([
        { data: { list: 2 } },
      ]),
    );
    // taken back: the list before is assigned with the same time
    expect(await admin(...publish, '--list', '1')).toContain('Against list 2:');
    await eventually(async () => expect(await announced()).toEqual([]));
    expect(await admin(...publish, '--list', '2', '--tenant', String(acme.id))).toContain(
      `for tenant ${acme.id}`,
    );
    expect(await announced()).toEqual([]);
    expect(await admin(...publish, '--list', 'general', '--tenant', String(acme.id))).toMatch(
      /^The list of all tenants is valid/,
    );
  });

  test('are refused when they are not to be used', async () => {
    const from = ['--from', inHours(24)];
    const publish = (...more: string[]) => refused('prices', 'publish', ...more);
    expect(await publish(...from)).toContain('Say which prices');
    expect(await publish('--list', '1')).toContain("Required option '--from");
    expect(await publish('--list', '1', '--from', inHours(0))).toContain('at least 10 minutes ahead');
    expect(await publish('--list', '1', '--from', '2030-01-01')).toContain('It has to be a time');
    expect(await publish('--list', '900', ...from)).toBe('There is no list 900.');
    expect(await publish('--list', 'general', ...from)).toContain('belongs to --tenant');
    expect(await publish('--list', '1', ...from, '--tenant', '999999')).toBe('There is no tenant 999999.');
    expect(await publish('--file', await aFile('1e3'), ...from)).toMatch(
      /no usable prices:\n {2}prices\.storage_gb/,
    );
    expect(await publish('--file', '/nowhere.yaml', ...from)).toContain('cannot be read');
    expect(await refused('prices', 'set')).toContain("Unknown command 'set'");
    expect(await refused('explain', '1', '--month', '2026-13')).toContain('It has to be a month');
    expect(await refused('explain', '1', '--dry-run')).toContain("Unknown option '--dry-run'");
  });

  test('are refused where a deployment would cost more than regions accept, with the price that makes it so', async () => {
    const acme = await a.tenant();
    const created = await acme.starter();
    const id = created.headers.get('svc-deployment') ?? '';
    const file = await aFile('999999');
    const publish = ['prices', 'publish', '--from', inHours(24), '--tenant', String(acme.id), '--file', file];
    // a deployment of the tier free costs nothing
    expect(await admin(...publish, '--dry-run')).toMatch(/^List \d+ would be valid/);
    const shape = "tier = 'small', storage_type = 'local_ssd', storage_size = 20";
    await on.sql(`UPDATE deployments SET ${shape} WHERE id = $1`, [id]);
    expect(await refused(...publish)).toMatch(
      new RegExp(
        `^With prices\\.storage_gb\\.local_ssd, deployment ${id} would cost \\$20000\\d{3}\\.\\d\\d a month; .* \\$10000000 at most`,
      ),
    );
    await on.sql('UPDATE deployments SET storage_size = 9 WHERE id = $1', [id]);
    expect(await admin(...publish, '--dry-run')).toMatch(/^List \d+ would be valid/);
  });

  test('two that publish at once make two lists', async () => {
    const [one, other] = await Promise.all(
      ['0.16', '0.17'].map(async (price, hours) =>
        admin('prices', 'publish', '--from', inHours(48 + hours), '--file', await aFile(price)),
      ),
    );
    const numbers = [one, other].map((text) => /^List (\d+)/.exec(text ?? '')?.[1]);
    expect(new Set(numbers).size).toBe(2);
  });
});

describe('usage that is missing', () => {
  const hoursAgo = (hours: number) => new Date(Math.floor(Date.now() / 1000) * 1000 - hours * 3_600_000);
  const price = { compute: 2_628_000, storage: 0, network: 0, telemetry: 0, data_retention: 0, list: 1 };

  test('is shown, asked for again with an entry in the audit log, and explained when it has come', async () => {
    const acme = await a.tenant();
    const created = await acme.starter();
    const id = idOf<DeploymentId>(created.headers.get('svc-deployment') ?? '');
    const { uid, storage } = (await region.shape(id)).deployment;
    const end = hoursAgo(3);
    const [middle, start] = [1, 2].map((hours) => new Date(end.getTime() - hours * 3_600_000)) as [
      Date,
      Date,
    ];
    const month = start.toISOString().slice(0, 7);
    await on.sql("UPDATE deployments SET tier = 'small' WHERE id = $1", [id]);
    await on.sql('DELETE FROM deployment_statuses WHERE deployment_uid = $1', [uid]);
    await region.status(id, 5, 'initialized', { uid, changed_at: start.toISOString() });
    await region.status(id, 6, 'stopped', { uid, changed_at: end.toISOString() });
    const used = (from: Date, to: Date) =>
      region.report('usage', {
        ...{ deployment_id: id, uid, price, tier: 'small', nodes: 1, storage },
        ...{ from: from.toISOString(), to: to.toISOString() },
      } satisfies ReportData<'usage'>);
    await used(start, middle);
    const reconcile = (...more: string[]) => admin('reconcile', '--month', month, ...more);
    const before = region.commandsOf('deployment_apply', id).length;
    const gap = new RegExp(`${id} +${middle.toISOString()} +${end.toISOString()}`);
    expect(await reconcile('--dry-run')).toMatch(gap);
    expect(region.commandsOf('deployment_apply', id)).toHaveLength(before);
    expect(await reconcile()).toContain('Usage of 1 deployments is asked for again.');
    const commands = await region.untilCommanded('deployment_apply', id, before + 1);
    expect(commands.at(-1)?.report_above).toBe(6);
    await eventually(() =>
      expect(region.eventsOf('billing_usage_requested', { deployment: id })).toHaveLength(1),
    );
    await used(middle, end);
    expect(await reconcile()).toContain(`Nothing is missing in ${month}.`);
    const explained = await admin('explain', String(id), '--month', month);
    expect(explained).toMatch(/(3600 +small +1 .* 1 +26280\.00 +36\.0000000000\n?.*){2}/);
    expect(explained).toContain(`has cost $72.00 in ${month}`);
    await region.register({ usage_to: hoursAgo(9).toISOString() });
    expect(await reconcile()).toContain('cloud_a/us-east-1 has reported usage until');
  });
});
