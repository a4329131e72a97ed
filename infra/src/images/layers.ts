import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { docker } from './images.ts';

const run = promisify(execFile);
const output = { maxBuffer: 256_000_000 };

/** names of files that have no business in an image */
const secretNames =
  /(^|\/)(\.npmrc|\.env[^/]*|\.git|\.sluice[^/]*|stack\.json|id_rsa|[^/]*\.nk|identity\.json)(\/|$)/;

/** what our secrets, and those of registries, look like */
const secretContents = [
  String.raw`\bSU[A-Z2-7]{56}\b`,
  String.raw`\bsvc_[A-Za-z0-9_-]{40,}`,
  '-----BEGIN ([A-Z]+ )?PRIVATE KEY-----[[:space:]]*[A-Za-z0-9+/=]{40}',
  '_authToken *=',
].join('|');

/**
 * How keys begin that libraries publish, and that stand in what Node has compiled of them: that of smtp-server's certificate for tests. The
 * listener for bounces has STARTTLS with a certificate of its operator only.
 */
const publishedKeys = ['MIIEpAIBAAKCAQEA6Z5Qqhw+oWfhtEiMHE32Ht94'];
const mostNamed = 3;

/** What looks like a secret in any layer of an image, also in one that a later layer hides, or in how the image came about. */
export async function secretsIn(tag: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-image-'));
  try {
    await docker('save', '--output', join(folder, 'image.tar'), tag);
    await run('tar', ['-xf', 'image.tar'], { cwd: folder });
    const [manifest] = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
      Layers: string[];
    }[];
    const found = [];
    for (const layer of manifest?.Layers ?? []) found.push(...(await secretsOfLayer(join(folder, layer))));
    const history = await docker('history', '--no-trunc', '--format', '{{.CreatedBy}}', tag);
    if (new RegExp(String.raw`SU[A-Z2-7]{56}|svc_[\w-]{40}|_authToken|PRIVATE KEY`).test(history))
      found.push('a secret in its history');
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param layer the archive of its files */
export async function secretsOfLayer(layer: string): Promise<string[]> {
  const { stdout } = await run('tar', ['-tf', layer], output);
  const named = stdout.split('\n').filter((name) => name.startsWith('sluice/') && secretNames.test(name));
  const contents = await run(
    'sh',
    [
      '-c',
      'tar -xOf "$0" --wildcards "sluice/*" 2>/dev/null | grep -aoEz -e "$1" || true',
      layer,
      secretContents,
    ],
    output,
  );
  return [
    ...named,
    ...contents.stdout
      .split('\0')
      .filter((text) => text !== '' && !publishedKeys.some((key) => text.endsWith(key)))
      .slice(0, mostNamed)
      .map((text) => `${text.slice(0, 12)}…`),
  ];
}

/** The files below a folder of an image, with what tells whether they are the same: kind, mode, owner and content. */
export async function filesOf(tag: string, folder: string): Promise<Map<string, string>> {
  const container = await docker('create', tag, 'nothing');
  try {
    const child = spawn('docker', ['cp', `${container}:${folder}`, '-'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const listing = spawn(
      'sh',
      [
        '-c',
        'd=$(mktemp -d); tar -xf - -C "$d" --strip-components=1; cd "$d"; find . -type f -exec sha256sum {} + ; find . -not -type f -printf "%y%l  %p\\n"; rm -rf "$d"',
      ],
      { stdio: [child.stdout, 'pipe', 'inherit'] },
    );
    let text = '';
    listing.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    await once(listing, 'close');
    return new Map(
      text
        .trim()
        .split('\n')
        .map((line): [string, string] => {
          const [digest = '', name = ''] = line.split(/ {2}/, 2);
          return [name, digest];
        }),
    );
  } finally {
    await docker('rm', container);
  }
}
