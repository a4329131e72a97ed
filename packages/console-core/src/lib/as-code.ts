/** An action in the three forms that it can be taken in without the console. */
export interface AsCodeText {
  /** words after `sluice`; undefined and false are left out */
  command: readonly (string | false | undefined)[];
  request: {
    method: string;
    path: string;
    query?: Record<string, unknown>;
    body?: unknown;
    /** whose API it is; the Main API unless given */
    layer?: 'supervisor' | 'audit';
  };
  /** lines of a file for `sluice apply`, where it has such */
  apply?: string | undefined;
}

const isPlain = (word: string) => /^[\w@%+=:,./-]+$/.test(word);

/** A word for a POSIX shell. */
export const quoted = (word: string): string =>
  isPlain(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The command with its words quoted. */
export const commandText = (words: AsCodeText['command']): string =>
  ['sluice', ...words.filter((word): word is string => typeof word === 'string')].map(quoted).join(' ');

/** The request for `curl`, with the API key from the environment. */
export function requestText({ method, path, query = {}, body, layer }: AsCodeText['request']): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  const base = layer === undefined ? 'SLUICE_URL' : `SLUICE_${layer.toUpperCase()}_URL`;
  const address = `"$${base}${path}${search === '' ? '' : `?${search}`}"`;
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${address}`,
    `-H "svc-api-key: $SLUICE_API_KEY"`,
    ...(body === undefined
      ? []
      : [`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
  ];
  return lines.join(' \\\n  ');
}
