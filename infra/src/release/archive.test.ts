import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@sluice/testing';
import { repository } from '../settings.ts';
import { archiveOf } from './archive.ts';
import { gitIn, run } from './programs.ts';

/** The paths of the sources as they are now, and of an archive of them. */
async function archived(): Promise<{ sources: string[]; paths: string[] }> {
  const folder = await testFolder();
  await gitIn(folder)('init', '--quiet');
  // a repository of its own around the same files
  const env = { GIT_DIR: join(folder, '.git'), GIT_WORK_TREE: repository };
  await run('git', ['add', '--all'], { cwd: repository, env });
  const tree = await run('git', ['write-tree'], { cwd: repository, env });
  await writeFile(join(folder, 'archive.tar.gz'), archiveOf(folder, tree));
  const listed = await run('tar', ['-tzf', 'archive.tar.gz'], { cwd: folder });
  const sources = await run('git', ['ls-files'], { cwd: repository, env });
  return { sources: sources.split('\n'), paths: listed.split('\n') };
}

test('the archive of a release has what runs, the manifests, and all that its images are built of, without tests', async () => {
  const { sources, paths } = await archived();
  expect(paths).toEqual(
    expect.arrayContaining([
      ...['services/main-api/src/main.ts', 'services/supervisor/migrations/001-base-line.sql'],
      ...[
        'infra/catalogue.yaml',
        'infra/src/nats-config.ts',
        'k8s/overlays/control-plane/kustomization.yaml',
      ],
      ...['Dockerfile', '.dockerignore', 'package.json', 'pnpm-lock.yaml'],
    ]),
  );
  const dockerfile = await readFile(join(repository, 'Dockerfile'), 'utf8');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
    sources.split(' '),
  );
  // the program of the command line is made for its image
  const made = ['.', 'packages/cli/dist'];
  expect(copied.filter((path) => !made.includes(path) && !paths.includes(path))).toEqual([]);
  // the lock file names each workspace
  const manifests = sources.filter((path) => path.endsWith('package.json'));
  expect(manifests.length).toBeGreaterThan(20);
  expect(manifests.filter((path) => !paths.includes(path))).toEqual([]);
  expect(paths.filter((path) => /\.test\.ts$|\/test\/|^(docs|dist)\//.test(path))).toEqual([]);
});
