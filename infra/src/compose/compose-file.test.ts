import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAddress, parseBlock } from '@sluice/system';
import { parse } from 'yaml';
import { z } from 'zod';
import { repository } from '../settings.ts';

const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.object({
      networks: z
        .union([z.array(z.string()), z.record(z.string(), z.unknown()).transform((map) => Object.keys(map))])
        .default([]),
      ports: z.array(z.string()).default([]),
      volumes: z.array(z.string()).default([]),
      environment: z.record(z.string(), z.coerce.string()).default({}),
      mem_limit: z.string().optional(),
      pids_limit: z.number().optional(),
    }),
  ),
  networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) }).nullable()),
});
const read = async (name: string) => {
  const text = await readFile(join(repository, 'infra', name), 'utf8');
  return composeSchema.parse(parse(text, { merge: true }));
};

/** As it is without any variable, with the names that the front door has in its network. */
async function withDefaults() {
  const text = await readFile(join(repository, 'infra/compose.yaml'), 'utf8');
  const filled = (from: string) => from.replaceAll(/\$\{\w+:-([^${}]*)\}/g, '$1');
  // variables are defaults of others
  const found: unknown = parse(filled(filled(text)), { merge: true });
  const { services } = z
    .object({
      services: z.object({
        'front-door': z.object({
          networks: z.object({ front: z.object({ aliases: z.array(z.string()) }) }),
        }),
      }),
    })
    .parse(found);
  return { ...composeSchema.parse(found), aliases: services['front-door'].networks.front.aliases };
}

let compose: z.infer<typeof composeSchema>;
beforeAll(async () => {
  compose = await read('compose.yaml');
});
const supervisors = ['supervisor-cloud_a', 'supervisor-cloud_b'];
/** Who shares a network with a service. */
const neighboursOf = (service: string) => {
  const own = compose.services[service]?.networks ?? [];
  const others = Object.entries(compose.services).filter(([name]) => name !== service);
  return others
    .filter(([, { networks }]) => networks.some((network) => own.includes(network)))
    .map(([name]) => name)
    .sort();
};

test('the container of a region, in which its nodes run, reaches no service but the front door and its servers', () => {
  for (const supervisor of supervisors)
    expect(neighboursOf(supervisor)).toEqual(['front-door', 'nats', 'postgres']);
});

test('the console reaches regions by the front door alone, and all services know which host it has', async () => {
  expect(neighboursOf('console')).toEqual(['audit', 'first-tenant', 'front-door', 'main-api']);
  const { services, aliases } = await withDefaults();
  const settings = (service: string) => services[service]?.environment ?? {};
  const url = 'http://console.sluice.localhost:7600';
  expect(settings('console')['PUBLIC_URL']).toBe(url);
  for (const service of ['main-api', 'notifier', 'first-tenant', ...supervisors])
    expect([service, settings(service)['CONSOLE_URL']]).toEqual([service, url]);
  expect(settings('main-api')).toMatchObject({
    SIGN_IN_CALLBACK_URL: `${url}/sign-in/callback`,
    DEVICE_PAGE_URL: `${url}/account/device`,
  });
  const regions = supervisors.map((service) => {
    const { CLOUD, REGION, PUBLIC_URL = '' } = settings(service);
    return { key: `${CLOUD}/${REGION}`, host: new URL(PUBLIC_URL).hostname };
  });
  expect(aliases).toEqual(regions.map(({ host }) => host));
  expect(settings('console')['REGION_ADDRESSES']).toBe(
    regions.map(({ key, host }) => `${key}=http://${host}:8080`).join(),
  );
});

test('its connectors connect to no private address, so to nothing that is on a network of Compose', () => {
  for (const supervisor of supervisors) {
    const { CONNECTORS_REFUSED = '', CONNECTORS_ALLOWED } = compose.services[supervisor]?.environment ?? {};
    expect(CONNECTORS_ALLOWED).toBe('${CONNECTORS_ALLOWED:-}');
    const refused = CONNECTORS_REFUSED.split(',').map(parseBlock);
    for (const text of ['10.1.2.3', '172.17.0.1', '172.31.0.2', '192.168.0.2', '100.64.0.1', 'fd00::1'])
      expect(refused.some((block) => block.contains(parseAddress(text)!))).toBe(true);
  }
});

test('servers, and who else has all of their secrets, are on networks that nothing leaves', () => {
  for (const service of ['postgres', 'nats', 'databases', 'admin'])
    for (const network of compose.services[service]?.networks ?? [])
      expect([network, compose.networks[network]?.internal]).toEqual([network, true]);
});

test('caught mails are shown on the loopback interface alone, and only with the local file', async () => {
  expect(neighboursOf('mail')).toEqual(['notifier']);
  expect(compose.services['mail']?.ports).toEqual([]);
  const local = await read('compose.local.yaml');
  const ports = Object.values(local.services).flatMap((service) => service.ports);
  expect(local.services['mail']?.ports).toHaveLength(1);
  expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  // a second clone runs beside the first one
  expect(ports.filter((port) => !/^127\.0\.0\.1:\$\{[A-Z_]+_PORT:-\d+\}:\d+$/.test(port))).toEqual([]);
});

test('nothing takes the memory or the processes of the machine for itself', () => {
  const unlimited = Object.entries(compose.services).filter(([, one]) => !one.mem_limit || !one.pids_limit);
  expect(unlimited.map(([name]) => name)).toEqual([]);
});

/** The packages of the workspace that a program consists of. */
async function packagesOf(folder: string, found = new Set<string>()): Promise<Set<string>> {
  const manifest = await readFile(join(repository, folder, 'package.json'), 'utf8');
  const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: Record<string, string> };
  for (const name of Object.keys(dependencies)) {
    const path = name.replace('@sluice/', 'packages/');
    if (path === name || found.has(path)) continue;
    found.add(path);
    await packagesOf(path, found);
  }
  return found;
}

test.each([
  ['main-api', ['main-api']],
  ['audit', ['audit']],
  ['notifier', ['notifier']],
  ['console', ['console']],
  ['supervisor-cloud_a', ['supervisor', 'node-agent']],
  ['supervisor-cloud_b', ['supervisor', 'node-agent']],
])('with the local file %s runs the sources of all of its packages', async (container, programs) => {
  const local = await read('compose.local.yaml');
  const packages = await Promise.all(programs.map((name) => packagesOf(`services/${name}`)));
  const wanted = new Set(packages.flatMap((some) => [...some]));
  expect(wanted.size).toBeGreaterThan(5);
  const mounted = (path: string) => `../${path}/src:/sluice/${path}/src:ro`;
  const { volumes = [] } = local.services[container] ?? {};
  expect([...wanted].filter((path) => !volumes.includes(mounted(path)))).toEqual([]);
});
