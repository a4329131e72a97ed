/**
 * The entry of all scripts of package.json. It runs on any Node from 20 on with nothing installed, makes sure that
 * the dependencies are there, and hands over to the Node version that Sluice is written for.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const wantedNode = [24, 12];
const quiet = '--disable-warning=ExperimentalWarning';

const usage = `Usage: npm start

Starts Sluice on this machine: PostgreSQL, NATS, all services and a first tenant. Ctrl-C stops everything.

Environment variables:
  SLUICE_HOME       the folder for all data, logs and stack.json (default: .sluice in the repository)
  SLUICE_PORT_BASE  the first of the 20 ports that are used (default: 7600)
`;

const subcommands = {
  start: () => [join(root, 'infra/src/stack.ts')],
  test: (args) => ['--experimental-vm-modules', join(modules, 'jest/bin/jest.js'), ...args],
  node: (args) => args,
  exec: undefined,
};

async function main([subcommand = '', ...args]) {
  if (
    !Object.hasOwn(subcommands, subcommand) ||
    (['exec', 'node'].includes(subcommand) && args.length === 0)
  ) {
    fail(
      'Usage: node infra/bootstrap.mjs start | test [jest args] | exec <program> [args] | node <file> [args]',
    );
  }
  if (subcommand === 'start' && args.length > 0) {
    if (args.includes('--help') || args.includes('-h')) return process.stdout.write(usage);
    fail(`npm start takes no "${args[0]}".\n\n${usage}`);
  }
  await ensureInstalled();
  const node = findNode();
  await ensureApiTypes(node);
  if (subcommand === 'exec') return run(node, join(modules, '.bin', args[0]), args.slice(1));
  // the stack notices by the channel when this process is killed
  const stdio = subcommand === 'start' ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit';
  // stripping types and compiling is most of what the start of a program costs, and tests start hundreds of them
  if (subcommand === 'test') process.env.NODE_COMPILE_CACHE ??= join(root, '.cache', 'compiled');
  run(node, node, [quiet, ...subcommands[subcommand](args)], stdio);
}

/** Installs the dependencies unless they already are what the manifests and the lock file ask for. */
async function ensureInstalled() {
  await ensure(isInstalled, () => {
    console.log('Installing dependencies…');
    const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const args = ['exec', '--yes', packageManager, '--', 'install', '--frozen-lockfile'];
    // CI: pnpm asks no questions
    const env = { ...process.env, CI: 'true' };
    const { status, error, stdout, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', env });
    if (status !== 0) {
      const said = error?.message ?? `${stdout}${stderr}`.trim();
      fail(`The dependencies could not be installed (npm ${args.join(' ')}):\n\n${said}`);
    }
    writeFileSync(marker(), wantedInstallation());
    installHooks();
  });
}

/** Does what is missing, one process at a time. */
async function ensure(isDone, make) {
  if (isDone()) return;
  const unlock = await lock();
  try {
    if (!isDone()) make();
  } finally {
    unlock();
  }
}

/** Puts the commit hooks into a clone that people work in. Everything else works without them, so nothing is said. */
function installHooks() {
  const isClone = statSync(join(root, '.git'), { throwIfNoEntry: false })?.isDirectory();
  if (process.env.CI || !isClone) return;
  spawnSync(join(modules, '.bin', 'lefthook'), ['install'], { cwd: root, stdio: 'ignore' });
}

const marker = () => join(modules, '.sluice-installed');

function isInstalled() {
  if (!existsSync(join(modules, '.modules.yaml')) || !existsSync(marker())) return false;
  return readFileSync(marker(), 'utf8') === wantedInstallation();
}

/** A digest of everything that decides what is installed. */
function wantedInstallation() {
  const manifests = ['.', ...members(), 'infra', 'test-e2e', 'bench'].map((folder) =>
    join(folder, 'package.json'),
  );
  return digestOf(['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests]);
}

/** The folders of all packages and services. */
const members = () =>
  ['packages', 'services'].flatMap((parent) =>
    readdirSync(join(root, parent))
      .sort()
      .map((name) => join(parent, name)),
  );

function digestOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    if (existsSync(join(root, file))) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/**
 * Makes the types of the OpenAPI documents, and of them the client, unless they are up to date. git keeps neither. No service reads the
 * types at run time: they are for the compiler, ESLint and editors.
 */
async function ensureApiTypes(node) {
  const absolute = (path) => join(root, path);
  const apis = [
    ['packages/contracts/openapi', 'packages/contracts/src/generated/agent-api.ts'],
    ...members()
      .filter((folder) => existsSync(join(root, folder, 'openapi/openapi.yaml')))
      .map((folder) => [`${folder}/openapi`, `${folder}/src/generated/api.ts`]),
  ];
  const layers = ['main-api', 'supervisor', 'audit'].map((name) => absolute(`services/${name}/openapi`));
  const client = absolute('packages/client/src/generated');
  const digest = sourcesOfApiTypes();
  await ensureMade(
    node,
    'api-types.ts',
    digest,
    apis.map(([, file]) => absolute(file)),
    apis.flat().map(absolute),
  );
  await ensureMade(node, 'client/generate.ts', digest, [join(client, 'digest.ts')], [client, ...layers]);
  const operations = absolute('packages/cli/src/generated/operations.ts');
  await ensureMade(node, 'cli/generate.ts', digest, [operations], [operations, ...layers]);
}

/** Runs a program with the digest of its sources and other arguments, unless the files that it makes begin with that digest. */
async function ensureMade(node, program, digest, files, args) {
  const areMade = () =>
    files.every((file) => existsSync(file) && readFileSync(file, 'utf8').startsWith(`// ${digest}\n`));
  await ensure(areMade, () => {
    const command = [quiet, join(root, 'infra/src', program), digest, ...args];
    const { status } = spawnSync(node, command, { cwd: root, stdio: ['ignore', 2, 2] });
    if (status !== 0)
      fail(`What is made from the OpenAPI documents could not be made by infra/src/${program}.`);
  });
}

/** A digest of the documents, of what completes them (packages/http, by the codes and events of the contracts), and of what makes types of them. */
function sourcesOfApiTypes() {
  const folders = members().flatMap((folder) => [join(folder, 'openapi'), join(folder, 'src/openapi')]);
  const files = [...folders, 'packages/contracts/src']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
    .filter((file) => /\.(yaml|ts)$/.test(file) && !file.endsWith('.test.ts'))
    .sort();
  const programs = ['api-types.ts', 'client/generate.ts', 'cli/generate.ts'].map(
    (name) => `infra/src/${name}`,
  );
  return digestOf([...files, ...programs, 'pnpm-lock.yaml']);
}

/** Keeps two of us from installing at the same time; answers how to let the next one in. */
async function lock() {
  const file = join(root, '.cache', 'installing.pid');
  const ours = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(ours, String(process.pid));
  try {
    while (!tryLink(ours, file)) {
      if (!isAlive(holderOf(file))) rmSync(file, { force: true });
      await delay(200);
    }
  } finally {
    rmSync(ours);
  }
  const unlock = () => {
    process.off('exit', unlock);
    rmSync(file, { force: true });
  };
  process.on('exit', unlock);
  return unlock;
}

/** The process that holds the lock; ourselves when it was let go of just now. */
function holderOf(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return process.pid;
  }
}

function tryLink(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The path of a Node that can run the sources: this one if it is new enough, else the one among the dependencies. */
function findNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > wantedNode[0] || (major === wantedNode[0] && minor >= wantedNode[1])) return process.execPath;
  const pinned = join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(pinned)) return pinned;
  return fail(
    `Sluice needs Node ${wantedNode.join('.')} or newer, and npm has no copy of it for ${process.platform}-${process.arch}: install it from https://nodejs.org.`,
  );
}

