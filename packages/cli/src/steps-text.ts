import { visible } from '@sluice/terminal/escape';

interface Step {
  title: string;
  text: string;
  command?: string;
}

/** Steps for people, numbered. A command stands on a line of its own, whole, so that it can be copied. */
export function numbered(title: string, steps: readonly Step[], bold: (text: string) => string): string {
  const lines = steps.flatMap(({ title: what, text, command }, at) => [
    `${at + 1}. ${bold(visible(what))}`,
    `   ${visible(text)}`,
    ...(command === undefined ? [] : [`   $ ${visible(command)}`]),
  ]);
  return `\n${[bold(visible(title)), ...lines].join('\n')}\n`;
}
