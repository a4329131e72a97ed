import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { repository } from '../settings.ts';

export interface Image {
  name: string;
  /** the stage */
  target: string;
  /** the package that it runs, and others whose programs it carries */
  programs: readonly string[];
}

const service = (name: string): Image => ({ name, target: 'service', programs: [name] });

export const images: readonly Image[] = [
  ...['main-api', 'audit', 'notifier'].map(service),
  // hands out what machines of customers need to be nodes
  { name: 'supervisor', target: 'supervisor', programs: ['supervisor', 'node-agent'] },
  { name: 'node', target: 'node', programs: ['node-agent'] },
  { name: 'admin', target: 'admin', programs: ['infra', 'main-api'] },
  // for Compose
  { name: 'region', target: 'region', programs: ['supervisor', 'node-agent'] },
  { name: 'front-door', target: 'front-door', programs: [] },
];

export const tagOf = ({ name }: Image) => `sluice/${name}:${process.env.SLUICE_VERSION ?? 'dev'}`;

/** The base of all images, as the Dockerfile has it by default. */
export const baseImage = process.env.NODE_IMAGE ?? 'node:24-trixie-slim';

/** Runs a command of Docker. @returns what it printed @throws Error with what it said */
export async function docker(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', args, { cwd: repository, maxBuffer: 64_000_000 });
  return stdout.trim();
}

/** Builds an image; what Docker says goes to stderr. @throws Error when it can't be built */
export async function buildImage(
  image: Image,
  options: readonly string[] = [],
  tag = tagOf(image),
): Promise<void> {
  const [program, ...besides] = image.programs;
  const args = ['build', '--target', image.target, '--tag', tag, '--build-arg', `NODE_IMAGE=${baseImage}`];
  if (program !== undefined) args.push('--build-arg', `PROGRAM=${program}`);
  if (besides.length > 0) args.push('--build-arg', `BESIDES=${besides.join(' ')}`);
  const child = spawn('docker', [...args, ...options, '.'], { cwd: repository, stdio: ['ignore', 2, 2] });
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
