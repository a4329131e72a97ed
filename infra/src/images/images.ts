import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../settings.ts';
import { labelsOfCheckout } from './labels.ts';

export interface Image {
  name: string;
  /** the stage */
  target: string;
  /** the package that it runs, and others whose programs it carries */
  programs: readonly string[];
  /** packages of web apps whose built files it carries */
  webApps?: readonly string[];
}

const service = (name: string): Image => ({ name, target: 'service', programs: [name] });

export const images: readonly Image[] = [
  ...['main-api', 'audit', 'notifier'].map(service),
  { name: 'console', target: 'console', programs: ['console-service'], webApps: ['console'] },
  // hands out what machines of customers need to be nodes
  {
    ...{ name: 'supervisor', target: 'supervisor' },
    programs: ['supervisor', 'node-agent'],
    webApps: ['stream-ui'],
  },
  { name: 'node', target: 'node', programs: ['node-agent'], webApps: ['stream-ui'] },
  { name: 'admin', target: 'admin', programs: ['infra', 'main-api'] },
  // for Compose
  { name: 'region', target: 'region', programs: ['supervisor', 'node-agent'], webApps: ['stream-ui'] },
  { name: 'front-door', target: 'front-door', programs: [] },
  // the last one: what it carries is built among the sources, which are copied again for each image after it
  { name: 'cli', target: 'cli', programs: ['packages/cli'] },
];

/** The folders of what an image carries: of its programs, and of its web apps. */
export const foldersOf = ({ programs, webApps = [] }: Pick<Image, 'programs' | 'webApps'>): string[] => [
  // a service is called after its folder, unless a package has that name already
  ...programs.map((program) => program.replace(/-service$/, '')),
  ...webApps.map((app) => `packages/${app}`),
];

export const tagOf = ({ name }: Image) => `sluice/${name}:${process.env.SLUICE_VERSION ?? 'dev'}`;

/** The base of all images, as the Dockerfile has it by default. */
export const baseImage = process.env.NODE_IMAGE ?? 'node:24-trixie-slim';

/** Runs a command of Docker. @returns what it printed @throws Error with what it said */
export async function docker(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', args, { cwd: repository, maxBuffer: 64_000_000 });
  return stdout.trim();
}

interface Build {
  tag?: string;
  /** the folder of the sources */
  context?: string;
  labels?: Readonly<Record<string, string>>;
  /** values of arguments of the Dockerfile */
  buildArguments?: Readonly<Record<string, string>>;
  options?: readonly string[];
}

/** Builds an image; what Docker says goes to stderr. @throws Error when it can't be built */
export async function buildImage(image: Image, build: Build = {}): Promise<void> {
  const { tag = tagOf(image), context = repository, options = [], buildArguments = {} } = build;
  // it carries what is published, and not the sources
  if (image.target === 'cli')
    await (await import('../cli/build.ts')).buildCli(join(context, 'packages/cli/dist'));
  const [program, ...besides] = image.programs;
  const values: Record<string, string> = { NODE_IMAGE: baseImage, ...buildArguments };
  if (program !== undefined) values['PROGRAM'] = program;
  if (besides.length > 0) values['BESIDES'] = besides.join(' ');
  const given = Object.entries(values).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
  const labels = Object.entries(build.labels ?? (await labelsOfCheckout(image))).flatMap(([name, value]) => [
    '--label',
    `${name}=${value}`,
  ]);
  // `buildx build` where an option needs it
  const command = options.includes('--output') ? ['buildx', 'build'] : ['build'];
  const args = [...command, '--target', image.target, '--tag', tag, ...given, ...labels, ...options, '.'];
  const child = spawn('docker', args, { cwd: context, stdio: ['ignore', 2, 2] });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The image ${tag} could not be built.`);
}

/** Bytes that an image has more than its base. */
export async function sizeOverBase(tag: string): Promise<number> {
  const [size = 0, base = 0] = await Promise.all(
    [tag, baseImage].map(async (name) =>
      Number(await docker('image', 'inspect', '--format', '{{.Size}}', name)),
    ),
  );
  return size - base;
}

export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
