import { parseArgs } from 'node:util';

export const usage = `Usage: npm run release -- --registry <registry> --key <cosign key> [options]

Makes the version that .changeset asks for, its images, chart and archive, in dist/release-<version>, and tags the commit at the end.

  --registry <name>     where the images are: registry.example for registry.example/sluice/main-api
  --key <reference>     the private key: a file of cosign (its password in COSIGN_PASSWORD), or a KMS as cosign knows it
  --layout              keep the images in dist/release-<version>/oci; nothing is pushed
  --pre <kind>          a prerelease, such as rc: 1.1.0-rc.0
  --platforms <list>    default: linux/amd64, and linux/arm64 where Docker's builder makes both
  --base <registry>     where node and nats come from (default: docker.io/library)
  --source <url>        where the sources are, for the images' labels (default: the remote origin)
  --dry-run             print what would be done
`;

export interface Options {
  registry: string;
  key: string;
  layout: boolean;
  pre: string | undefined;
  platforms: string[] | undefined;
  base: string;
  source: string | undefined;
  dryRun: boolean;
}

/** @throws Error that says which option is wrong */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      registry: { type: 'string' },
      key: { type: 'string' },
      layout: { type: 'boolean', default: false },
      pre: { type: 'string' },
      platforms: { type: 'string' },
      base: { type: 'string', default: 'docker.io/library' },
      source: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const { registry, key, layout, pre, base, source } = values;
  for (const [name, value] of Object.entries({ registry, key }))
    if (value === undefined || value === '') throw new Error(`--${name} is missing.\n\n${usage}`);
  for (const [name, value] of Object.entries({ registry, base }))
    if (value !== undefined && !/^[a-z0-9.[\]:-]+(\/[a-z0-9._-]+)*$/.test(value))
      throw new Error(
        `--${name} is the name of a registry with a path, such as registry.example: not ${value}.`,
      );
  if (pre !== undefined && !/^[a-z]+$/.test(pre)) throw new Error(`--pre is a word such as rc: not ${pre}.`);
  if (source !== undefined && !URL.canParse(source)) throw new Error(`--source is no URL: ${source}.`);
  const platforms = values.platforms?.split(',');
  const unknown = platforms?.filter((one) => !['linux/amd64', 'linux/arm64'].includes(one)) ?? [];
  if (unknown.length > 0)
    throw new Error(`--platforms knows linux/amd64 and linux/arm64: not ${unknown.join(', ')}.`);
  const required = { registry: registry ?? '', key: key ?? '' };
  return { ...required, layout, pre, platforms, base, source, dryRun: values['dry-run'] };
}
