import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { buildClient } from '@sluice/infra/client/build';
import { repository, type Stack } from '@sluice/testing';

/** The examples of packages/client/README.md, one after the other, and what they are said to print. */
export interface Tour {
  program: string;
  printed: string;
}

export async function readTour(): Promise<Tour> {
  const text = await readFile(join(repository, 'packages/client/README.md'), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const joined = (language: string) =>
    blocks.filter(([, one]) => one === language).map(([, , code]) => code ?? '');
  return { program: joined('js').join('\n'), printed: joined('text').join('') };
}

/** Runs the program with the built package beside it, as in a project of its users. @returns what it prints */
export async function runTour(
  node: string,
  { program }: Tour,
  stack: Stack,
  folder: string,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  await buildClient(join(folder, 'node_modules/@sluice/client'));
  const file = join(folder, 'tour.mjs');
  const own = program
    .replaceAll(/\btenant_id: 1\b/g, `tenant_id: ${stack.tenant_id}`)
    .replaceAll(/\bdivision_id: 1\b/g, `division_id: ${stack.division_id}`);
  await writeFile(file, own);
  const { base_url: SLUICE_URL, audit_url: SLUICE_AUDIT_URL, api_key: SLUICE_API_KEY } = stack;
  const env = { ...process.env, SLUICE_URL, SLUICE_AUDIT_URL, SLUICE_API_KEY };
  const child = spawn(node, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, errors, code] = await Promise.all([
    buffer(child.stdout),
    buffer(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ]);
  if (code !== 0)
    throw new Error(`The tour ends with ${String(code)}:\n${errors.toString()}\n${out.toString()}`);
  return out.toString();
}

/** The path of a Node 20, the oldest that the client is for; undefined where none is installed. */
export async function node20(): Promise<string | undefined> {
  const found = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  for (const path of [...new Set(found)].filter((path) => existsSync(path))) {
    const { stdout } = await promisify(execFile)(path, ['--version']);
    if (stdout.startsWith('v20.')) return path;
  }
  return undefined;
}
