import { dockerAnswers } from '@sluice/testing';
import {
  baseImage,
  buildImage,
  docker,
  images,
  megabytes,
  sizeOverBase,
  tagOf,
  type Image,
} from './images.ts';
import { faultsOf } from './labels.ts';
import { filesOf, secretsIn } from './layers.ts';

/**
 * `npm run images:check`: builds each image and looks at it: how large it is, as whom it runs, what its labels say, that nothing secret is
 * in any layer, that the same sources make the same files again, and that it starts on a read-only disk without any right and, but for `admin`, without a shell.
 */

const mostOverBase = 250e6;

interface Configuration {
  User: string;
  Labels: Record<string, string> | null;
  Entrypoint: string[];
  Healthcheck?: { Test: string[] };
}

async function problemsOf(image: Image): Promise<string[]> {
  const tag = tagOf(image);
  await buildImage(image);
  const problems: string[] = [];
  const size = await sizeOverBase(tag);
  console.log(`${tag}: ${megabytes(size)} over ${baseImage}`);
  if (size > mostOverBase) problems.push(`is ${megabytes(size)} over its base`);

  const configuration = JSON.parse(
    await docker('image', 'inspect', '--format', '{{json .Config}}', tag),
  ) as Configuration;
  problems.push(...faultsOf(image, configuration));
  if (configuration.Entrypoint[0] === '/bin/sh') problems.push('needs a shell');
  if (
    ['service', 'console', 'supervisor', 'region', 'front-door'].includes(image.target) &&
    !configuration.Healthcheck
  )
    problems.push('has no health check');

  problems.push(...(await secretsIn(tag)).map((found) => `holds ${found}`));
  // the sources of the command line are not in its image
  if (image.programs.length > 0 && image.target !== 'cli') problems.push(...(await differencesOf(image)));
  problems.push(...(await startProblems(image)));
  problems.push(...(await installersIn(tag)).map((name) => `holds ${name}`));
  return problems;
}

/** What is different in an image that is built again, without anything kept from the first time. */
async function differencesOf(image: Image): Promise<string[]> {
  const again = `${tagOf(image)}-again`;
  const { webApps = [] } = image;
  const built = async (target: string, folder: string) => {
    const buildArguments = { WEB_APPS: webApps.join(' ') };
    await buildImage({ ...image, target }, { options: ['--no-cache'], tag: again, buildArguments });
    return await filesOf(again, folder);
  };
  try {
    const [before, after] = [await filesOf(tagOf(image), '/sluice'), await built('files', '/image')];
    if (webApps.length > 0)
      for (const [name, file] of await built('web', '/web')) after.set(inWeb(name), file);
    // what Node has compiled is not the same twice
    const names = new Set([...before.keys(), ...after.keys()].filter((name) => !name.includes('.cache/')));
    const different = [...names].filter((name) => before.get(name) !== after.get(name));
    return different.slice(0, 5).map((name) => `${name} is not the same when it is built again`);
  } finally {
    await docker('image', 'rm', again);
  }
}

/** Where an image has a file of the web apps. */
const inWeb = (name: string) => name.replace(/^\./, './web');

/** Programs that install packages: an image has what it needs. */
async function installersIn(tag: string): Promise<string[]> {
  const look = `['npm', 'npx', 'corepack', 'yarn', 'pnpm'].filter((name) => fs.existsSync('/usr/local/bin/' + name) || fs.existsSync('/usr/local/lib/node_modules/' + name)).join()`;
  const found = await docker('run', '--rm', '--network', 'none', '--entrypoint', 'node', tag, '-p', look);
  return found === '' ? [] : found.split(',');
}

/** What an image says that is started without anything. */
function expectedOf(target: string): string | undefined {
  if (target === 'cli') return 'The command line of Sluice';
  if (target === 'admin') return 'What operators of an installation do';
  return ['service', 'console', 'supervisor', 'region', 'node'].includes(target)
    ? 'The configuration is not usable'
    : undefined;
}

/** Programs without settings, or arguments, say what is missing: by then they are loaded and run. */
async function startProblems({ name, target }: Image): Promise<string[]> {
  const expected = expectedOf(target);
  if (expected === undefined) return [];
  // a command is a script of the shell
  const isAdmin = target === 'admin';
  const locked = [
    '--read-only',
    '--tmpfs',
    '/tmp',
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
  ];
  const shells = ['sh', 'bash', 'dash'].flatMap((shell) => ['--volume', `/dev/null:/usr/bin/${shell}:ro`]);
  const program = isAdmin ? ['--entrypoint', 'sluice-admin'] : shells;
  try {
    await docker(
      'run',
      '--rm',
      '--network',
      'none',
      ...locked,
      ...program,
      tagOf({ name, target, programs: [] }),
    );
    return ['starts without any configuration'];
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return said.includes(expected) ? [] : [`does not start: ${said.slice(-500)}`];
  }
}

if (!(await dockerAnswers())) {
  console.log('The images were not checked: no Docker answers.');
  process.exit(0);
}
const wanted = process.argv.slice(2);
let failed = 0;
for (const image of images.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const problems = await problemsOf(image);
  for (const problem of problems) console.error(`${tagOf(image)} ${problem}`);
  failed += problems.length;
}
process.exitCode = failed === 0 ? 0 : 1;
