import { spawnSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';

/** What runs, what images and installations are made of, and the manifests of workspaces that the lock file names; no tests. */
const whatRuns = [
  ...['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.cjs'],
  ...['Dockerfile', '.dockerignore', 'k8s', 'infra', 'packages', 'services'],
  ...['bench/package.json', 'test-e2e/package.json'],
  ...['**/*.test.ts', '**/test/**', 'packages/testing/src'].map((one) => `:(exclude)${one}`),
];

/**
 * The archive of a release that upgrade tests run and build images of: tar with gzip, the same for the same commit.
 * @param root a git repository
 * @param ref a tag, commit or tree of it
 * @throws Error with what git says
 */
export function archiveOf(root: string, ref: string): Buffer {
  const args = ['archive', '--format=tar', ref, '--', ...whatRuns];
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, maxBuffer: 1e9 });
  if (status !== 0) throw new Error(stderr.toString().trim());
  return gzipSync(stdout, { level: 9 });
}
