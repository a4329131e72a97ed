import { readFile, readdir } from 'node:fs/promises';
import { parse } from 'yaml';
import { completeOperations } from './completion.ts';
import { operationsOf, type OpenApiDocument } from './document.ts';
import { componentAt, pointersIn } from './references.ts';
import { expandShorthands } from './shorthands.ts';

const sharedFolder = new URL('../../openapi/', import.meta.url);
const manifest = new URL('../../../../package.json', import.meta.url);

/** Each process reads a document once; tests start a service hundreds of times. */
const loaded = new Map<string, Promise<OpenApiDocument>>();

/**
 * Reads a service's OpenAPI document: `openapi.yaml` and one file per feature beside it, with the components that
 * all services share. Each file adds paths and components; references are written as in one single document. What
 * follows from an operation's declaration is added: security, headers and the errors that it can answer.
 * @param sharedParts the folder of what all documents share, of another release
 * @returns the same document to all who ask: not to be changed
 * @throws Error when two files define the same thing, a reference leads nowhere, or a declaration says what cannot be
 */
export function loadApiDocument(folder: URL, sharedParts = sharedFolder): Promise<OpenApiDocument> {
  const known = loaded.get(folder.href) ?? readApiDocument(folder, sharedParts);
  loaded.set(folder.href, known);
  return known;
}

async function readApiDocument(folder: URL, sharedParts: URL): Promise<OpenApiDocument> {
  const shared = await partsIn(sharedParts);
  const document = merged([...shared, ...(await partsIn(folder))]);
  if (sharedParts.href !== sharedFolder.href) complement(document, await partsIn(sharedFolder));
  document.info.version = await productVersion();
  expandShorthands(document);
  completeOperations(document);
  for (const pointer of pointersIn(document)) componentAt(pointer, document);
  dropUnused(document, shared);
  return document;
}

async function partsIn(folder: URL): Promise<Partial<OpenApiDocument>[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
  return await Promise.all(
    names.map(async (name) => {
      const part = parsePart(await readFile(new URL(name, folder), 'utf8'));
      tagOperations(part);
      return part;
    }),
  );
}

/** What a process has parsed already: the files that all documents share. */
const parsed = new Map<string, Partial<OpenApiDocument>>();

/** A copy for the caller alone. */
function parsePart(text: string): Partial<OpenApiDocument> {
  const known = parsed.get(text) ?? (parse(text, { merge: true }) as Partial<OpenApiDocument>);
  parsed.set(text, known);
  return structuredClone(known);
}

/** The operations of a file belong together: they have the file's tag, unless they say otherwise. */
function tagOperations({ tags = [], paths = {} }: Partial<OpenApiDocument>): void {
  const [first] = tags;
  if (!first) return;
  for (const { operation } of operationsOf({ paths })) operation.tags ??= [first.name];
}

function merged(parts: Partial<OpenApiDocument>[]): OpenApiDocument {
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    tags: [],
    paths: {},
    components: {},
  };
  for (const { info, tags = [], paths = {}, components = {}, ...rest } of parts) {
    Object.assign(document, rest);
    Object.assign(document.info, info);
    document.tags?.push(...tags);
    merge(document.paths, paths, 'path');
    for (const [kind, entries] of Object.entries(components))
      merge(((document.components ??= {})[kind] ??= {}), entries, kind);
  }
  const order = (document['x-tagGroups'] ?? []).flatMap((group) => group.tags);
  document.tags?.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return document;
}

function merge<T>(into: Record<string, T>, from: Record<string, T>, kind: string): void {
  for (const [name, value] of Object.entries(from)) {
    if (name in into) throw new Error(`The OpenAPI files define ${kind} '${name}' twice`);
    into[name] = value;
  }
}

/** Adds what the completion of this release refers to, and a former one did not have. */
function complement(document: OpenApiDocument, parts: Partial<OpenApiDocument>[]): void {
  const own = (document.components ??= {});
  for (const { components = {} } of parts)
    for (const [kind, entries] of Object.entries(components)) own[kind] = { ...entries, ...own[kind] };
}

/** The release that these sources are. */
export async function productVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  return version;
}

/** Removes shared components that nothing of this document leads to. Its own stay, so that a linter finds them. */
function dropUnused({ components = {}, ...rest }: OpenApiDocument, shared: Partial<OpenApiDocument>[]): void {
  const isShared = (kind: string, name: string) => shared.some((part) => part.components?.[kind]?.[name]);
  const used = new Set<string>();
  const follow = (value: unknown) => {
    for (const pointer of pointersIn(value)) {
      if (used.has(pointer)) continue;
      used.add(pointer);
      follow(componentAt(pointer, { components }));
    }
  };
  follow(rest);
  const schemes = operationsOf(rest).flatMap(({ operation }) => operation.security ?? []);
  for (const name of schemes.flatMap((scheme) => Object.keys(scheme)))
    used.add(`#/components/securitySchemes/${name}`);
  for (const [kind, entries] of Object.entries(components)) {
    for (const name of Object.keys(entries))
      if (isShared(kind, name) && !used.has(`#/components/${kind}/${name}`)) delete entries[name];
    if (Object.keys(entries).length === 0) delete components[kind];
  }
}
