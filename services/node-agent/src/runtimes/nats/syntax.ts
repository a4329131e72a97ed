export interface Block {
  [key: string]: Value;
}
export class Variable {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}
export type Value = string | number | boolean | Variable | Value[] | Block;

export function write(value: Value): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`;
  if (value instanceof Variable) return `$${value.name}`;
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value).map(([key, item]) => `${key}: ${write(item)}`);
  return `{ ${entries.join(', ')} }`;
}

/** A string that no content can end or have expanded: every byte that might mean something is written in hexadecimal. */
function quote(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9_./: -]/.test(character) ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `"${bytes.join('')}"`;
}
