/** what names a former message, by which the broker would refuse it or take it for the same; and what a dead letter says of itself */
const ofTheFormer = /^(Nats-(Msg-Id|Expected-.*)|Sluice-(Instance|Reason|Message|Stream|Topic|Left-Out))$/i;

/** Where a message is published again: a dead letter of a connector where it came from. */
export const subjectOfAgain = (
  subject: string,
  headers: Readonly<Record<string, readonly string[]>>,
): string => headers['Sluice-Topic']?.[0] ?? subject;

/** Headers as lines, without those that belong to the message that was. */
export const headerLines = (headers: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(headers)
    .filter(([name]) => !ofTheFormer.test(name))
    .flatMap(([name, values]) => values.map((value) => `${name}: ${value}`))
    .join('\n');

/** Names and values of lines. @returns what is wrong, as a text */
export function parseHeaders(text: string): [name: string, value: string][] | string {
  const found: [string, string][] = [];
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [, name = '', value = ''] = /^([!-9;-~]+):\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === '') return `"${line.slice(0, 40)}" is no header.`;
    found.push([name, value]);
  }
  return found;
}
