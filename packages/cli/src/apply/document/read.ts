import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes, usageError } from '@sluice/terminal/errors';
import { readText } from '../../files.ts';
import { documentSchema, type SluiceDocument } from './schema.ts';
import type { Secrets } from './secrets.ts';

/** A document with the places of its parts. */
export interface ReadDocument {
  content: SluiceDocument;
  /** `payments.yaml:12:7` of an object in the content */
  at: (part: object) => string;
}

/** longest list of files */
const mostFiles = 1_000;
const mostAliases = 100;

/**
 * Reads and validates the files of `-f`: files, directories with `.yaml` and `.yml` files, and `-` for stdin.
 * @throws CliError 7 with file, line and column of each fault
 */
export async function readDocuments(
  cli: Cli,
  paths: readonly string[],
  secrets: Secrets,
): Promise<ReadDocument[]> {
  const files = (await Promise.all(paths.map(filesOf))).flat();
  if (files.length === 0) throw usageError('-f: there is no .yaml file.');
  if (files.length > mostFiles) throw usageError(`-f: these are more than ${mostFiles} files.`);
  const faults: string[] = [];
  const documents: ReadDocument[] = [];
  for (const file of new Set(files)) {
    const read = parse(file, await readText(cli, file, '-f'), secrets, faults);
    if (read) documents.push(read);
  }
  if (faults.length === 0) return documents;
  throw new CliError({
    exitCode: exitCodes.badInput,
    message: 'The document is not valid.',
    details: faults,
  });
}

async function filesOf(path: string): Promise<string[]> {
  if (path === '-') return [path];
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return [path];
  const names = await readdir(path);
  return names
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(path, name));
}

type Path = readonly PropertyKey[];

function parse(file: string, text: string, secrets: Secrets, faults: string[]): ReadDocument | undefined {
  const shown = file === '-' ? 'stdin' : file;
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: true });
  const position = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return `${shown}:${line}:${col}`;
  };
  for (const { pos, message } of document.errors) faults.push(`${position(pos[0])}: ${message}`);
  if (document.errors.length > 0) return undefined;
  const where = (path: Path) => position(offsetOf(document, path));
  let raw: unknown;
  try {
    raw = document.toJS({ maxAliasCount: mostAliases }) ?? {};
  } catch (error) {
    faults.push(`${position(0)}: ${(error as Error).message}`);
    return undefined;
  }
  const { success, data, error } = documentSchema.safeParse(raw);
  if (!success) {
    const found = error.issues.flatMap(faultsOf);
    const sorted = found
      .map(({ path, message }) => ({ path, message, offset: offsetOf(document, path) }))
      .sort((a, b) => a.offset - b.offset);
    for (const { path, message, offset } of sorted)
      faults.push(`${position(offset)}: /${path.map(String).join('/')}: ${message}`);
    return undefined;
  }
  const places = new WeakMap<object, string>();
  const content = resolved(data, [], (value, path) => {
    try {
      return secrets.resolve(value, file === '-' ? './-' : file);
    } catch (problem) {
      faults.push(`${where(path)}: /${path.join('/')}: ${(problem as Error).message}`);
      return value;
    }
  }) as SluiceDocument;
  eachObject(content, [], (part, path) => places.set(part, where(path)));
  return { content, at: (part) => places.get(part) ?? shown };
}

/** Where the deepest part of a path that is there begins. */
function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true) as
      { range?: [number, number, number] } | undefined;
    if (node?.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}

function faultsOf(issue: z.core.$ZodIssue): { path: Path; message: string }[] {
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], message: 'is not known here' }));
  const said = message.endsWith('received undefined')
    ? 'is missing'
    : message.replace(/^Invalid input: /, '');
  return [{ path, message: said }];
}

/** The same with every string replaced. */
function resolved(value: unknown, path: Path, replace: (text: string, path: Path) => string): unknown {
  if (typeof value === 'string') return replace(value, path);
  if (Array.isArray(value)) return value.map((item, at) => resolved(item, [...path, at], replace));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, resolved(item, [...path, key], replace)]),
  );
}

function eachObject(value: unknown, path: Path, visit: (part: object, path: Path) => void): void {
  if (value === null || typeof value !== 'object') return;
  visit(value, path);
  for (const [key, item] of Object.entries(value))
    eachObject(item, [...path, Array.isArray(value) ? Number(key) : key], visit);
}
