import { stringify } from 'yaml';

/** Objects of Kubernetes with places that Helm fills in, and the text of a chart's template that they make. */

/** A value, or an entry of a map or a list, that Helm makes. */
export class Place {
  /** its lines behind `head` (`key:`, or `-` of a list), which stand at the column `indent` */
  readonly lines: (head: string, indent: number) => string[];

  constructor(lines: Place['lines']) {
    this.lines = lines;
  }
}

/** A value that an expression of Helm prints in one line. */
export const inline = (expression: string) => new Place((head) => [`${head} {{ ${expression} }}`]);

/** A map or a list that an expression of Helm prints as YAML. */
export const text = (expression: string) =>
  new Place((head, indent) => [`${head} {{- ${expression} | nindent ${indent + 2} }}`]);

/** A map or a list that an expression of Helm yields. */
export const block = (expression: string) => text(`toYaml (${expression})`);

/** The entries of a map or a list that an expression of Helm yields, among others; none when it is empty. */
export const entries = (expression: string) =>
  new Place((_, indent) => [
    `{{- with ${expression} }}`,
    `${' '.repeat(indent)}{{- toYaml . | nindent ${indent} }}`,
    '{{- end }}',
  ]);

/** An entry where the condition of Helm is true, and `otherwise`, if it is given, where not. */
export const when = (condition: string, value: unknown, otherwise?: unknown) =>
  new Place((head, indent) => [
    `{{- if ${condition} }}`,
    ...linesOf(head, value, indent),
    ...(otherwise === undefined ? [] : ['{{- else }}', ...linesOf(head, otherwise, indent)]),
    '{{- end }}',
  ]);

/** The template of an object. */
export const templateOf = (object: object) => `${mapLines(object, 0).join('\n')}\n`;

function mapLines(map: object, indent: number): string[] {
  return Object.entries(map).flatMap(([key, value]) =>
    linesOf(`${' '.repeat(indent)}${scalar(key)}:`, value, indent),
  );
}

function linesOf(head: string, value: unknown, indent: number): string[] {
  if (value instanceof Place) return value.lines(head, indent);
  if (typeof value !== 'object' || value === null) return [`${head} ${scalar(value)}`];
  const isItem = head.endsWith('-');
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${head} []`];
    const space = ' '.repeat(indent + 2);
    return [head, ...value.flatMap((one) => linesOf(`${space}-`, one, indent + 2))];
  }
  if (Object.keys(value).length === 0) return [`${head} {}`];
  const lines = mapLines(value, indent + 2);
  const [first = '', ...rest] = lines;
  // the first field of an item stands behind its dash; a directive of Helm needs a line of its own
  return isItem && !first.startsWith('{{-') ? [`${head} ${first.trimStart()}`, ...rest] : [head, ...lines];
}

/** As YAML has it, for readers of YAML 1.1 too; what Helm would take for its own is escaped. */
function scalar(value: unknown): string {
  const text =
    typeof value === 'string' && value.includes('\n')
      ? JSON.stringify(value)
      : stringify(value, { version: '1.1', lineWidth: 0 }).trimEnd();
  return text.replaceAll('{{', '{{ "{{" }}');
}

/** The same text with an expression of Helm in place of each mark; a scalar that has one is quoted. */
export function withExpressions(text: string, expressions: ReadonlyMap<string, string>): string {
  const marks = [...expressions.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(marks.map((mark) => mark.replaceAll('.', String.raw`\.`)).join('|'), 'g');
  const line = /^(\s*(?:- )*(?:[^\s"]+: )?)(.*)$/;
  return text
    .split('\n')
    .map((one) => {
      if (one.search(pattern) < 0) return one;
      const [, head = '', value = ''] = line.exec(one) ?? [];
      const filled = value.replaceAll(pattern, (mark) => `{{ ${expressions.get(mark)} }}`);
      return head + (value.startsWith('"') ? filled : `"${filled}"`);
    })
    .join('\n');
}