/**
 * Runs a program to its end and ends with its exit code. Signals are passed on: a program that gets one from the
 * terminal as well gets it twice, so what runs here takes the second for the same wish.
 */
function run(node, command, args, stdio = 'inherit') {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const child = spawn(command, args, { cwd: root, stdio, env });
  child.on('error', (error) => fail(`${command} cannot be run: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event !== undefined) endWithNpm(child);
}

/**
 * A killed npm does not stop its script: without this it would run on, unseen. Between npm and this process there
 * may be shells, which do not notice either.
 */
function endWithNpm(child) {
  const shells = [];
  let ancestor = process.ppid;
  while (ps('command', [ancestor]).includes('bootstrap.mjs')) {
    shells.push(ancestor);
    ancestor = Number(parentOf(ancestor));
  }
  const descent = () => (shells.length === 0 ? process.ppid : shells.map(parentOf).join());
  const atFirst = descent();
  const watch = setInterval(() => {
    if (descent() === atFirst) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 1_000);
}

/** Nothing where the process has ended. It is asked for each second: another process for that would cost too much. */
function parentOf(pid) {
  if (process.platform !== 'linux') return ps('ppid', [pid]).trim();
  try {
    return /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1];
  } catch {
    return '';
  }
}

const ps = (fields, pids) =>
  spawnSync('ps', ['-ww', '-o', `${fields}=`, '-p', pids.join(',')], { encoding: 'utf8' }).stdout ?? '';

function fail(message) {
  console.error(message);
  process.exit(1);
}

await main(process.argv.slice(2));
