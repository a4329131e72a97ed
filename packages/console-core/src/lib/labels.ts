/** Labels as lines of `key=value`. */
export const labelLines = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join('\n');

/**
 * The labels of a text with one `key=value` per line.
 * @returns the first line that is none, if there is one
 */
export function labelsIn(text: string): { labels: Record<string, string>; wrong?: string } {
  const labels: Record<string, string> = {};
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const at = line.indexOf('=');
    if (at < 1) return { labels, wrong: line };
    labels[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return { labels };
}
