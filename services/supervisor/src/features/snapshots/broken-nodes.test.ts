import { execFileSync } from 'node:child_process';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { unprivileged } from '@sluice/system';
import { aDeployment, eventually, smallDisk, testFolder, type SmallDisk } from '@sluice/testing';
import { call, untilStatus } from '#test/client.ts';
import { supervisor, type Region } from '#test/region.ts';
import { unzipped } from '#test/zip.ts';
import type { components } from '../../generated/api.ts';
import type { Findings } from '@sluice/diagnostics/findings';

type Page = components['schemas']['SnapshotPage'];

/** A deployment in a region, and what snapshots of it say. */
async function examined(region: Region) {
  const key = await region.key();
  const shape = aDeployment({ limits: { access_rules: 3, snapshots: 100 } });
  const node = shape.nodes[0]!.id;
  await region.apply(shape);
  await untilStatus(region.replica().url, key, shape.id, 'initialized');
  const at = (path: string) => `${region.replica().url}/deployments/${shape.id}/snapshots${path}`;
  const home = join(region.nodesFolder, String(node));
  return {
    home,
    brokerPid: async () =>
      (JSON.parse(await readFile(join(home, 'broker.pid'), 'utf8')) as { pid: number }).pid,

    /** What a snapshot says now: the verdict at the top of its report, and its checks. */
    async look() {
      expect((await call(at(''), key, { method: 'POST' })).status).toBe(204);
      const id = await eventually(
        async () => {
          const { items } = (await call(at('?results=1'), key)).body as Page;
          expect(items[0]?.status).toBe('completed');
          return items[0]!.id;
        },
        { timeoutMs: 20_000 },
      );
      const { url } = (await call(at(`/${id}/download`), key)).body as { url: string };
      const files = await unzipped(await buffer((await fetch(url)).body!));
      const report = files.get('report.html')!.toString();
      const { checks } = JSON.parse(files.get('findings.json')!.toString()) as Findings;
      const statusOf = (of: string) => checks.find((check) => check.id === of)?.status;
      return { verdict: /class="verdict[\s\S]*?<\/div>/.exec(report)?.[0], checks, statusOf };
    },
  };
}

describe('a snapshot of a broken node names at the top', () => {
  const region = supervisor({ replicas: 1 });
  let disk: SmallDisk | undefined;
  region.beforeStart(() => {
    disk = smallDisk(region.nodesFolder, 96);
    // the fixture finds nodes by their folders, which go with the disk
    region.onClose(async () => {
      await region.stopAll();
      const nodes = (await region.nodeFolders()).filter(Number.isSafeInteger);
      for (const id of nodes) await region.loseNode(id);
      disk?.remove();
    });
  });
  let node: Awaited<ReturnType<typeof examined>>;
  beforeAll(async () => (node = await examined(region)));

  test('a full volume, which is told although nothing can be written any more', async () => {
    if (!disk) return console.warn('skipped: no disk can be mounted here');
    disk.fill();
    try {
      const { verdict, checks } = await node.look();
      expect(verdict).toContain('The volume is full');
      expect(checks[0]).toMatchObject({ id: 'disk_space', status: 'critical' });
    } finally {
      await disk.free();
    }
    expect((await node.look()).statusOf('disk_space')).toBe('ok');
  });

  test('exhausted file descriptors of the broker', async () => {
    const pid = await node.brokerPid();
    const open = (await readdir(`/proc/${pid}/fd`)).length;
    // the soft limit, which the broker's own user may lower and raise again
    const limit = (most: number) =>
      execFileSync(...unprivileged('prlimit', ['--pid', String(pid), `--nofile=${most}:`], 'dac_override'));
    const [, former] = /^Max open files\s+(\d+)/m.exec(await readFile(`/proc/${pid}/limits`, 'utf8')) ?? [];
    limit(open);
    try {
      const { verdict, checks } = await node.look();
      expect(verdict).toContain('file descriptors are exhausted');
      expect(checks[0]).toMatchObject({ id: 'broker_descriptors', status: 'critical' });
    } finally {
      limit(Number(former));
    }
    expect((await node.look()).statusOf('broker_descriptors')).toBe('ok');
  });

  test('a broker in a crash loop, with the reason that it gives', async () => {
    const store = join(node.home, 'broker/jetstream');
    await rename(store, `${store}.away`);
    await writeFile(store, 'no folder');
    process.kill(await node.brokerPid(), 'SIGKILL');
    try {
      const { verdict } = await eventually(
        async () => {
          const found = await node.look();
          expect(found.statusOf('broker_running')).toBe('critical');
          return found;
        },
        { timeoutMs: 30_000 },
      );
      expect(verdict).toMatch(/The broker is in a crash loop: it has failed \d+ times in a row\./);
      expect(verdict).toContain('(code 1): [FTL]');
    } finally {
      await rm(store);
      await rename(`${store}.away`, store);
    }
  }, 60_000);
});

describe('a snapshot of a node with a wrong clock', () => {
  const region = supervisor({ replicas: 1 });
  region.beforeStart(async () => {
    const agent = pathToFileURL(
      fileURLToPath(new URL('../../../../node-agent/src/main.ts', import.meta.url)),
    );
    const entry = join(await testFolder(), 'main.ts');
    // as on a machine whose clock is five minutes behind
    await writeFile(
      entry,
      `const { Date: RightDate } = globalThis;
       const now = () => RightDate.now() - 300_000;
       globalThis.Date = class extends RightDate {
         constructor(...args) { super(...(args.length === 0 ? [now()] : args)); }
         static now() { return now(); }
       };
       await import(${JSON.stringify(agent.href)});`,
    );
    region.environment['LOCAL_AGENT_ENTRY'] = entry;
  });

  test('names it at the top', async () => {
    const { verdict, checks } = await (await examined(region)).look();
    expect(verdict).toMatch(/The clock of the machine is 5 min behind that of the region/);
    expect(checks[0]).toMatchObject({ id: 'clock', status: 'critical' });
  });
});
