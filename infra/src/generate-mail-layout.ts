import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import mjml from 'mjml';
import type { GeneratedFile } from './generated-file.ts';
import { repository } from './settings.ts';

const source = 'services/notifier/src/features/mails/layout/layout.mjml';
const target = 'services/notifier/src/generated/mail-layout.ts';

/** The layout of all mails as HTML, in parts: MJML is needed to make it, and not to send a mail. */
export async function mailLayout(): Promise<GeneratedFile> {
  const text = await readFile(join(repository, source), 'utf8');
  const { html, errors } = await mjml(text, {
    keepComments: true,
    validationLevel: 'strict',
    // a mail asks no server for anything: that would tell who has read it
    fonts: {},
  });
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  const parts = html.replaceAll(/\s*\n\s*/g, '\n').split(/\n?<!--part:(\w+)-->\n?/);
  const named = ['begin', ...parts.filter((_, place) => place % 2 === 1)];
  const contents = parts.filter((_, place) => place % 2 === 0);
  const lines = named.map((name, place) => `  ${name}: ${JSON.stringify(contents[place])},\n`);
  const comment = `/** Made of ${source} by \`npm run generate\`. */\n`;
  return {
    file: join(repository, target),
    text: `${comment}export const mailLayout = {\n${lines.join('')}} as const;\n`,
  };
}
