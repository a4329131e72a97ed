import { LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { InvalidDocument } from '../invalid-document.ts';
import { documentSchema, type SluiceDocument } from './schema.ts';
import type { Secrets } from './secrets.ts';

/** A document with the places of its parts. */
export interface ReadDocument {
  content: SluiceDocument;
  /** `payments.yaml:12:7` of an object in the content */
  at: (part: object) => string;
}

/** The text of a document. */
export interface Source {
  /** as faults name it: its file */
  name: string;
  text: string;
  /** to which the paths of `${file:…}` are relative */
  folder: string;
}

const mostAliases = 100;

/** Reads and validates documents. @throws InvalidDocument with file, line and column of each fault */
export function readDocuments(sources: readonly Source[], secrets: Secrets): ReadDocument[] {
  const faults: string[] = [];
  const documents = sources.flatMap((source) => parse(source, secrets, faults) ?? []);
  if (faults.length > 0) throw new InvalidDocument(faults);
  return documents;
}

type Path = readonly PropertyKey[];

function parse({ name, text, folder }: Source, secrets: Secrets, faults: string[]): ReadDocument | undefined {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: true });
  const position = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return `${name}:${line}:${col}`;
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
      return secrets.resolve(value, folder);
    } catch (problem) {
      faults.push(`${where(path)}: /${path.join('/')}: ${(problem as Error).message}`);
      return value;
    }
  }) as SluiceDocument;
  eachObject(content, [], (part, path) => places.set(part, where(path)));
  return { content, at: (part) => places.get(part) ?? name };
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
