import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
} from 'yaml';

export interface YamlText {
  value: unknown;
  /** the line, from 1, on which the value at `path` stands; of one that is not there, what it should stand in */
  lineOf(path: readonly PropertyKey[]): number;
}

export interface NotYaml {
  problems: { line: number; message: string }[];
}

/** Reads a YAML text. What merely warns, such as an unknown tag, is wrong as well. */
export function readYaml(text: string): YamlText | NotYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const wrong = [...document.errors, ...document.warnings, ...aliasesOfNothing(document)];
  if (wrong.length > 0)
    return { problems: wrong.map(({ pos, message }) => ({ line: lines.linePos(pos[0]).line, message })) };
  try {
    const value: unknown = document.toJS();
    return { value, lineOf: (path) => lines.linePos(positionOf(document, path)).line };
  } catch (error) {
    // aliases that multiply
    return { problems: [{ line: 1, message: String(error) }] };
  }
}

function aliasesOfNothing(document: Document.Parsed): { pos: [number]; message: string }[] {
  const found: { pos: [number]; message: string }[] = [];
  visit(document, {
    Alias(_, alias) {
      if (!alias.resolve(document))
        found.push({ pos: [alias.range?.[0] ?? 0], message: `*${alias.source} is an alias of nothing` });
    },
  });
  return found;
}

/** Where the deepest part of `path` begins that is there: of an entry of a map its key. */
function positionOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  let position = 0;
  let node: unknown = document.contents;
  for (const step of path) {
    const inside = isAlias(node) ? node.resolve(document) : node;
    const entry = entryOf(inside, step);
    if (!entry) break;
    position = entry.at.range?.[0] ?? position;
    node = entry.value;
  }
  return position;
}

function entryOf(node: unknown, step: PropertyKey): { at: Node; value: unknown } | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
    return pair && isNode(pair.key) ? { at: pair.key, value: pair.value } : undefined;
  }
  const item = isSeq(node) ? node.items[Number(step)] : undefined;
  return isNode(item) ? { at: item, value: item } : undefined;
}
